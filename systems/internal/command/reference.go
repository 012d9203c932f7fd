package command

import (
	"fmt"
	"sort"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kin"
)

// reference returns the relation whose reference a command sets, or nil.
func (a *applying) reference(m *manager.Manager, c *command) *kin.Lists {
	if r := m.Kind.Fields[c.field].Relation; r != nil {
		return a.kin.Of(r)
	}
	return nil
}

// referred returns what the command at an index refers to, as recorded.
func (a *applying) referred(at int) gameobject.ID {
	return *buffer.At[gameobject.ID](buffer.BaseOf(a.data(at, 8)), 0)
}

// target returns the object that an id stands for to which a command refers: the id itself if its
// creation is kept, or comes later. The error wraps gameobject.ErrDead or ErrOutOfRange.
func (a *applying) target(id gameobject.ID) (gameobject.ID, error) {
	if id.Recorded() {
		switch made, known := a.fate(id); {
		case id.Origin() == gameobject.Members:
			return id, a.Refuse(gameobject.ErrDead, id)
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
	case !a.Objects.Alive(id):
		return id, a.Refuse(a.Objects.Check(id), id)
	case a.deferred && a.kin.Doomed(id.Index()):
		return id, a.Refuse(gameobject.ErrDead, id)
	}
	return id, nil
}

// setReference is set for the reference of a relation.
func (a *applying) setReference(
	l *kin.Lists, m *manager.Manager, c *command, id gameobject.ID,
) error {
	to, err := a.target(a.referred(a.at))
	if err != nil {
		return err
	}
	if err := l.CheckRing(id.Index(), to, a.object); err != nil {
		return err
	}
	row, err := rowFor(m, c, id)
	if err == nil {
		l.Write(id.Index(), uint32(row), to)
		a.awaitTarget(c, id, to)
	}
	return err
}

// ring returns the error of the creation at an index, of a tree with a ring.
func (a *applying) ring(at int) error {
	return fmt.Errorf("flatecs: %s: member %d of its tree is below itself: %w",
		layout.Quoted(a.Managers[a.commands[at].field].Kind.Name), *a.ringed(at), kin.ErrRing)
}

// refusedFill returns the relation of the spawn at an index whose target is refused, and why.
func (a *applying) refusedFill(at int) (relation string, err error) {
	if c := &a.commands[at]; c.known {
		return a.Managers[c.field].Kind.Name, a.ring(at)
	}
	end := a.after(at)
	for at++; at < end; at += 1 + int(a.commands[at].more) {
		c := &a.commands[at]
		m := &a.Managers[c.kind]
		if a.reference(m, c) != nil {
			if _, err := a.target(a.referred(at)); err != nil {
				return m.Kind.Name, err
			}
		}
	}
	return "", nil
}

// fillReference sets the reference of an object that was just spawned. Its target was checked.
func (a *applying) fillReference(l *kin.Lists, at int, id gameobject.ID, row layout.Row) {
	to, err := a.target(a.referred(at))
	if err == nil {
		err = l.CheckRing(id.Index(), to, a.object)
	}
	if err != nil {
		a.refuseReference(a.awaiting(&a.commands[at], id, to), err)
		return
	}
	l.Write(id.Index(), uint32(row), to)
	a.awaitTarget(&a.commands[at], id, to)
}

// refuseReference records that the reference of an object stays nobody.
func (a *applying) refuseReference(w *awaiting, err error) {
	a.refused = append(a.refused, &Refusal{
		Err: err, Command: opNames[w.op], Number: w.number, ID: w.id,
		Kind: a.Managers[w.kind].Kind.Name,
	})
}

// An awaiting is a reference to an object whose creation comes later, in a tree.
type awaiting struct {
	op     Op
	kind   uint16
	number int           // of the command
	id     gameobject.ID // of the object that refers
	to     gameobject.ID // as recorded
}

func (a *applying) awaiting(c *command, id, to gameobject.ID) *awaiting {
	return &awaiting{c.op, c.kind, a.number, id, to}
}

// awaitTarget notes a reference to an object whose creation comes later.
func (a *applying) awaitTarget(c *command, id, to gameobject.ID) {
	if to.Recorded() {
		if made, _ := a.fate(to); made == gameobject.Nobody {
			a.awaited = append(a.awaited, a.awaiting(c, id, to))
		}
	}
}

// setAwaited sets the references that await their targets, which are created by now.
func (a *applying) setAwaited() {
	for _, w := range a.awaited {
		m := &a.Managers[w.kind]
		l := a.kin.Of(m.Kind.Relation)
		row, ok := m.RowOf(w.id.Index())
		if !ok || !a.Objects.Alive(w.id) || l.Reference(w.id.Index()) != w.to {
			continue // it was changed since
		}
		to, err := a.target(w.to)
		if err == nil {
			err = l.CheckRing(w.id.Index(), to, a.object)
		}
		if err != nil {
			a.refuseReference(w, err)
			to = gameobject.Nobody
		}
		l.Write(w.id.Index(), uint32(row), to)
	}
}

// isTarget reports whether others refer to an object, which a command names so, or will when
// recorded ids are replaced.
func (a *applying) isTarget(name, id gameobject.ID) bool {
	targeted := a.kin.Targeted(id.Index())
	if targeted {
		a.streak.CarryOut(a.Arena) // it may be of those who do
		targeted = a.kin.Targeted(id.Index())
	}
	return targeted || a.kin != nil && a.mayBeReferred(name)
}

// disposeLater records that an object is to be disposed by disposeLast.
func (a *applying) disposeLater(object uint32, number int) {
	if !a.deferred {
		a.deferred = true
		a.kin.Begin()
	}
	a.kin.Doom(object, number)
}

// disposeLast disposes the objects that others refer to, as far as they are still alive.
func (a *applying) disposeLast() {
	for _, r := range a.kin.DisposeSome() {
		if r.Err != nil {
			a.refused = append(a.refused, &Refusal{
				Err: r.Err, Command: opNames[Dispose], Number: r.Number,
				ID: r.ID,
			})
		}
	}
}

// sortRefused brings refusals into the order of the commands, of which some are carried out last.
func (a *applying) sortRefused() {
	if len(a.refused) > 1 && (a.deferred || len(a.awaited) > 0) {
		sort.Stable(byNumber(a.refused))
	}
}

// byNumber sorts refusals in the order of the commands.
type byNumber []*Refusal

func (r byNumber) Len() int           { return len(r) }
func (r byNumber) Less(i, k int) bool { return r[i].Number < r[k].Number }
func (r byNumber) Swap(i, k int)      { r[i], r[k] = r[k], r[i] }
