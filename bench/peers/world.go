package peers

import (
	"slices"

	"github.com/flatecs/flatecs/bench/harness"
)

// Kinds is a set of kinds that an object has.
type Kinds uint16

// The kinds of the suite. Each is two float64.
const (
	Position Kinds = 1 << iota
	Velocity
	C1 // the first of ten further ones

	kindCount = 12
	both      = Position | Velocity
	ten       = Kinds(1<<kindCount) - C1
)

// Has says whether k has all of what.
func (k Kinds) Has(what Kinds) bool { return k&what == what }

// A Pair is what a component of the suite holds.
type Pair struct{ X, Y float64 }

// A component per kind, as types: libraries other than this one tell kinds apart by their Go type.
type (
	position Pair
	speed    Pair
	c1       Pair
	c2       Pair
	c3       Pair
	c4       Pair
	c5       Pair
	c6       Pair
	c7       Pair
	c8       Pair
	c9       Pair
	c10      Pair
)

// velocity is that of the i-th object of a world.
func velocity(i int) Pair { return Pair{float64(i%8) / 2, 1} }

// A Result is what a world has come to: the Count of the objects that the work is about, and the
// Sum over x + 2y of all positions, or over what was read.
type Result = harness.Result

func addPosition(r *Result, p position) { r.Count, r.Sum = r.Count+1, r.Sum+p.X+2*p.Y }

// A World is one library's world. Who has which methods, the cases say that it takes part in.
type World interface {
	Spawn(kinds Kinds, i int) // creates the i-th object, with velocity(i) if it has one
	Move()                    // adds the velocity of each object that has one to its position
	Positions() Result        // counts the objects with a position, and sums these up

	Create(n int, kinds Kinds) // creates objects with zero values, the fastest way
	Delete()                   // deletes every object
	Clear()                    // the same where it is not timed, as fast as it goes
	Live() int                 // counts the objects

	Shuffle(order []int) // puts the ids of all objects that were created in the order

	// In the order of the ids:
	Read() float64 // sums up the x of positions
	Add()          // adds a velocity to every object
	Remove()       // removes it
	Movers() int   // counts the objects with both

	Forget() // drops ids that the library itself does not need
	Close()  // gives memory back
}

// Room says what a world has to have room for.
type Room struct {
	Objects int
	Sorts   []Kinds       // of objects, each a set of kinds that many have
	Of      map[Kinds]int // objects that have a kind
}

// A bare is a world without ids that is left to the collector. The World in it is nil: what a
// contender does not do panics.
type bare struct{ World }

func (bare) Close()  {}
func (bare) Forget() {}

// A held is a program's list of its objects: their ids, in the order in which it changes them.
type held[ID any] struct {
	bare
	ids   []ID
	spawn func(kinds Kinds, i int) ID
}

func hold[ID any](room Room, spawn func(Kinds, int) ID) held[ID] {
	return held[ID]{ids: make([]ID, 0, room.Objects), spawn: spawn}
}

func (h *held[ID]) Spawn(kinds Kinds, i int) { h.ids = append(h.ids, h.spawn(kinds, i)) }
func (h *held[ID]) Forget()                  { h.ids = nil }

func (h *held[ID]) Shuffle(order []int) {
	ids := make([]ID, len(order))
	for i, from := range order {
		ids[i] = h.ids[from]
	}
	h.ids = ids
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

// makers make the worlds of contenders: libraries, each used in one way or several.
var makers = map[string]func(Room) World{
	"flatecs":                newFlat(false),
	"flatecs as README":      newFlat(true),
	"Ark":                    newArk(arkWay{}),
	"Ark tables":             newArk(arkWay{tables: true}),
	"Ark tables, registered": newArk(arkWay{tables: true, cached: true}),
	"uot":                    newUot,

	"kernel alone": newColumns,
	"slices":       func(Room) World { return new(shelf) },
}

// singles are the libraries, each used in its ordinary way.
var singles = []string{"flatecs", "flatecs as README", "Ark", "uot"}

// with returns the libraries and some more.
func with(more ...string) []string { return slices.Concat(singles, more) }
