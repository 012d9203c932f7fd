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

// A World is one library's world.
type World interface {
	// Spawn creates the i-th object, which has velocity(i) if it has one.
	Spawn(kinds Kinds, i int)
	// Move adds the velocity of each object that has one to its position.
	Move()
	// Positions counts the objects with a position, and sums these up.
	Positions() Result
	// Close gives memory back.
	Close()
}

// A Creator creates and deletes.
type Creator interface {
	World
	// Create creates n objects with the same kinds and the zero values, the fastest way.
	Create(n int, kinds Kinds)
	// Delete deletes every object.
	Delete()
	// Live counts the objects.
	Live() int
}

// A Cleaner has a faster way to delete every object than Delete, for what is not timed.
type Cleaner interface {
	// Clear deletes every object.
	Clear()
}

// A Churner has objects that come and go.
type Churner interface {
	World
	// Replace deletes the i-th object and spawns another as the i-th.
	Replace(kinds Kinds, i int)
}

// An Adder changes the components of objects.
type Adder interface {
	World
	// Add adds a velocity to every object, in the order of the ids.
	Add()
	// Remove removes the velocity of every object.
	Remove()
	// Movers counts the objects with both.
	Movers() int
}

// A Shuffler keeps ids, whose order can be changed.
type Shuffler interface {
	World
	// Shuffle puts the ids of all objects that were spawned or created in the order.
	Shuffle(order []int)
}

// A Reader reads by id.
type Reader interface {
	Shuffler
	// Read sums up the x of the position of each object, in the order of the ids.
	Read() float64
}

// A Writer writes by id.
type Writer interface {
	Shuffler
	// Write adds 1 to the x of the position of each object, in the order of the ids.
	Write()
}

// A Marker knows tags.
type Marker interface {
	World
	// Mark puts the mark on objects by their number.
	Mark(objects []int)
	// Unmark takes it away from them.
	Unmark(objects []int)
	// MoveUnmarked does what Move does, but for the objects with the mark.
	MoveUnmarked()
}

// A Maker makes another world: just the world, without what else a program keeps.
type Maker interface {
	World
	Make()
}

// Room says what a world has to have room for.
type Room struct {
	Objects int
	Kinds   Kinds         // of all objects together
	Sorts   []Kinds       // of objects, each a set of kinds that many have
	Of      map[Kinds]int // objects that have a kind, where the room is exact
}
