package command

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A Refusal is a refused command, with the error.
type Refusal struct {
	Err     error
	Command string        // its opcode in words
	Number  int           // of the command since the last Apply, from 0
	ID      gameobject.ID // as recorded; 0, nobody, for create, spawn and copy
	Kind    string        // of component; for spawn the recipe; empty for create, copy and dispose
	Kept    bool          // it is still recorded
}

// errNotCreated is the error of the id of a creation that did not happen.
var errNotCreated = fmt.Errorf(
	"its creation was refused, or is of an earlier Apply: %w; record it again", gameobject.ErrDead)

// An applying is the state of one Apply.
type applying struct {
	arena   *manager.Arena
	record  *Buffer
	pools   []*structure.Pool // in the order of the world's recipes
	kin     *kin.World
	streak  structure.Streak
	at      int // index of the next command
	number  int // of the next command
	kept    int // commands kept for the next Apply
	keeping bool
	refused []*Refusal

	deferred bool        // objects wait in kin for their disposal
	awaited  []*awaiting // references to objects that are created later
}

// Apply carries out the commands in an arena, in order, and removes them, except commands that it
// keeps because there was no room. It returns the number of commands.
//
// Objects that others refer to by a relation are disposed last, so that later commands can first
// redirect the references.
func (b *Buffer) Apply(
	a *manager.Arena, pools []*structure.Pool, relations *kin.World, keeping bool,
) (commands int, refused []*Refusal) {
	p := applying{
		arena: a, record: b, pools: pools, kin: relations, keeping: keeping,
		streak: structure.Streak{Leaving: b.Leaving},
	}
	b.Births.each((*origin).begin)
	for p.at < b.used {
		p.step()
	}
	p.streak.CarryOut(a)
	b.Leaving = p.streak.Leaving
	p.setAwaited()
	if b.Births.any() {
		b.resolveReferences(a)
	}
	if p.deferred {
		p.disposeLast()
	}
	p.sortRefused()
	b.end(*a.Tick, p.kept)
	return p.number, p.refused
}

// resolveReferences replaces recorded ids by the ids of the created objects, in all fields with
// references that were written since the last Apply.
func (b *Buffer) resolveReferences(a *manager.Arena) {
	for i := range a.Managers {
		m := &a.Managers[i]
		for f, spec := range m.Kind.Fields {
			if len(spec.Refs) > 0 {
				manager.Revise(m, f, spec.Refs, b.floor, b.Births.revised)
			}
		}
	}
}

// step carries out the next command, or a run of similar ones.
func (a *applying) step() {
	c := &a.record.commands[a.at]
	switch c.op {
	case Spawn:
		a.spawn()
		return
	case Dispose:
		a.disposeRun()
		return
	case Replace, Put:
		if a.setRun(c) {
			return
		}
	}
	if err := a.one(c, a.record.Births.object(c.id)); err != nil {
		a.refuse(c, err)
	}
	a.at += 1 + int(c.more)
	a.number++
}

// one carries out a command on an object, completely or not at all.
func (a *applying) one(c *command, id gameobject.ID) error {
	switch c.op {
	case Add, Remove:
		return a.change(c, id)
	case Create, Copy:
		return a.create(c)
	}
	return a.set(c, id)
}

// disposeRun carries out the next disposal and those that follow it.
func (a *applying) disposeRun() {
	if !a.streak.Disposes() {
		a.streak.CarryOut(a.arena)
	}
	for ; a.at < a.record.used; a.at, a.number = a.at+1, a.number+1 {
		c := &a.record.commands[a.at]
		if c.op != Dispose {
			return
		}
		id := c.id
		if id.Recorded() { // inlined copies of object and, below, isDoomed: hot path
			id = a.record.Births.object(id)
		}
		switch alive := a.arena.Objects.Alive(id); {
		case !alive && (!c.known || id == gameobject.Nobody || id.Recorded()):
			a.refuse(c, a.noTarget(id))
		case !alive, a.deferred && a.kin.Doomed(id.Index()): // once is enough
		case a.kin != nil && a.isTarget(c.id, id):
			a.disposeLater(id.Index(), a.number)
		default:
			a.streak.Dispose(a.arena, id.Index())
		}
	}
}

// setRun carries out the next command, which sets a field, and those that follow it for the same
// one. It returns false, and does nothing, if the field is a list or a reference.
func (a *applying) setRun(c *command) bool {
	m := &a.arena.Managers[c.kind]
	if f := m.Kind.Fields[c.field]; f.List != nil || f.Relation != nil {
		return false
	}
	a.streak.CarryOut(a.arena)
	b, column, run := a.record, &m.Data.Columns[c.field], a.record.what(a.at)
	place, step := &m.Places[c.field], 1+int(c.more)
	for ; a.at < b.used && b.what(a.at) == run; a.at, a.number = a.at+step, a.number+1 {
		c := &b.commands[a.at]
		id := c.id
		if id.Recorded() { // as in disposeRun, and a quick rowFor: hot path
			id = b.Births.object(id)
		}
		row, ok := uint(0), a.arena.Objects.Alive(id) && !a.deferred
		if ok {
			row, ok = place.InLockstep(uint(id.Index()))
		}
		if !ok {
			odd, err := a.rowFor(m, c, id)
			if err != nil {
				a.refuse(c, err)
				continue
			}
			row = uint(odd)
		}
		dst := buffer.Span[byte](column.Base, int(row)*column.Stride, column.Stride)
		copy(dst, b.data(a.at, column.Stride))
		m.Stamps.TouchRow(uint32(row))
	}
	return true
}

