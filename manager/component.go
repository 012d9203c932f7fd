package manager

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Create returns a row that is not on an object yet: the row disposed last, or else the first
// unused one. The error wraps [ErrFull]. It panics if the kind is a mark or packed.
func (m *Manager) Create() (layout.Row, error) {
	switch {
	case m.Kind.Mark:
		panic("flatecs: " + m.Kind.Name + " is a mark and has no rows; add it to an object")
	case m.packed:
		panic("flatecs: " + m.Kind.Name + " is packed and its rows move; add it to an object")
	case ByBlock(m):
		panic("flatecs: the rows of " + m.Kind.Name + ", which is in a recipe, follow the " +
			"objects; add it to an object, or leave it out of the recipes")
	}
	row, ok := m.take()
	if !ok {
		return 0, refusal(m, ErrFull, gameobject.Nobody)
	}
	m.owners.loosen(row, 1)
	m.count.Loose++
	m.reshape(row)
	return layout.Row(row), nil
}

// Mount puts a created component on an object. The error wraps [ErrTwice] if the object has a
// component of this kind already, or the row is on an object. It panics if row is not in use.
func (m *Manager) Mount(object uint32, row layout.Row) error {
	if owner := m.owner(row); owner != unmounted {
		return m.refuse(ErrTwice, owner)
	}
	b := &m.blocks[object>>6]
	if m.Kind.Beside != "" || m.Holds(object>>6)>>(object&63)&1 != 0 {
		return m.refuse(ErrTwice, object)
	}
	m.count.Loose--
	m.place(b, object, uint32(row))
	return nil
}

// Add creates and mounts in one step. It takes the object's home row, which is in lockstep with its
// block, if that one was disposed; otherwise the row that Create would return. For a mark it
// returns row 0. A suspended component comes back with its row and values. The error wraps
// [ErrTwice] or [ErrFull].
func (m *Manager) Add(object uint32) (layout.Row, error) {
	b := &m.blocks[object>>6]
	if b.held()>>(object&63)&1 != 0 {
		return m.resume(b, object)
	}
	if ByBlock(m) {
		return layout.Row(addByBlock(m, b, object)), nil
	}
	row := b.row(object)
	if m.takeHome(row) {
		m.mount(b, object, row)
		return layout.Row(row), nil
	}
	return m.addElsewhere(b, object)
}

// addElsewhere is Add for a mark, and for an object whose home row is taken.
func (m *Manager) addElsewhere(b *blockRecord, object uint32) (layout.Row, error) {
	if m.Cap() == 0 {
		return 0, m.addMark(b, object)
	}
	row, ok := m.take()
	if !ok {
		return 0, m.refuse(ErrFull, object)
	}
	m.place(b, object, row)
	return layout.Row(row), nil
}

// Home returns the row that Add would give to an object without a row, and whether that is its home
// row. A mark has no rows and reports true.
func (m *Manager) Home(object uint32) (row layout.Row, ok bool) {
	b := &m.blocks[object>>6]
	if m.Holds(object>>6)>>(object&63)&1 != 0 {
		return 0, false
	}
	if m.Kind.Mark {
		return 0, true
	}
	home := b.row(object)
	if ByBlock(m) {
		return layout.Row(home), isHome(m, b, object>>6)
	}
	return layout.Row(home), m.owners.isFree(home)
}

// addMark is Add for a mark.
func (m *Manager) addMark(b *blockRecord, object uint32) error {
	if !m.Kind.Mark {
		return m.refuse(ErrFull, object)
	}
	m.reshape(0)
	m.enterAll(b, object>>6, 1<<(object&63))
	return nil
}

// Remove disposes the component of an object: the row gets the defaults again and is reused by a
// later create. A suspended row stays. The error wraps [ErrRemove].
func (m *Manager) Remove(object uint32) error {
	if !m.Has(object) {
		return m.refuse(ErrRemove, object)
	}
	m.Drop(object)
	return nil
}

// Drop disposes the row that an object has or keeps suspended, if any.
func (m *Manager) Drop(object uint32) {
	b := &m.blocks[object>>6]
	bit := uint64(1) << (object & 63)
	switch {
	case m.Has(object):
		m.dropPresent(b, object)
	case b.Kept&bit != 0:
		m.forget(b, object)
	}
}

// dropPresent is Drop for an object that has the component.
func (m *Manager) dropPresent(b *blockRecord, object uint32) {
	row := b.row(object) // detach, as mostly
	if b.Odd>>(object&63)&1 != 0 {
		row = m.detach(b, object)
	}
	was, bit := b.held(), uint64(1)<<(object&63)
	b.Kept &^= bit
	if b.Present &^= bit; was == bit || was|m.heard == full {
		m.afterLeave(was, object>>6, bit, row-object)
	}
	tally(m, ^uint32(0))
	m.reshape(row)
	if m.Kind.Mark {
		return
	}
	if m.packed {
		m.pack(row)
		return
	}
	if !ByBlock(m) {
		m.owners.unmount(row)
	}
	m.checkFree()
	m.release(row)
}

