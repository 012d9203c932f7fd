package kin

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/index"
)

// A World holds all relations of a world. A nil World has none.
type World struct {
	a        *manager.Arena
	lists    []*Lists
	memory   *buffer.Range
	cascades int              // relations that dispose objects with others
	disabled *manager.Manager // the mark, if a relation disables objects with others; or nil

	doomed []uint64 // a bit per object: Apply disposes it last
	dying  []uint64 // a bit per object: queued, usually to be disposed
	queue  []uint32 // these objects, in the order in which they were found
	blocks []uint32 // the blocks of the queued objects
	root   []uint32 // per entry of queue: the root with which it is disposed; or its copy
	place  []uint32 // per object: its place in queue, for copies
	roots  []Root   // see Dispose
}

// New returns the relations of a world, or nil if it has none. Their memory is reserved, and used
// as far as objects are in use. The error wraps manager.ErrMemory.
func New(a *manager.Arena) (*World, error) {
	w := &World{a: a}
	for i := range a.Managers {
		m := &a.Managers[i]
		if r := m.Kind.Relation; r != nil {
			w.lists = append(w.lists, newLists(r, m))
			if r.Disposed == layout.Cascade {
				w.cascades++
			}
			if r.Disables {
				w.disabled = a.Find(layout.Disabled.Spec())
			}
		}
	}
	if len(w.lists) == 0 {
		return nil, nil //nolint:nilnil // nil is a World without relations
	}
	var bytes int64
	if w.memory, bytes = index.Reserve(w.carve); w.memory == nil {
		return nil, a.TooLarge("relations", bytes)
	}
	return w, nil
}

// carve cuts the memory of a world.
func (w *World) carve(c *index.Cutter) {
	n := w.a.Objects.Cap()
	for _, l := range w.lists {
		if l.Carve(c, n); l.Tree {
			l.levels.carve(c, n)
		}
	}
	blocks := (n + 63) / 64
	w.doomed, w.dying = index.Cut[uint64](c, blocks), index.Cut[uint64](c, blocks)
	w.queue, w.root = index.Cut[uint32](c, n)[:0], index.Cut[uint32](c, n)
	w.place, w.blocks = index.Cut[uint32](c, n), index.Cut[uint32](c, blocks)[:0]
}

// Free releases the memory.
func (w *World) Free() {
	if w != nil {
		w.memory.Free()
	}
}

// Of returns the lists of a relation, or nil.
func (w *World) Of(r *layout.RelationSpec) *Lists {
	if w == nil {
		return nil
	}
	for _, l := range w.lists {
		if l.RelationSpec == r {
			return l
		}
	}
	return nil
}

// All yields the lists of all relations.
func (w *World) All(yield func(*Lists) bool) {
	for _, l := range w.lists {
		if !yield(l) {
			return
		}
	}
}

// Referring returns the objects with a target, or nil if the world does not have the relation.
func (w *World) Referring(r *layout.RelationSpec) manager.Held {
	if l := w.Of(r); l != nil {
		return l
	}
	return nil
}

// Unreferring returns the objects without a target, with or without the component, or nil if the
// world does not have the relation.
func (w *World) Unreferring(r *layout.RelationSpec) manager.Held {
	if l := w.Of(r); l != nil {
		return unheld{l}
	}
	return nil
}

// An unheld is the set of objects without a target.
type unheld struct{ l *Lists }

// Hold updates the results of Held.
func (u unheld) Hold() { u.l.Hold() }

// Held returns the objects of a block, and perhaps some that are not alive.
func (u unheld) Held(block uint32) uint64 { return ^u.l.Held(block) }

// Verify checks relations: every reference is nobody, a live object, or a creation that is kept for
// the next Apply, and trees have no rings. It uses no derived data.
func (w *World) Verify(kept func(gameobject.ID) bool) error {
	if w == nil {
		return nil
	}
	for _, l := range w.lists {
		if err := l.verify(kept); err != nil {
			return fmt.Errorf("flatecs: %w", err)
		}
	}
	return nil
}

func (l *Lists) verify(kept func(gameobject.ID) bool) error {
	for o := range uint32(l.M.Objects.High()) {
		why := ""
		switch id := l.Reference(o); {
		case id == gameobject.Nobody:
		case id.Recorded() && !kept(id):
			why = "which stands for a creation that is not recorded"
		case !id.Recorded() && !l.M.Objects.Alive(id):
			why = "which is dead"
		}
		if why != "" {
			return fmt.Errorf("%s: game object %v refers to %v, %s",
				layout.Quoted(l.M.Kind.Name), l.M.Objects.At(o), l.Reference(o), why)
		}
	}
	if at, ok := l.findRing(); ok {
		return fmt.Errorf("%s: %w", l.ring(at, l.Reference(at).Index()), ErrRing)
	}
	return nil
}

// findRing returns an object of a ring of a tree, if there is one.
func (l *Lists) findRing() (object uint32, ok bool) {
	if !l.Tree {
		return 0, false
	}
	l.levels.Lock.Lock()
	defer l.levels.Lock.Unlock()
	return FindRing(l.levels.depth[:l.M.Objects.High()], func(o uint32) (uint32, bool) {
		id := l.Reference(o)
		return id.Index(), id != gameobject.Nobody && !id.Recorded()
	})
}
