package manager

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// NewArena allocates a world. The error wraps [ErrCount], [ErrKinds], [ErrKindTwice] or
// [ErrMemory].
func NewArena(sizes Sizes) (*Arena, error) {
	a := &Arena{sizes: sizes}
	if err := a.register(); err != nil {
		return nil, err
	}
	s := newSurvey(sizes.Objects, sizes.Pools)
	s.world(a)
	size, err := s.total("world")
	if err != nil {
		return nil, a.tooLarge(int(min(s.size, math.MaxInt)))
	}
	memory, ok := buffer.Reserve(size, int(s.counted))
	if !ok {
		return nil, a.tooLarge(size)
	}
	a.enlist()
	a.view(memory)
	a.begin()
	a.settleIn()
	return a, nil
}

// register checks the counts and gives each kind its place.
func (a *Arena) register() error {
	if n := max(len(a.sizes.Kinds), a.sizes.Pools); n > maxKinds {
		return &Error{ErrKinds, "", 0, n}
	}
	names := make(map[string]bool, len(a.sizes.Kinds))
	for i, n := range a.sizes.Kinds {
		spec := declared(n.Kind.Spec())
		if err := checkCount(spec.Name, n.Rows); err != nil {
			return err
		}
		if names[spec.Name] {
			return &Error{ErrKindTwice, spec.Name, 0, n.Rows}
		}
		names[spec.Name] = true
		if more := int(spec.Number) + 1 - len(a.slots); more > 0 {
			a.slots = append(a.slots, make([]uint16, more)...)
		}
		a.slots[spec.Number] = uint16(i + 1)
	}
	return checkCount("game object", a.sizes.Objects) // last: it may be the largest of those above
}

// tooLarge refuses a world of size bytes.
func (a *Arena) tooLarge(size int) error {
	err, kinds := &Error{ErrMemory, "world", 0, size}, 0
	for _, n := range a.sizes.Kinds {
		if n.Free {
			kinds++
		}
	}
	if kinds == 0 {
		return err
	}
	return fmt.Errorf("%w It has room for %d game objects in each of %d kinds without a count; "+
		"set Counts.GameObjects, or count the kinds", err, a.sizes.Objects, kinds)
}

// Free gives the bytes back. Views of them may not be used again.
func (a *Arena) Free() { a.memory.Free() }

// Sizes returns what a was made with.
func (a *Arena) Sizes() Sizes { return a.sizes }

// New returns a manager of its own bytes, with room for rows components on objects 0 to objects-1.
// The error wraps [ErrCount] or [ErrMemory].
func New(kind layout.Kind, rows, objects int) (*Manager, error) {
	size, err := Size(kind, rows, objects)
	if err != nil {
		return nil, err
	}
	b, ok := buffer.New(size)
	if !ok {
		return nil, &Error{ErrMemory, kind.String(), 0, size}
	}
	m := carveAlone(&buffer.Carver{Bytes: b}, kind.Spec(), rows, objects)
	m.makeValues()
	m.Fill()
	return m, nil
}

// Size returns the bytes that a manager needs. The error wraps [ErrCount] or [ErrMemory].
func Size(kind layout.Kind, rows, objects int) (int, error) {
	if err := checkCount(kind.String(), rows); err != nil {
		return 0, err
	}
	if err := checkCount("game object", objects); err != nil {
		return 0, err
	}
	s := newSurvey(objects, 0)
	s.all(worldParts, owner{})
	s.add(&Part{Unit: 8, per: perBlock}, owner{})
	s.kind(kind.Count(rows), 0)
	return s.total(kind.String())
}

// View returns a manager over bytes that are handed in, [Size] of them on a multiple of
// [buffer.Align]. It only looks at them: zeros are an empty manager that [Manager.Fill] was not
// called on, and bytes that another manager of the same sizes writes are shared with it. The error
// wraps [ErrCount], or [ErrBytes] when they are too few.
func View(b []byte, kind layout.Kind, rows, objects int) (*Manager, error) {
	size, err := Size(kind, rows, objects)
	if err != nil {
		return nil, err
	}
	if len(b) < size {
		return nil, &Error{ErrBytes, kind.String(), 0, len(b)}
	}
	m := carveAlone(&buffer.Carver{Bytes: b}, kind.Spec(), rows, objects)
	m.makeValues()
	return m, nil
}

// carveAlone cuts the region of a manager that is in no world.
func carveAlone(c *buffer.Carver, kind *layout.KindSpec, rows, objects int) *Manager {
	m := &Manager{Kind: kind, Columns: make([]buffer.Column, len(kind.Fields))}
	m.tick, m.ready = buffer.CarveRecord[uint64](c), math.MaxUint32
	m.kinds = kindMask{buffer.Carve[uint64](c, (objects+63)/64), 1, 0, 1}
	m.carve(c, rows, objects)
	return m
}
