package peers

import "github.com/flatecs/flatecs/bench/harness"

// Kinds is a set of kinds that an object has.
type Kinds uint16

// The kinds of the suite. Each is two float64, but Mark, which is a tag.
const (
	Position Kinds = 1 << iota
	Velocity
	C1 // the first of ten further ones
	C2
	C3
	C4
	C5
	C6
	C7
	C8
	C9
	C10
	Mark

	both = Position | Velocity
	ten  = C1 | C2 | C3 | C4 | C5 | C6 | C7 | C8 | C9 | C10
)

const kindCount = 13

// Has says whether k has all of what.
func (k Kinds) Has(what Kinds) bool { return k&what == what }

// A Pair is what a component of the suite holds.
type Pair struct{ X, Y float64 }

// velocity is that of the i-th object of a world.
func velocity(i int) Pair { return Pair{float64(i%8) / 2, 1} }

// A Result is what a world has come to: the Count of the objects that the work is about, and the
// Sum over x + 2y of all positions, or over what was read.
type Result = harness.Result

// A World is one library's world. Who has which methods, the cases say that it takes part in.
type World interface {
	// Spawn creates the i-th object, which has velocity(i) if it has one.
	Spawn(kinds Kinds, i int)
	// Replace deletes the i-th object and spawns another as the i-th.
	Replace(kinds Kinds, i int)
	// Move adds the velocity of each object that has one to its position.
	Move()
	// Positions counts the objects with a position, and sums these up.
	Positions() Result

	// Create creates n objects with the same kinds and the zero values, the fastest way.
	Create(n int, kinds Kinds)
	// Delete deletes every object.
	Delete()
	// Live counts the objects.
	Live() int

	// Shuffle puts the ids of all objects that were spawned or created in the order.
	Shuffle(order []int)
	// Read sums up the x of the position of each object, in the order of the ids.
	Read() float64
	// Write adds 1 to the x of the position of each object, in the order of the ids.
	Write()
	// Add adds a velocity to every object, in the order of the ids.
	Add()
	// Remove removes the velocity of every object.
	Remove()
	// Movers counts the objects with both.
	Movers() int

	// Choose says by their numbers which objects are marked.
	Choose(objects []int)
	// Mark puts the mark on them.
	Mark()
	// Unmark takes it away from them.
	Unmark()
	// MoveUnmarked does what Move does, but for the objects with the mark.
	MoveUnmarked()

	// Make makes another world: just the world, without what else a program keeps.
	Make()
	// Forget drops ids that the library itself does not need.
	Forget()
	// Close gives memory back.
	Close()
}

// A Cleaner has a faster way to delete every object than Delete, for what is not timed.
type Cleaner interface {
	// Clear deletes every object.
	Clear()
}

// A Copier is a world that can be copied.
type Copier interface {
	World
	Bytes() []byte
	Clone()
}

// Room says what a world has to have room for.
type Room struct {
	Objects int
	Kinds   Kinds         // of all objects together
	Sorts   []Kinds       // of objects, each a set of kinds that many have
	Of      map[Kinds]int // objects that have a kind, where the room is exact
}

// A bare is a world without ids that is left to the collector. The World in it is nil: what a
// contender does not do panics.
type bare struct{ World }

func (bare) Close()  {}
func (bare) Forget() {}

// A held is what a program has of its objects: their ids, in the order in which it changes them.
type held[ID any] struct {
	bare
	ids    []ID
	chosen []ID
	spawn  func(kinds Kinds, i int) ID
	remove func(ID)
	made   any // the last by Make
}

func hold[ID any](room Room, spawn func(Kinds, int) ID, remove func(ID)) held[ID] {
	return held[ID]{ids: make([]ID, 0, room.Objects), spawn: spawn, remove: remove}
}

func (h *held[ID]) Spawn(kinds Kinds, i int) { h.ids = append(h.ids, h.spawn(kinds, i)) }

func (h *held[ID]) Replace(kinds Kinds, i int) {
	h.remove(h.ids[i])
	h.ids[i] = h.spawn(kinds, i)
}

func (h *held[ID]) Shuffle(order []int)  { h.ids = inOrder(h.ids, order) }
func (h *held[ID]) Choose(objects []int) { h.chosen = inOrder(h.ids, objects) }
func (h *held[ID]) Forget()              { h.ids = nil }

func inOrder[ID any](ids []ID, order []int) []ID {
	some := make([]ID, len(order))
	for i, from := range order {
		some[i] = ids[from]
	}
	return some
}

// among returns those of some things, one for each kind, whose kind is in a set.
func among[T any](set Kinds, of [kindCount]T) (some []T) {
	for i, one := range of {
		if set.Has(1 << i) {
			some = append(some, one)
		}
	}
	return some
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
