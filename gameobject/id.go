package gameobject

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// An ID is the id of a game object (an entity elsewhere): generation<<32 | index. The zero ID is
// nobody.
type ID uint64

// Nobody is the zero ID. It is never the id of a game object.
const Nobody ID = 0

// LastGeneration is the last generation of an index. The bit above it is never set in the id of an
// object. An index beyond it is retired.
const LastGeneration = 1<<31 - 1

// spent is the generation of a retired index.
const spent = LastGeneration + 1

// MakeID returns the id of an index in its generation.
func MakeID(index, generation uint32) ID { return ID(generation)<<32 | ID(index) }

// recorded is the generation bit of the ids of recorded creations. No object has it.
const recorded = 1 << 31

// Members is the origin of ids that stand for the members of a tree until it is spawned. No task
// has this number.
const Members = recorded - 1

// MakeRecorded returns the id of a recorded creation, with its number and origin: 0, or the number
// of a task from 1.
func MakeRecorded(number uint32, origin int) ID {
	return MakeID(number, recorded|uint32(origin))
}

// Recorded reports whether id stands for a recorded creation. No game object has such an id.
func (id ID) Recorded() bool { return id>>63 != 0 }

// Origin returns the origin of a recorded id.
func (id ID) Origin() int { return int(id.Generation() &^ recorded) }

// Index returns the index of the object in its world, from 0. A later object may reuse it.
func (id ID) Index() uint32 { return uint32(id) }

// Generation returns how many times the index was handed out, from 1.
func (id ID) Generation() uint32 { return uint32(id >> 32) }

// String returns the index, with the generation from the second on: "7", "7v3". For a recorded
// creation it returns number and origin, "7r0"; for the zero ID "nobody". [ParseID] is the inverse.
func (id ID) String() string {
	b, _ := id.AppendText(nil)
	return string(b)
}

// AppendText appends the result of String. The error is nil.
func (id ID) AppendText(b []byte) ([]byte, error) {
	if id == Nobody {
		return append(b, nobody...), nil
	}
	b = strconv.AppendUint(b, uint64(id.Index()), 10)
	switch g := id.Generation(); {
	case id.Recorded():
		b = strconv.AppendUint(append(b, 'r'), uint64(id.Origin()), 10)
	case g != 1:
		b = strconv.AppendUint(append(b, 'v'), uint64(g), 10)
	}
	return b, nil
}

// MarshalText returns the result of String, for JSON, logs and flags. The error is nil.
func (id ID) MarshalText() ([]byte, error) { return id.AppendText(nil) }

// UnmarshalText is [ParseID].
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

// Format prints the result of String for %v, %s and %q, and the number for other verbs and %#v.
func (id ID) Format(f fmt.State, verb rune) {
	format := fmt.FormatString(f, verb)
	if (verb == 'v' || verb == 's' || verb == 'q') && !f.Flag('#') {
		_, _ = fmt.Fprintf(f, format, id.String())
		return
	}
	_, _ = fmt.Fprintf(f, format, uint64(id))
}

const nobody = "nobody"

// ParseID parses the result of String: "7", "7v3", "7r0", "nobody". The error wraps
// [strconv.ErrSyntax] or [strconv.ErrRange].
func ParseID(text string) (ID, error) {
	if text == nobody {
		return Nobody, nil
	}
	first, second, later := strings.Cut(text, "v")
	generation, added := uint64(1), uint64(0)
	if !later {
		if first, second, later = strings.Cut(text, "r"); later {
			added = recorded
		}
	}
	index, err := strconv.ParseUint(first, 10, 32)
	if later && err == nil {
		generation, err = strconv.ParseUint(second, 10, 31)
	}
	if err != nil {
		return Nobody, fmt.Errorf("flatecs: %.40q is not an id; give an index such as 7, from the "+
			"second generation on 7v3, or nobody: %w", text, errors.Unwrap(err))
	}
	return MakeID(uint32(index), uint32(generation+added)), nil
}
