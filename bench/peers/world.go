package peers

import (
	"slices"

	"github.com/flatecs/flatecs/bench/harness"
)

// Kinds is the set of kinds of an object.
type Kinds uint16

// The kinds of the suite. Each is two float64.
const (
	Position Kinds = 1 << iota
	Velocity
	C1 // the first of ten further kinds

	kindCount = 12
	both      = Position | Velocity
	ten       = Kinds(1<<kindCount) - C1
)

// Has reports whether k contains all of what.
func (k Kinds) Has(what Kinds) bool { return k&what == what }

// A Pair is the value of a component of the suite.
type Pair struct{ X, Y float64 }

// A type for each kind, because other libraries distinguish kinds by Go type.
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

// velocity returns the velocity of the i-th object.
func velocity(i int) Pair { return Pair{float64(i%8) / 2, 1} }

// A Result is the outcome of work: the Count of its objects, and the Sum of x + 2y over all
// positions, or over the values read.
type Result = harness.Result

func addPosition(r *Result, p position) { r.Count, r.Sum = r.Count+1, r.Sum+p.X+2*p.Y }

// A World is the world of one library. It implements the methods that its cases need.
type World interface {
	Spawn(kinds Kinds, i int) // creates the i-th object, with velocity(i) if it has one
	Move()                    // adds velocities to positions, of objects that have both
	Positions() Result        // counts and sums the positions

	Create(n int, kinds Kinds) // creates objects with zero values, in the fastest way
	Delete()                   // deletes every object
	Clear()                    // deletes every object in the fastest way; not timed
	Live() int                 // counts the objects

	Shuffle(order []int) // sorts the ids of all created objects into an order

	// In the order of the ids:
	Read() float64 // sums the x of positions
	Add()          // adds a velocity to every object
	Remove()       // removes it
	Movers() int   // counts the objects with a position and a velocity

	Forget() // drops ids that only the program needs
	Close()  // releases memory
}

// Room is the required room of a world.
type Room struct {
	Objects int
	Sorts   []Kinds       // sets of kinds of many objects
	Of      map[Kinds]int // objects with each kind
}

// A bare is a world without ids in garbage-collected memory. Its embedded World is nil: methods
// that the contender does not implement panic.
type bare struct{ World }

func (bare) Close()  {}
func (bare) Forget() {}

// A held is a program's list of its objects: their ids, in the order of changes.
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

// among returns the elements of a list, one per kind, whose kinds are in a set.
func among[T any](set Kinds, of [kindCount]T) (some []T) {
	for i, one := range of {
		if set.Has(1 << i) {
			some = append(some, one)
		}
	}
	return some
}

// makers create the worlds of contenders: libraries, each used in one or several ways.
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

// with returns the libraries and further contenders.
func with(more ...string) []string { return slices.Concat(singles, more) }
