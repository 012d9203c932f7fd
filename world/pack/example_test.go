package pack_test

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
)

var (
	Place  = layout.NewComponent[[2]float32]("place")
	Leader = layout.NewComponent[world.GameObject]("leader")
)

// squad is a world with a captain and a soldier who follows the captain.
func squad() (state world.State, captain, soldier world.GameObject) {
	state = world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Kinds: layout.Kinds(Place, Leader), Names: 10, Globals: 10,
	}))
	state, captain, _ = world.CreateWith(state, Place)
	state = world.Must(world.SetName(state, captain, "captain"))
	state, soldier, _ = world.CreateWith(state, Place, Leader)
	state = world.Must(world.Set(state, soldier, Leader, captain))
	return state, captain, soldier
}

// Copy and paste: references among the copied objects lead to the copies.
func Example_paste() {
	state, captain, soldier := squad()
	clipboard, err := pack.Pack(nil, state, captain, soldier)
	if err != nil {
		panic(err)
	}

	state, copies, err := pack.Unpack(state, clipboard)
	if err != nil {
		panic(err)
	}
	leader, _ := world.Get(state, copies[1], Leader)
	name, _ := world.NameOf(state, leader)
	fmt.Println(world.Len(state), "objects;", name, leader == copies[0], leader == captain)
	// Output: 4 objects; captain true false
}

// Undo: an object is packed before its disposal. Unpacked, it has a new id, and its global id
// identifies it. It refers to the same object as before, because its world is the same.
func Example_undo() {
	state, captain, soldier := squad()
	state = world.Must(pack.SetGlobal(state, captain, 1))
	state = world.Must(pack.SetGlobal(state, soldier, 2))

	p := pack.Packer{Find: pack.SameID}
	undo, err := p.Pack(nil, state, soldier)
	if err != nil {
		panic(err)
	}
	state = world.Must(world.Dispose(state, soldier))
	_, there := pack.ByGlobal(state, 2)
	fmt.Println("disposed:", !there)

	state, _, err = p.Unpack(nil, state, undo)
	if err != nil {
		panic(err)
	}
	again, _ := pack.ByGlobal(state, 2)
	leader, _ := world.Get(state, again, Leader)
	fmt.Println("back, and follows the captain:", leader == captain, again == soldier)
	// Output:
	// disposed: true
	// back, and follows the captain: true false
}

// A prefab is a pack that is kept, and unpacked as often as needed. WithoutGlobals makes further
// objects of one that has a global id.
func Example_prefab() {
	state, captain, soldier := squad()
	state = world.Must(pack.SetGlobal(state, captain, 1))
	prefab, err := pack.Pack(nil, state, captain, soldier)
	if err != nil {
		panic(err)
	}

	p := pack.Packer{WithoutGlobals: true}
	var copies []world.GameObject
	for range 3 {
		state, copies, err = p.Unpack(copies, state, prefab)
		if err != nil {
			panic(err)
		}
	}
	_, _, err = pack.Unpack(state, prefab)
	fmt.Println(len(copies), errors.Is(err, pack.ErrTaken))
	// Output: 6 true
}

// Objects move from one world to another, together with the objects they refer to. The digest of
// all of them stays the same.
func Example_travel() {
	here, captain, soldier := squad()
	here = world.Must(pack.SetGlobal(here, captain, 1))
	there := world.Must(world.CreateState(world.CountsOf(here)))
	here, _, _ = world.CreateWith(here, Place) // stays here
	all := world.NewQuery()
	before, _ := pack.DigestObjects(here, all)

	b, err := pack.Pack(nil, here, captain, soldier)
	if err != nil {
		panic(err)
	}
	there, moved, err := pack.Unpack(there, b)
	if err != nil {
		panic(err)
	}
	here = world.Must(world.Dispose(here, captain, soldier))

	x, _ := pack.DigestObjects(here, all)
	y, _ := pack.DigestObjects(there, all)
	fmt.Println(world.Len(here), world.Len(there), x+y == before)
	leader, _ := world.Get(there, moved[1], Leader)
	fmt.Println(world.NameOf(there, leader))
	// Output:
	// 1 2 true
	// captain <nil>
}

func ExampleNextGlobal() {
	state, captain, _ := squad()
	state = world.Must(pack.SetGlobal(state, captain, 1))
	for range 2 {
		next, child, err := world.CreateWith(state, Place)
		if err != nil {
			panic(err)
		}
		next, global, err := pack.NextGlobal(next, captain)
		if err != nil {
			panic(err)
		}
		state = world.Must(pack.SetGlobal(next, child, global))
		fmt.Println(global)
	}
	// Output:
	// 8614008028692990056
	// 2794229092060303646
}
