package gameobject

import (
	"fmt"
	"strconv"
)

// An ID names a game object (an entity elsewhere): generation<<32 | index. The zero ID is nobody.
type ID uint64

// Nobody is the zero ID. No game object ever has it.
const Nobody ID = 0

// MakeID returns the id of an index in its generation.
func MakeID(index, generation uint32) ID { return ID(generation)<<32 | ID(index) }

// recorded is the bit of a generation that no object ever has: ids of creations that are recorded
// and not carried out yet bear it.
const recorded = 1 << 31

// MakeRecorded returns the id of a creation that was recorded, by its number among those of an origin:
// 0, or the number of a task from 1.
func MakeRecorded(number uint32, origin int) ID {
	return MakeID(number, recorded|uint32(origin))
}

// Recorded reports whether id is that of a creation that was recorded. No game object ever has it.
func (id ID) Recorded() bool { return id>>63 != 0 }

// Origin returns who recorded the creation that id, which is Recorded, is of.
func (id ID) Origin() int { return int(id.Generation() &^ recorded) }

// Index returns the place of the object in its world, from 0. It is used again by a later object.
func (id ID) Index() uint32 { return uint32(id) }

// Generation returns how often the index was handed out, from 1.
func (id ID) Generation() uint32 { return uint32(id >> 32) }

// String returns the index.
func (id ID) String() string { return strconv.FormatUint(uint64(id.Index()), 10) }

// Format prints the index, and with the flag + the generation too: "7" and "7 (generation 2)".
func (id ID) Format(f fmt.State, _ rune) {
	if f.Flag('+') {
		_, _ = fmt.Fprintf(f, "%d (generation %d)", id.Index(), id.Generation())
		return
	}
	_, _ = fmt.Fprint(f, id.Index())
}
