package howto_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

// Parent and child

var (
	Offset  = layout.NewComponent[Vec2]("offset") // from the parent
	Body    = world.NewRecipe("body", Place, Offset)
	Limb    = world.NewRecipe("limb", family.ChildOf, Place, Offset)
	placing = world.NewQuery(world.Write(Place), world.Read(Offset))
)

// Follow places each object from its parent's place, parents before their children.
func Follow(s world.State) world.State {
	for b := range placing.Down(s, family.ChildOf) {
		place, offset := world.Column(b, Place), world.Column(b, Offset)
		for i, parent := range family.Parents(b, Place) { // zero where there is no parent
			place[i] = Vec2{parent.X + offset[i].X, parent.Y + offset[i].Y}
		}
	}
	return s
}

func Example_parentAndChild() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(family.ChildOf, Place, Offset), Recipes: []world.Recipe{Body, Limb},
	})
	check(err)
	robot := family.Tree{Recipe: Body, Children: []family.Tree{
		{Recipe: Limb, Values: []layout.FieldValue{Offset.Value(Vec2{X: 3})}},
		{Recipe: Limb, Values: []layout.FieldValue{Offset.Value(Vec2{X: -3})}},
	}}
	state, body, err := family.Spawn(state, robot, Offset.Value(Vec2{Y: 10}))
	check(err)
	state = Follow(state)
	for limb := range family.Children(state, family.ChildOf, body) {
		fmt.Println(world.Must(world.Get(state, limb, Place)))
	}
	state, err = world.Dispose(state, body)
	check(err)
	fmt.Println(world.Len(state), "alive")
	world.Close(state)
	// Output:
	// {3 10}
	// {-3 10}
	// 0 alive
}

func Example_membersOfTrees() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(family.ChildOf, Place, Offset), Recipes: []world.Recipe{Body, Limb},
	})
	check(err)
	tank := family.Tree{Recipe: Body, Children: []family.Tree{
		{Recipe: Limb, Values: []layout.FieldValue{Offset.Value(Vec2{Y: 1})}}, // member 1: the turret
	}}
	var members, turrets []world.GameObject
	for i := range 3 {
		state, members, err = family.SpawnTree(members[:0], state, family.ChildOf, tank,
			Offset.Value(Vec2{X: float32(10 * i)}))
		check(err)
		turrets = append(turrets, members[1])
	}
	last := world.Record(state).SpawnTree(family.ChildOf, tank)
	state, err = world.Apply(state)
	check(err)
	turret, err := world.Applied(state, last+1) // the ids of recorded members follow each other
	check(err)
	state = Follow(state)
	for _, id := range append(turrets, turret) {
		fmt.Print(world.Must(world.Get(state, id, Place)), " ")
	}
	world.Close(state)
	// Output: {0 1} {10 1} {20 1} {0 1}
}
