package tool

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// ErrUnapplied is the error of a world with recorded commands, which are not in its bytes yet.
var ErrUnapplied = errors.New("commands are recorded and not applied")

// A Part is a part of a world's bytes, with a description of its contents.
type Part = manager.Part

// A Difference describes the first difference between two worlds.
type Difference = manager.Difference

// Parts returns the parts of the world's bytes, in order: for each kind first its truth, which
// decides the future, then the derived parts. [Used] returns the used bytes of a part. Parts belong
// to the world: do not change them.
func Parts(s systems.State) []Part { return systems.ArenaOf(s).Parts() }

// Used returns the used bytes of a part, in place. The bytes behind them are zero; in a column of a
// counted kind they are the defaults.
func Used(s systems.State, p *Part) []byte {
	if p == nil {
		panic("flatecs: a nil *Part; pass one of Parts")
	}
	return systems.ArenaOf(s).Used(p)
}

// Walking reports whether the structure must not change now: in a walk, or in a task.
func Walking(s systems.State) bool { return systems.ToolsOf(s).Walking() }

// Settled returns nil if a world's bytes are its complete state: no walk is open, which may have
// copied rows, and no commands wait to be applied. The error wraps [systems.ErrWalking] or
// [ErrUnapplied].
func Settled(s systems.State) error {
	t := systems.ToolsOf(s)
	if t.Walking() {
		return systems.ErrWalking
	}
	if n := t.Unapplied(); n != 0 {
		return fmt.Errorf("flatecs: %d %w; call Apply first", n, ErrUnapplied)
	}
	return nil
}

// Verify compares all derived data in the world's bytes, such as the free rows, with the truth, and
// checks names and the references of relations. It returns an error that names the first
// inconsistency. It is slow and allocates; it is for tests, tools and loaded bytes.
func Verify(s systems.State) error { return systems.ToolsOf(s).Verify() }

// FirstDifference returns the first difference between two worlds of the same counts, if any. It
// compares the live objects, then the kinds of each object, then values, then the ticks of each
// kind's last write, and last the state that only affects the future, such as free lists. Worlds
// that are [systems.Equal] do not differ. A damaged world, with a counter that exceeds its room,
// differs from every other world. The error wraps [systems.ErrOther].
func FirstDifference(a, b systems.State) (_ Difference, differ bool, err error) {
	x, y := systems.ArenaOf(a), systems.ArenaOf(b)
	if !x.Like(y) {
		return Difference{}, false, fmt.Errorf("flatecs: compare: %w; Resized brings one to those "+
			"of the other", systems.ErrOther)
	}
	d, differ := x.FirstDifference(y)
	return d, differ, nil
}

// CheckCounters returns nil if no counter of the world exceeds its room, so that reading the used
// bytes stays in the world's bytes. The error names the counter.
func CheckCounters(s systems.State) error { return systems.ArenaOf(s).CheckCounters() }

// Bytes returns n zeroed bytes of Go's heap, aligned for a world, or nil if n is negative or more
// than [Memory].
func Bytes(n int) []byte {
	if n < 0 {
		return nil
	}
	b, _ := buffer.New(n)
	return b
}

// Reserve is [Bytes] in a separate range of addresses, if n is more than 4 MB. Call free to release
// the bytes, and do not use them afterwards. b is nil if there are not enough addresses.
func Reserve(n int) (b []byte, free func()) {
	if n >= 0 {
		if r, ok := buffer.Reserve(n, n); ok {
			r.Use(0, n, n)
			return r.Bytes, r.Free
		}
	}
	return nil, func() {}
}

// Words views b as words of eight bytes, in place, for package sync/atomic; it omits up to seven
// bytes at the end. It panics if b is not aligned to 8 bytes.
func Words(b []byte) []uint64 {
	return buffer.Carve[uint64](&buffer.Carver{Bytes: b}, len(b)/8)
}
