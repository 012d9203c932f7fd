package manager

import (
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// New returns a standalone manager with room for rows components, on objects 0 to objects-1. The
// error wraps [ErrCount] or [ErrMemory].
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

// Size returns the number of bytes that a standalone manager needs. The error wraps [ErrCount] or
// [ErrMemory].
func Size(kind layout.Kind, rows, objects int) (int, error) {
	if err := checkCount(kind.String(), rows); err != nil {
		return 0, err
	}
	if err := checkCount("game object", objects); err != nil {
		return 0, err
	}
	s := newSurvey(objects, 0)
	s.all(worldParts, partOwner{})
	s.add(&Part{Unit: 8, per: perBlock}, partOwner{})
	s.kind(kind.Count(rows), 0)
	return s.total(kind.String())
}

// View returns a manager over b, which holds [Size] bytes or more and starts on a multiple of
// [buffer.Align]. It writes nothing: zeroed bytes are an empty manager on which [Manager.Fill] is
// still to be called, and bytes of another manager of the same sizes are shared with it. The error
// wraps [ErrCount], or [ErrBytes] if b is too short.
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

// liveObjects returns a registry of n objects, all alive.
func liveObjects(n int) *gameobject.Registry {
	blocks := (n + 63) / 64
	r := gameobject.New(gameobject.Views{
		Count: &gameobject.Counters{}, Generations: make([]uint32, n), Next: make([]uint32, n),
		Alive: make([]uint64, blocks), Owners: make([]uint16, blocks),
		Groups: make([]gameobject.Group, (blocks+63)/64),
	})
	for range n {
		_, _ = r.Create(0)
	}
	return &r
}

// carveAlone cuts the region of a standalone manager.
func carveAlone(c *buffer.Carver, kind *layout.KindSpec, rows, objects int) *Manager {
	m := &Manager{Kind: kind, Columns: make([]buffer.Column, len(kind.Fields))}
	m.tick, m.ready = buffer.CarveRecord[uint64](c), math.MaxUint32
	m.changes.recipes = new([]recipe)
	m.kinds = kindMask{
		words: buffer.Carve[uint64](c, (objects+63)/64), stride: 1, bit: 1,
	}
	m.Objects = liveObjects(objects)
	m.settledBase = buffer.BaseOf(make([]byte, 8*len(m.Objects.Words())))
	m.carve(c, rows, objects, false)
	return m
}