// Dispose is Remove by row; the row may be loose. It panics if row is not in use.
func (m *Manager) Dispose(row layout.Row) {
	object := m.owner(row)
	if object == unmounted {
		m.count.Loose--
		m.reshape(uint32(row))
		m.checkFree()
		m.release(uint32(row))
		return
	}
	m.Drop(object)
}

// Copy adds a component to object dst, which must have none, and copies the values of object src.
// The caller has checked that a row is free.
func (m *Manager) Copy(dst, src uint32) {
	row, err := m.Add(dst)
	if err != nil || m.Kind.Mark {
		return
	}
	from, _ := m.RowOf(src)
	m.copyRow(uint32(row), uint32(from))
	m.TouchRow(uint32(row))
	for _, l := range m.Heaps {
		l.copyOf(m, uint32(row), dst)
	}
}

// pack fills the gap that a released row leaves with the last row.
func (m *Manager) pack(row uint32) {
	m.checkLast()
	last := m.count.High - 1
	if row != last {
		object := m.Owner(last)
		m.resetLists(row)
		m.copyRow(row, last)
		m.leaveLists(last)
		m.owners.mount(row, object)
		m.changed[row>>6] = *m.tick
		m.count.Changed = *m.tick
		m.rerow(object, row)
		m.reshape(last)
	}
	m.unuseRows(last, last+1)
	m.owners.unmount(last)
	m.owners.idle(last, 1)
	if m.count.High--; last&63 == 0 {
		m.changed[last>>6] = 0
	}
}

// copyRow copies the values of row src to row dst.
func (m *Manager) copyRow(dst, src uint32) {
	for i := range m.Columns {
		m.Columns[i].Copy(int(dst), int(src))
	}
	if m.Values != nil {
		m.Values.CopyRow(int(dst), int(src))
	}
}

// rerow records that the component of an object moved to another row.
func (m *Manager) rerow(object, row uint32) {
	b := &m.blocks[object>>6]
	bit := uint64(1) << (object & 63)
	was := m.Present(object>>6) == full
	if b.Odd&bit != 0 {
		m.dropOdd(b, object)
	}
	if base := row - object; !b.isAt(base) {
		if m.Present(object>>6)&^b.Odd == bit { // it alone is in lockstep
			m.rebase(b, object>>6, base)
		} else {
			m.addOdd(b, object, row)
		}
	}
	if was {
		m.join(object >> 6)
	}
}

// Suspend removes the component of an object and keeps its row and values until the object gets the
// component again or is disposed. A mark is just removed. The error wraps [ErrRemove]. It panics if
// the manager is packed, because its rows move.
func (m *Manager) Suspend(object uint32) error {
	if m.packed {
		panic("flatecs: " + m.Kind.Name +
			" is packed and cannot keep a row; use a kind that is not")
	}
	b := &m.blocks[object>>6]
	if !m.Has(object) {
		return m.refuse(ErrRemove, object)
	}
	tally(m, ^uint32(0))
	row := m.rowIn(b, object>>6, int(object))
	m.reshape(row)
	if !m.Kind.Mark {
		b.Kept |= 1 << (object & 63)
		if !ByBlock(m) {
			m.owners.suspend(row, object)
		}
		m.count.Suspended++
	}
	was, bit := b.held(), uint64(1)<<(object&63)
	b.Present &^= bit
	m.afterLeave(was, object>>6, bit, row-object)
	return nil
}

// resume gives a suspended component back to its object.
func (m *Manager) resume(b *blockRecord, object uint32) (layout.Row, error) {
	if m.Has(object) {
		return 0, m.refuse(ErrTwice, object)
	}
	row := b.row(object)
	if b.Odd>>(object&63)&1 != 0 {
		row = m.oddRowOf(b, object)
	}
	b.Kept &^= 1 << (object & 63)
	if !ByBlock(m) {
		m.owners.mount(row, object)
	}
	m.TouchRow(row)
	m.count.Suspended--
	tally(m, 1)
	m.reshape(row)
	m.enterAll(b, object>>6, 1<<(object&63))
	return layout.Row(row), nil
}

// forget disposes the suspended row of an object.
func (m *Manager) forget(b *blockRecord, object uint32) {
	row := m.detach(b, object)
	b.Kept &^= 1 << (object & 63)
	if !standsBy(m, object>>6) {
		m.forgetKind(object >> 6)
	}
	m.kinds.lose(object>>6, 1<<(object&63), m.Holds(object>>6))
	m.count.Suspended--
	m.reshape(row)
	m.checkFree()
	m.release(row)
}
