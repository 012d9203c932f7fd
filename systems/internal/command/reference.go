package command

import (
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

// target returns the object that the command at an index refers to: nobody if its creation was
// refused, a recorded id if it is kept.
func (a *applying) target(at int) gameobject.ID {
	return a.object(*buffer.At[gameobject.ID](buffer.BaseOf(a.data(at, 8)), 0))
}

// setReference is set for the reference of a relation.
func (a *applying) setReference(
	l *kin.Lists, m *manager.Manager, c *command, id gameobject.ID,
) error {
	to := a.target(a.at)
	if to != gameobject.Nobody && !to.Recorded() && !a.Objects.Alive(to) {
		return a.Refuse(a.Objects.Check(to), to)
	}
	if err := l.CheckRing(id.Index(), to, a.object); err != nil {
		return err
	}
	row, err := rowFor(m, c, id)
	if err == nil {
		l.Write(uint32(row), to)
	}
	return err
}

// fillReference sets the reference of an object that was just spawned. If the other object is dead
// already, it is as if that was disposed later.
func (a *applying) fillReference(l *kin.Lists, at int, id gameobject.ID, row layout.Row) {
	to := a.target(at)
	if to != gameobject.Nobody && !to.Recorded() && !a.Objects.Alive(to) {
		if l.Disposed == layout.Cascade {
			a.disposeLater(id.Index(), a.number)
		}
		return
	}
	if err := l.CheckRing(id.Index(), to, a.object); err != nil {
		a.refused = append(a.refused, &Refusal{
			Err: err, Command: opNames[Fill], Number: a.number, ID: id, Kind: l.Target.Kind.Name,
		})
		return
	}
	l.Write(uint32(row), to)
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
	a.kin.Add(object, number)
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
	if len(a.refused) > 1 {
		sort.Stable(byNumber(a.refused))
	}
}

// byNumber sorts refusals in the order of the commands.
type byNumber []*Refusal

func (r byNumber) Len() int           { return len(r) }
func (r byNumber) Less(i, k int) bool { return r[i].Number < r[k].Number }
func (r byNumber) Swap(i, k int)      { r[i], r[k] = r[k], r[i] }
