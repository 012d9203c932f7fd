package gameobject

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
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

// recorded is the bit of a generation that no object ever has: ids of creations that are recorded
// and not carried out yet bear it.
const recorded = 1 << 31

// MakeRecorded returns the id of a creation that was recorded, by its number among those of an
// origin: 0, or the number of a task from 1.
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

// String returns the index, with the generation from the second on: "7", "7v3"; the number of a
// recorded creation and its origin, "7r0"; or "nobody".
// [ParseID] reads it.
func (id ID) String() string {
	b, _ := id.AppendText(nil)
	return string(b)
}

// AppendText appends what String returns. The error is nil.
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

// MarshalText returns what String returns, for JSON, logs and flags. The error is nil.
func (id ID) MarshalText() ([]byte, error) { return id.AppendText(nil) }

// UnmarshalText is [ParseID].
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

// Format prints what String returns for the verbs %v, %s and %q, and the number for all others, and
// for %#v.
func (id ID) Format(f fmt.State, verb rune) {
	format := fmt.FormatString(f, verb)
	if (verb == 'v' || verb == 's' || verb == 'q') && !f.Flag('#') {
		_, _ = fmt.Fprintf(f, format, id.String())
		return
	}
	_, _ = fmt.Fprintf(f, format, uint64(id))
}

const nobody = "nobody"

// ParseID returns the id that String tells: "7", "7v3", "7r0", "nobody". The error wraps
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
		return Nobody, fmt.Errorf("flatecs: %.40q is no id; give an index, as 7, from the "+
			"second generation on with that, as 7v3, or nobody: %w", text, errors.Unwrap(err))
	}
	return MakeID(uint32(index), uint32(generation+added)), nil
}
