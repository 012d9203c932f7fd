package howto_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/list"
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

// Lists in components

type Stack struct{ Sort, Count uint32 }

var (
	Bag     = layout.NewList[Stack]("bag")
	looting = world.NewQuery(world.Write(Bag))
)

// Give puts items on the stack of their sort in a bag, or on a new one.
func Give(s world.State, who world.GameObject, sort, count uint32) (world.State, error) {
	bag, err := list.Of(s, who, Bag)
	if err != nil {
		return s, err
	}
	for i := range bag {
		if bag[i].Sort == sort {
			return list.SetAt(s, who, Bag, i, Stack{sort, bag[i].Count + count})
		}
	}
	return list.Append(s, who, Bag, Stack{sort, count})
}

// Sift takes empty stacks out of all bags, in place.
func Sift(s world.State) world.State {
	for b := range looting.In(s) {
		bags := list.Column(b, Bag)
		for i := range bags.Len() {
			left := slices.DeleteFunc(bags.At(i), func(x Stack) bool { return x.Count == 0 })
			bags.Cut(i, len(left))
		}
	}
	return s
}

func TestBags(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Bag)}))
	s, who := world.Must2(world.CreateWith(s, Bag))
	for sort := range uint32(20) {
		s = world.Must(Give(s, who, sort%7, sort%2))
	}
	assert.Len(t, world.Must(list.Of(s, who, Bag)), 7)
	s = Sift(s)
	assert.Equal(t, []Stack{{0, 1}, {1, 2}, {2, 1}, {3, 2}, {4, 1}, {5, 2}, {6, 1}},
		world.Must(list.Of(s, who, Bag)))
	s = world.Must(list.SetAt(s, who, Bag, 2, Stack{2, 0}))
	s = Sift(s)
	assert.Len(t, world.Must(list.Of(s, who, Bag)), 6)
	assert.NoError(t, tool.Verify(s))
}

// Order and lookup

type Square uint8 // 8 × row + column

var (
	On    = layout.NewComponent[Square]("on")
	Haste = layout.NewComponent[int32]("haste") // the fastest acts first

	bySquare = index.New(On)
	byHaste  = index.New(Haste)
	acting   = world.NewQuery(world.Read(Haste), world.Without(Stunned))
)

// Take moves a piece to a square, and disposes the piece there.
func Take(s world.State, piece world.GameObject, to Square) (world.State, error) {
	if taken, ok := bySquare.One(s, to); ok && taken != piece {
		s = world.Must(world.Dispose(s, taken))
	}
	return world.Set(s, piece, On, to)
}

// Turns appends the objects that act in the order of their turns: the fastest last.
func Turns(dst []world.GameObject, s world.State) []world.GameObject {
	for b := range byHaste.Sorted(s, acting) {
		dst = b.AppendIDs(dst)
	}
	return dst
}

var Stunned = layout.NewMark("stunned piece")

func Example_orderAndLookup() {
	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(On, Haste, Stunned)})
	check(err)
	var pieces []world.GameObject
	for i, speed := range []int32{5, 9, 2, 5} {
		next, id := world.Must2(world.CreateWith(state, On, Haste))
		next = world.Must(world.Set(next, id, On, Square(i)))
		state, pieces = world.Must(world.Set(next, id, Haste, speed)), append(pieces, id)
	}
	fmt.Println(Turns(nil, state))
	state, err = Take(state, pieces[1], 2)
	check(err)
	state, err = world.Add(state, pieces[3], Stunned)
	check(err)
	fmt.Println(Turns(nil, state))
	world.Close(state)
	// Output:
	// [2 0 3 1]
	// [0 1]
}

// Disabled objects

var (
	awake   = world.NewQuery(world.With(Offset))
	resting = world.NewQuery(world.With(Offset, layout.Disabled))
	both    = world.NewQuery(world.With(Offset), world.Optional(layout.Disabled))
)

func Example_disabledObjects() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(layout.Disabled), Recipes: []world.Recipe{Body, Limb},
	})
	check(err)
	state, robot, err := family.Spawn(state, family.Tree{Recipe: Body, Children: []family.Tree{
		{Recipe: Limb}, {Recipe: Limb},
	}})
	check(err)
	state, err = world.Add(state, robot, layout.Disabled) // and its limbs
	check(err)
	fmt.Println(awake.Count(state), resting.Count(state), both.Count(state))
	state, err = world.Remove(state, robot, layout.Disabled)
	check(err)
	fmt.Println(awake.Count(state), resting.Count(state), both.Count(state))
	world.Close(state)
	// Output:
	// 0 3 3
	// 3 0 3
}
