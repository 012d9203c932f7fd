package family_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

func Example() {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(family.ChildOf)}))
	state, tank, _ := world.CreateWith(state, family.ChildOf)
	state, turret, _ := world.CreateWith(state, family.ChildOf)

	state, err := world.Set(state, turret, family.ChildOf, tank)
	fmt.Println(err)
	_, err = world.Set(state, tank, family.ChildOf, turret)
	fmt.Println(err)
	state, err = world.Dispose(state, tank) // and with it the turret
	fmt.Println(world.Len(state), err)
	world.Close(state)
	// Output:
	// <nil>
	// flatecs: childOf 0 → 1 → 0: a tree has no rings; refer to an object that is not below this one
	// 0 <nil>
}

// A reference to 0 is a reference to nobody.
func ExampleChildren() {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(family.ChildOf)}))
	state, tank, _ := world.CreateWith(state, family.ChildOf)
	state, turret, _ := world.CreateWith(state, family.ChildOf)
	for _, parent := range []world.GameObject{tank, 0} {
		var err error
		if state, err = world.Set(state, turret, family.ChildOf, parent); err != nil {
			panic(err)
		}
		fmt.Println("parent:", world.Must(world.Get(state, turret, family.ChildOf)))
		for id := range family.Children(state, family.ChildOf, tank) {
			fmt.Println("child:", id)
		}
	}
	world.Close(state)
	// Output:
	// parent: 0
	// child: 1
	// parent: nobody
}

// Sums go from children to parents.
func ExampleUpdateParents() {
	mass := layout.NewComponent[float32]("mass") // of an object, then of all below it too, kg
	weighing := world.NewQuery(world.Write(mass))
	part := world.NewRecipe("part", family.ChildOf, mass)
	of := func(kg float32, children ...family.Tree) family.Tree {
		return family.Tree{
			Recipe: part, Values: []layout.FieldValue{mass.Value(kg)}, Children: children,
		}
	}
	state := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(family.ChildOf, mass), Recipes: []world.Recipe{part},
	}))
	state, truck, err := family.Spawn(state, of(9_000, of(1_000, of(50), of(70)), of(400)))
	for b := range weighing.Up(state, family.ChildOf) {
		own := world.Column(b, mass)
		family.UpdateParents(b, mass, func(i int, parent *float32) { *parent += own[i] })
	}
	fmt.Println(world.Must(world.Get(state, truck, mass)), err)
	world.Close(state)
	// Output:
	// 10520 <nil>
}

// Designers write trees in text.
func ExampleParseTrees() {
	type vec struct{ X, Y float32 }
	place := layout.NewComponent[vec]("place")
	aim := layout.NewComponent[world.GameObject]("aim")
	hot := layout.NewMark("hot")
	gun := world.NewRecipe("gun", family.ChildOf, place, aim)
	counts := world.Counts{
		Kinds: layout.Kinds(family.ChildOf, place, aim, hot), Recipes: []world.Recipe{gun},
	}
	trees, err := family.ParseTrees(`
barrel: gun
	muzzle: + place
		place {Y:2}
	aim muzzle
tank: + place
	left: like barrel + hot
		place {X:-1}
	right: like barrel
		aim left
`, counts)
	fmt.Println(err)
	state := world.Must(world.CreateState(counts))
	state, tank, err := family.Spawn(state, trees[1])
	for id := range family.Children(state, family.ChildOf, tank) {
		aimed := world.Must(world.Get(state, id, aim))
		fmt.Println(world.Must(world.Get(state, id, place)), world.Must(world.Get(state, aimed, place)))
	}
	world.Close(state)
	_, wrong := family.ParseTrees("tank: gun\n\tplace {X:1 Z:2}", counts)
	fmt.Println(err, wrong)
	// Output:
	// <nil>
	// {-1 0} {0 2}
	// {0 0} {-1 0}
	// <nil> family: line 2, column 13: place has no part "Z"; it has X float32 × 1, Y float32 × 1
}