// change adds or removes a component. It joins the streak if the change only sets bits.
func (a *applying) change(c *command, id gameobject.ID) error {
	m, i, change := &a.arena.Managers[c.kind], id.Index(), structure.Addition
	if c.op == Remove {
		change = structure.Removal
	}
	if a.streak.Ready(a.arena, change, m, i); !lives(a, id) {
		return a.noTarget(id)
	}
	if on := c.op == Add; a.kin.Disables(m) && m.Has(i) != on {
		a.streak.CarryOut(a.arena)
		a.kin.Disable(i>>6, 1<<(i&63), on)
		return nil
	}
	switch _, home := m.Blocks.Home(i); {
	case c.op == Add && home, c.op == Remove && m.Has(i):
		a.streak.Join(change, m, i)
		return nil
	case c.op == Add:
		a.streak.CarryOut(a.arena)
		_, err := m.Add(i)
		return err
	}
	return m.Remove(i) // refused
}

func (a *applying) create(c *command) error {
	a.streak.CarryOut(a.arena)
	if c.known {
		return a.ring(a.at)
	}
	var id gameobject.ID
	var err error
	if c.op == Create {
		id, err = structure.Create(a.arena)
	} else if src := a.record.Births.object(*a.record.source(a.at)); isDoomed(a, src) {
		err = a.noTarget(src)
	} else {
		id, err = structure.Copy(a.arena, src)
	}
	a.record.Births.became(c.id, id)
	return err
}

// set carries out a command that changes a list or a reference.
func (a *applying) set(c *command, id gameobject.ID) error {
	a.streak.CarryOut(a.arena)
	if !lives(a, id) {
		return a.noTarget(id)
	}
	m := &a.arena.Managers[c.kind]
	if m.Kind.Fields[c.field].List != nil {
		return a.setList(m, c, id)
	}
	return a.setReference(a.kin.Of(m.Kind.Fields[c.field].Relation), m, c, id)
}

// setList carries out a command that changes a list: an append, or a replace, which empties it.
func (a *applying) setList(m *manager.Manager, c *command, id gameobject.ID) error {
	row, err := m.Get(id.Index())
	if err != nil {
		return err
	}
	f := m.Kind.Fields[c.field]
	l, size := manager.ListsOf(m, f), f.List.Element.Stride
	if c.op == Replace {
		l.Reset(&m.Data, row)
		size = 0
	}
	return l.Add(m, row, id.Index(), a.record.data(a.at, size))
}

// rowFor returns the row for a command that writes a field of an object. A Put adds the component
// if necessary.
func (a *applying) rowFor(
	m *manager.Manager, c *command, id gameobject.ID,
) (row layout.Row, err error) {
	if !lives(a, id) {
		return 0, a.noTarget(id)
	}
	if row, ok := m.RowOf(id.Index()); ok {
		return row, nil
	}
	if c.op == Put {
		return m.Add(id.Index())
	}
	return m.Get(id.Index()) // refused
}

// lives reports whether an object is alive, and no earlier command disposes it.
func lives(a *applying, id gameobject.ID) bool {
	return a.arena.Objects.Alive(id) && !isDoomed(a, id)
}

// isDoomed reports whether an earlier command disposes an object after all commands.
func isDoomed(a *applying, id gameobject.ID) bool {
	return a.deferred && a.arena.Objects.Alive(id) && a.kin.Doomed(id.Index())
}

// noTarget returns the error of a command on an object that is not alive.
//
//go:noinline
func (a *applying) noTarget(id gameobject.ID) error {
	if id == gameobject.Nobody || id.Recorded() {
		return fmt.Errorf("flatecs: %w", errNotCreated)
	}
	if isDoomed(a, id) {
		return manager.RefuseID(a.arena, gameobject.ErrDead, id)
	}
	return manager.RefuseID(a.arena, a.arena.Objects.Check(id), id)
}

// refuse records the refusal of a command, or keeps the command.
//
//go:noinline
func (a *applying) refuse(c *command, err error) {
	made, id, kind, creates := c.id, c.id, "", c.op <= Copy
	switch {
	case creates:
		id = gameobject.Nobody
	case c.op != Dispose:
		kind = a.arena.Managers[c.kind].Kind.Name
	}
	e, fate := a.note(c.op, a.number, id, kind, err), refused
	e.Kept = a.keeping && (noRoom(err) || a.record.Births.object(made).Recorded())
	if e.Kept {
		fate = made
		a.keep(a.at, 1+int(c.more))
	}
	if creates {
		a.record.Births.became(made, fate)
	}
}

// note adds the refusal of a command to those of this Apply.
//
//go:noinline
func (a *applying) note(
	op Op, number int, id gameobject.ID, kind string, err error,
) *Refusal {
	e := &Refusal{Err: err, Command: opNames[op], Number: number, ID: id, Kind: kind}
	a.refused = append(a.refused, e)
	return e
}

// noRoom reports whether a command was refused because there is no room.
func noRoom(err error) bool {
	return errors.Is(err, manager.ErrFull) || errors.Is(err, gameobject.ErrTooMany)
}

// keep moves n commands to the end of the kept commands.
func (a *applying) keep(at, n int) {
	copy(a.record.commands[a.kept:], a.record.commands[at:at+n])
	a.kept += n
}
