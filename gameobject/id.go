package gameobject

import (
	"fmt"
	"strconv"
)

// An ID names a game object (an entity elsewhere): generation<<32 | index. The zero ID is nobody.
type ID uint64

// Nobody is the zero ID. No game object ever has it.
const Nobody ID = 0

// LastGeneration is the last that an index is handed out in: the bit above it is never set in the
// id of an object. A dead index whose generation is beyond it is retired.
const LastGeneration = 1<<31 - 1

// spent is the generation of a retired index.
const spent = LastGeneration + 1

// MakeID returns the id of an index in its generation.
func MakeID(index, generation uint32) ID { return ID(generation)<<32 | ID(index) }

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
