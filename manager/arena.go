package manager

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// NewArena allocates a world. The error wraps [ErrCount], [ErrKinds], [ErrKindTwice] or
// [ErrMemory].
func NewArena(sizes Sizes) (*Arena, error) { return created(reserved(sizes, true)) }

// Unwritten returns a world that reserves addresses and commits no memory: use it for its parts and
// kinds, then free it. It returns the errors of [NewArena].
func Unwritten(sizes Sizes) (*Arena, error) { return reserved(sizes, false) }

// ArenaIn is [NewArena] in the caller's bytes, which must be zeroed and aligned to [buffer.Align].
// [Arena.Free] leaves them as they are. Besides the errors of [NewArena] it may return [ErrBytes].
func ArenaIn(sizes Sizes, b []byte) (*Arena, error) { return created(ArenaOver(sizes, b)) }

// ArenaOver returns a view of the bytes of a world of the same sizes. It copies and writes nothing,
// and reads only what later calls ask for. It returns the errors of [ArenaIn].
func ArenaOver(sizes Sizes, b []byte) (*Arena, error) {
	a, size, _, err := measured(sizes)
	if err != nil {
		return nil, err
	}
	memory, ok := buffer.Over(b, size)
	if !ok {
		return nil, &Error{ErrBytes, "world", 0, len(b)}
	}
	viewArena(a, memory)
	return a, nil
}

// reserved returns a view of reserved memory. Set write if its counted kinds are written next.
func reserved(sizes Sizes, write bool) (*Arena, error) {
	a, size, counted, err := measured(sizes)
	if err != nil {
		return nil, err
	}
	if !write {
		counted = 0
	}
	memory, ok := buffer.Reserve(size, counted)
	if !ok {
		return nil, a.TooLarge("world", int64(size))
	}
	viewArena(a, memory)
	return a, nil
}

// created makes a new world of a view of zeroed memory.
func created(a *Arena, err error) (*Arena, error) {
	if err != nil {
		return nil, err
	}
	begin(a)
	settleIn(a)
	return a, nil
}

// measured returns an arena without bytes, the bytes it needs, and the bytes of its counted kinds.
func measured(sizes Sizes) (a *Arena, size, counted int, err error) {
	a = &Arena{sizes: sizes}
	if err := register(a); err != nil {
		return nil, 0, 0, err
	}
	s := newSurvey(sizes.Objects, sizes.Pools)
	s.world(a)
	if s.size > min(buffer.MaxSize, math.MaxInt) {
		return nil, 0, 0, a.TooLarge("world", s.size)
	}
	return a, int(s.size), int(s.counted), nil
}

// register checks the counts and gives each kind its slot.
func register(a *Arena) error {
	if n := max(len(a.sizes.Kinds), a.sizes.Pools); n > maxKinds {
		return &Error{ErrKinds, "", 0, n}
	}
	names := make(map[string]*layout.KindSpec, len(a.sizes.Kinds))
	for _, n := range a.sizes.Kinds {
		spec := declared(n.Kind.Spec())
		if err := checkCount(spec.Name, n.Rows); err != nil {
			return err
		}
		switch before := names[spec.Name]; before {
		case nil:
			names[spec.Name] = spec
		case spec:
			return &Error{ErrKindTwice, spec.Name, 0, n.Rows}
		default:
			return ClashOf(before, spec)
		}
	}
	return checkCount("game object", a.sizes.Objects) // last: an error above names a kind
}

// TooLarge returns an error that wraps [ErrMemory]: a part of a world needs size bytes. The error
// says so if kinds without counts cause part of the size.
func (a *Arena) TooLarge(what string, size int64) error {
	err, kinds := &Error{ErrMemory, what, 0, int(min(size, math.MaxInt))}, 0
	for _, n := range a.sizes.Kinds {
		if n.Free {
			kinds++
		}
	}
	if kinds == 0 {
		return err
	}
	return fmt.Errorf("%w. It has room for %d game objects in each of %d kinds without a count, "+
		"%d bytes in all; set Counts.GameObjects, or count the kinds",
		err, a.sizes.Objects, kinds, size)
}

// Free releases the memory. Views of it must not be used afterwards.
func (a *Arena) Free() { a.memory.Free() }

// Sizes returns the sizes that a was created with.
func (a *Arena) Sizes() Sizes { return a.sizes }
