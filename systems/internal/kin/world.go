package kin

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A World is all relations of a world. A nil World has none.
type World struct {
	a        *manager.Arena
	lists    []*Lists
	memory   *buffer.Range
	cascades int              // relations by which objects go with others
	disabled *manager.Manager // the mark, if a relation disables objects with others; or nil

	doomed []uint64 // a bit per object: Apply disposes it last
	dying  []uint64 // a bit per object: is queued, most often to be disposed
	queue  []uint32 // these objects, in the order in which they were found
	blocks []uint32 // theirs
	root   []uint32 // per entry of queue: which of the roots it is disposed with; or its copy
	place  []uint32 // per object: its place in queue, for copies
	roots  []Root   // see Dispose
}

// New returns the relations of a world, or nil if it has none. Their memory is reserved, and is
// used as far as objects are. The error wraps manager.ErrMemory.
func New(a *manager.Arena) (*World, error) {
	w := &World{a: a}
	all, n := int64(0), a.Objects.Cap() // all: bytes, which 32 bits may not hold
	for i := range a.Managers {
		m := &a.Managers[i]
		if r := m.Kind.Relation; r != nil {
			l := &Lists{RelationSpec: r, m: m}
			w.lists, all = append(w.lists, l), all+l.size(n)
			if r.Disposed == layout.Cascade {
				w.cascades++
			}
			if r.Disables {
				w.disabled = a.Find(layout.Disabled.Spec())
			}
		}
	}
	if len(w.lists) == 0 {
		return nil, nil //nolint:nilnil // it is a World without relations
	}
	all += (int64(n)+63)/64*20 + 12*int64(n) + 6*buffer.Align
	size := int(min(all, math.MaxInt))
	var ok bool
	if w.memory, ok = buffer.Reserve(size, 0); !ok {
		return nil, a.TooLarge("relations", all)
	}
	w.memory.Open(0, size)
	c := &buffer.Carver{Bytes: w.memory.Bytes}
	for _, l := range w.lists {
		if l.carve(c, n); l.m.MaxIndex() == 0 { // the lists of an empty world are valid
			l.known = l.m.Written + 1
			l.valid.Store(validTargets | validLists | validBare)
			l.settled.Store(l.version())
		}
	}
	w.doomed = buffer.Carve[uint64](c, (n+63)/64)
	w.dying = buffer.Carve[uint64](c, (n+63)/64)
	w.queue, w.root = buffer.Carve[uint32](c, n)[:0], buffer.Carve[uint32](c, n)
	w.place, w.blocks = buffer.Carve[uint32](c, n), buffer.Carve[uint32](c, (n+63)/64)[:0]
	return w, nil
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

// Referring returns the objects that refer to one, or nil if the world does not have the relation.
func (w *World) Referring(r *layout.RelationSpec) manager.Held {
	if l := w.Of(r); l != nil {
		return l
	}
	return nil
}

// Unreferring returns the objects that refer to nobody, with the component or without it, or nil if
// the world does not have the relation.
func (w *World) Unreferring(r *layout.RelationSpec) manager.Held {
	if l := w.Of(r); l != nil {
		return unheld{l}
	}
	return nil
}

// An unheld is the objects that do not refer to one.
type unheld struct{ *Lists }

// Held returns those of a block, and perhaps some that are not alive.
func (u unheld) Held(block uint32) uint64 { return ^u.Lists.Held(block) }

// Verify checks relations: every reference is nobody, a live object, or a creation that is kept for
// the next Apply, and trees have no rings. It believes nothing that was derived.
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
	for o := range uint32(l.m.Objects.High()) {
		why := ""
		switch id := l.Reference(o); {
		case id == gameobject.Nobody:
		case id.Recorded() && !kept(id):
			why = "which stands for a creation that is not recorded"
		case !id.Recorded() && !l.m.Objects.Alive(id):
			why = "which is dead"
		}
		if why != "" {
			return fmt.Errorf("%s: game object %v refers to %v, %s",
				layout.Quoted(l.m.Kind.Name), l.m.Objects.At(o), l.Reference(o), why)
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
	l.lock.Lock()
	defer l.lock.Unlock()
	return FindRing(l.depth[:l.m.Objects.High()], func(o uint32) (uint32, bool) {
		id := l.Reference(o)
		return id.Index(), id != gameobject.Nobody && !id.Recorded()
	})
}
