package howto_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/index"
)

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
