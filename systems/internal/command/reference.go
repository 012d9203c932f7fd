package command

import (
	"encoding/binary"
	"fmt"
	"iter"
	"sort"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kin"
)

// referred returns the target of the reference in a value, as recorded.
func referred(value []byte) gameobject.ID {
	return gameobject.ID(binary.LittleEndian.Uint64(value))
}

// target returns the object of an id to which a command refers: the id itself if its creation is
// kept or comes later. The error wraps gameobject.ErrDead or ErrOutOfRange.
func (a *applying) target(id gameobject.ID) (gameobject.ID, error) {
	if id.Recorded() {
		switch made, known := a.record.Births.fate(id); {
		case id.Origin() == gameobject.Members:
			return id, manager.RefuseID(a.arena, gameobject.ErrDead, id)
		case !known, made == refused:
			return id, fmt.Errorf("flatecs: game object %v: %w", id, errNotCreated)
		case made == gameobject.Nobody, made.Recorded():
			return id, nil
		default:
			id = made
		}
	}
	switch {
	case id == gameobject.Nobody:
	case !lives(a, id):
		return id, a.noTarget(id)
	}
	return id, nil
}

// setReference sets the reference of a relation.
func (a *applying) setReference(
	l *kin.Lists, m *manager.Manager, c *command, id gameobject.ID,
) error {
	to, err := a.target(referred(a.record.data(a.at, 8)))
	if err != nil {
		return err
	}
	if err := l.CheckRing(id.Index(), to, a.record.Births.object); err != nil {
		return err
	}
	row, err := a.rowFor(m, c, id)
	if err == nil {
		l.Write(id.Index(), uint32(row), to)
		a.awaitTarget(&awaiting{c.op, c.kind, a.number, id, to})
	}
	return err
}

// ring returns the error of the creation, at an index, of a tree with a ring.
func (a *applying) ring(at int) error {
	tree := a.arena.Managers[a.record.commands[at].field].Kind
	return fmt.Errorf("flatecs: %s: member %d of its tree is below itself: %w",
		layout.Quoted(tree.Name), *a.record.ringed(at), kin.ErrRing)
}

// references yields the relations that the spawn at c sets, and their targets, as recorded.
func (a *applying) references(c *cursor) iter.Seq2[*setter, gameobject.ID] {
	return func(yield func(*setter, gameobject.ID) bool) {
		at, setters := a.valuesAt(c), a.record.setters(c.head)
		for i := range setters {
			s := &setters[i]
			f := a.arena.Managers[s.place].Kind.Fields[s.field]
			value := buffer.Span[byte](a.record.base, at, f.Stride)
			if f.Relation != nil && !yield(s, referred(value)) {
				return
			}
			at += f.Stride
		}
	}
}

// refusedReference returns the first relation of the spawn at c with a refused target, and the
// error.
func (a *applying) refusedReference(c *cursor) (relation string, err error) {
	for s, to := range a.references(c) {
		if _, err = a.target(to); err != nil {
			return a.arena.Managers[s.place].Kind.Name, err
		}
	}
	return "", nil
}

// refer sets the references of n objects that were just spawned, by the spawns from c on.
func (a *applying) refer(c *cursor, n int) {
	for ; n > 0; n-- {
		r := a.record.run(c.head)
		if c.at == r.count {
			*c = a.enter(c.next)
			r = a.record.run(c.head)
		}
		id := a.record.Births.object(r.id(c.at))
		for s, to := range a.references(c) {
			m := &a.arena.Managers[s.place]
			row, _ := m.RowOf(id.Index())
			l := a.kin.Of(m.Kind.Fields[s.field].Relation)
			a.fillReference(l, &awaiting{Fill, s.place, a.number, id, to}, row)
		}
		c.at++
		a.number++
	}
}

// fillReference sets the reference of an object that was just spawned. Its target has been checked.
func (a *applying) fillReference(l *kin.Lists, w *awaiting, row layout.Row) {
	var err error
	if w.to, err = a.target(w.to); err == nil {
		err = l.CheckRing(w.id.Index(), w.to, a.record.Births.object)
	}
	if err != nil {
		a.refuseReference(w, err)
		return
	}
	l.Write(w.id.Index(), uint32(row), w.to)
	a.awaitTarget(w)
}

// refuseReference records that the reference of an object stays nobody.
func (a *applying) refuseReference(w *awaiting, err error) {
	a.note(w.op, w.number, w.id, a.arena.Managers[w.kind].Kind.Name, err)
}

// An awaiting is a reference to an object whose creation comes later, in a tree.
type awaiting struct {
	op     Op
	kind   uint16
	number int           // of the command
	id     gameobject.ID // of the referring object
	to     gameobject.ID // as recorded
}

// awaitTarget records a reference whose target is created later.
func (a *applying) awaitTarget(w *awaiting) {
	if w.to.Recorded() {
		if made, _ := a.record.Births.fate(w.to); made == gameobject.Nobody {
			noted := *w
			a.awaited = append(a.awaited, &noted)
		}
	}
}

// setAwaited sets the references that await their targets, which have been created by now.
func (a *applying) setAwaited() {
	for _, w := range a.awaited {
		m := &a.arena.Managers[w.kind]
		l := a.kin.Of(m.Kind.Relation)
		row, ok := m.RowOf(w.id.Index())
		if !ok || !a.arena.Objects.Alive(w.id) || l.Reference(w.id.Index()) != w.to {
			continue // the reference was changed since
		}
		to, err := a.target(w.to)
		if err == nil {
			err = l.CheckRing(w.id.Index(), to, a.record.Births.object)
		}
		if err != nil {
			a.refuseReference(w, err)
			to = gameobject.Nobody
		}
		l.Write(w.id.Index(), uint32(row), to)
	}
}

// isTarget reports whether others refer to an object, which commands call name, or will refer to it
// when recorded ids are replaced.
func (a *applying) isTarget(name, id gameobject.ID) bool {
	targeted := a.kin.Targeted(id.Index())
	if targeted {
		a.streak.CarryOut(a.arena) // the streak may include referrers
		targeted = a.kin.Targeted(id.Index())
	}
	return targeted || a.kin != nil && a.record.Births.mayBeReferred(name)
}

// disposeLater records that an object is to be disposed by disposeLast.
func (a *applying) disposeLater(object uint32, number int) {
	if !a.deferred {
		a.deferred = true
		a.kin.Begin()
	}
	a.kin.Doom(object, number)
}

// disposeLast disposes the objects that others refer to, unless they are dead by now.
func (a *applying) disposeLast() {
	for _, r := range a.kin.DisposeSome() {
		if r.Err != nil {
			a.note(Dispose, r.Number, r.ID, "", r.Err)
		}
	}
}

// sortRefused sorts refusals in the order of the commands, because some are carried out last.
func (a *applying) sortRefused() {
	if len(a.refused) > 1 && (a.deferred || len(a.awaited) > 0) {
		sort.Stable(byNumber(a.refused))
	}
}

// byNumber sorts refusals in the order of the commands. Package slices would add 6 kB to the
// programs of pages, which have package sort.
type byNumber []*Refusal

func (r byNumber) Len() int           { return len(r) }
func (r byNumber) Less(i, k int) bool { return r[i].Number < r[k].Number }
func (r byNumber) Swap(i, k int)      { r[i], r[k] = r[k], r[i] }
