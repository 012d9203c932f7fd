package kin

import (
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// Gather queues an object and all objects below it in a relation, each before its referrers.
func (w *World) Gather(l *Lists, object uint32) {
	w.push([]uint32{object}, 0)
	for at := 0; at < len(w.queue); at++ { //nolint:intrange // the loop appends
		w.follow(l, w.queue[at], 0)
	}
}

// DisposeGathered disposes the queued objects, and the objects that the policies dispose with them.
func (w *World) DisposeGathered() error {
	w.Begin()
	for _, o := range w.queue {
		w.Add(o, 0)
	}
	w.forget()
	return w.Dispose()
}

// CopyGathered copies the objects queued by a relation, and returns the first copy. References
// among the queued objects become references among the copies. The error wraps manager.ErrFull or
// gameobject.ErrTooMany; then nothing has changed.
func (w *World) CopyGathered(l *Lists) (first gameobject.ID, err error) {
	defer w.forget()
	has := func(i int, m *manager.Manager) bool { return m.Keys == nil && m.Has(w.queue[i]) }
	if err := checkRoom(w.a, len(w.queue), has); err != nil {
		return gameobject.Nobody, err
	}
	for i := range w.a.Managers {
		if err := manager.CheckEachList(&w.a.Managers[i], w.queue, w.root); err != nil {
			return gameobject.Nobody, err
		}
	}
	for i, o := range w.queue {
		twin, err := structure.Twin(w.a, o)
		if err != nil { // there is room
			return gameobject.Nobody, err
		}
		w.root[i], w.place[o] = twin.Index(), uint32(i)
	}
	w.orderTwins(l)
	for i, o := range w.queue {
		structure.CopyTo(w.a, w.root[i], o)
	}
	for i := range w.a.Managers {
		m := &w.a.Managers[i]
		for o := range w.queue {
			manager.EachListed(m, w.root[o], w)
		}
		for f, spec := range m.Kind.Fields {
			if len(spec.Refs) > 0 {
				w.redirect(m, f, spec.Refs)
			}
		}
	}
	return w.a.Objects.At(w.root[0]), nil
}

// orderTwins gives the copies of siblings ascending indexes, whatever their recipes, because lists
// of referrers ascend. Siblings are consecutive in the queue, in the order of their list.
func (w *World) orderTwins(l *Lists) {
	for first := 1; first < len(w.queue); {
		end, parent := first+1, l.Reference(w.queue[first])
		for end < len(w.queue) && l.Reference(w.queue[end]) == parent {
			end++
		}
		slices.Sort(w.root[first:end])
		first = end
	}
}

// checkRoom returns an error if there is no room for n objects; has reports the kinds of each
// object.
func checkRoom(a *manager.Arena, n int, has func(i int, m *manager.Manager) bool) error {
	if n > a.Objects.Left() {
		return manager.RefuseID(a, gameobject.ErrTooMany, gameobject.Nobody)
	}
	for k := range a.Managers {
		m, need := &a.Managers[k], 0
		for i := range n {
			if has(i, m) {
				need++
			}
		}
		if err := manager.CheckRoom(need, m); err != nil {
			return err
		}
	}
	return nil
}

// redirect replaces the references of the copies to queued objects, in one field.
func (w *World) redirect(m *manager.Manager, field int, offsets []int) {
	c := &m.Data.Columns[field]
	for i := range w.queue {
		row, ok := m.RowOf(w.root[i])
		if !ok {
			continue
		}
		for _, at := range offsets {
			w.Redirect(&buffer.Span[gameobject.ID](c.Base, (int(row)*c.Stride+at)/8, 1)[0])
		}
	}
}

// Redirect replaces a reference to a queued object by a reference to its copy.
func (w *World) Redirect(id *gameobject.ID) {
	if o := id.Index(); *id != gameobject.Nobody && !id.Recorded() &&
		w.a.Objects.Alive(*id) && w.isDying(o) {
		*id = w.a.Objects.At(w.root[w.place[o]])
	}
}
