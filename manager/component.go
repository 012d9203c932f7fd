package manager

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Create returns a row that is not on an object yet: the row disposed last, or else the first
// unused row. The error wraps [ErrFull]. It panics if the kind is a mark or packed.
func (m *Manager) Create() (layout.Row, error) {
	switch {
	case m.Kind.Mark:
		panic("flatecs: " + m.Kind.Name + " is a mark and has no rows; add it to an object")
	case m.Packed:
		panic("flatecs: " + m.Kind.Name + " is packed and its rows move; add it to an object")
	case ByBlock(m):
		panic("flatecs: the rows of " + m.Kind.Name + ", which is in a recipe, follow the " +
			"objects; add it to an object, or leave it out of the recipes")
	}
	row, ok := m.take()
	if !ok {
		return 0, refusal(m, ErrFull, gameobject.Nobody)
	}
	m.Rows.loosen(row, 1)
	m.count.Loose++
	m.Stamps.reshape(row)
	return layout.Row(row), nil
}

// Mount puts a created component on an object. The error wraps [ErrTwice] if the object has a
// component of this kind already, or the row is on an object. It panics if row is not in use.
func (m *Manager) Mount(object uint32, row layout.Row) error {
	if owner := m.owner(row); owner != unmounted {
		return refuse(m, ErrTwice, owner)
	}
	b := &m.Blocks.list[object>>6]
	if m.Kind.Beside != "" || m.Blocks.Holds(object>>6)>>(object&63)&1 != 0 {
		return refuse(m, ErrTwice, object)
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
	b := &m.Blocks.list[object>>6]
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
	return addElsewhere(m, b, object)
}

// addElsewhere is Add for a mark, and for an object whose home row is in use.
func addElsewhere(m *Manager, b *blockRecord, object uint32) (layout.Row, error) {
	if m.Kind.Mark {
		m.Stamps.reshape(0)
		m.enterAll(b, object>>6, 1<<(object&63))
		return 0, nil
	}
	row, ok := m.take()
	if !ok {
		return 0, refuse(m, ErrFull, object)
	}
	m.place(b, object, row)
	return layout.Row(row), nil
}

// Remove disposes the component of an object: the row gets the defaults again and is reused by a
// later create. A suspended row stays. The error wraps [ErrRemove].
func (m *Manager) Remove(object uint32) error {
	if !m.Has(object) {
		return refuse(m, ErrRemove, object)
	}
	m.Drop(object)
	return nil
}

// Drop disposes the row that an object has or keeps suspended, if any.
func (m *Manager) Drop(object uint32) {
	b := &m.Blocks.list[object>>6]
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
	row := b.row(object) // the common case of detach
	if b.Odd>>(object&63)&1 != 0 {
		row = m.Blocks.detach(b, object)
	}
	was, bit := b.held(), uint64(1)<<(object&63)
	b.Kept &^= bit
	if b.Present &^= bit; was == bit || was|m.heard == full {
		m.afterLeave(was, object>>6, bit, row-object)
	}
	tally(m, ^uint32(0))
	m.Stamps.reshape(row)
	if m.Kind.Mark {
		return
	}
	if m.Packed {
		pack(m, row)
		return
	}
	if !ByBlock(m) {
		m.Rows.unmount(row)
	}
	checkFree(m)
	m.release(row)
}

// Dispose is Remove by row; the row may be loose. It panics if the row is not in use.
func (m *Manager) Dispose(row layout.Row) {
	object := m.owner(row)
	if object == unmounted {
		m.count.Loose--
		m.Stamps.reshape(uint32(row))
		checkFree(m)
		m.release(uint32(row))
		return
	}
	m.Drop(object)
}

// Copy adds a component to object dst, which must not have one, and copies the values of object
// src. The caller has checked that a row is free.
func (m *Manager) Copy(dst, src uint32) {
	row, err := m.Add(dst)
	if err != nil || m.Kind.Mark {
		return
	}
	from, _ := m.RowOf(src)
	m.Data.copyRow(uint32(row), uint32(from))
	m.Stamps.TouchRow(uint32(row))
	for _, l := range m.Data.Heaps {
		l.copyOf(m, uint32(row), dst)
	}
}

// pack moves the last row into the gap that a released row leaves.
func pack(m *Manager, row uint32) {
	checkLast(m)
	last := m.count.High - 1
	if row != last {
		object := m.Rows.Owner(last)
		m.Data.resetLists(row)
		m.Data.copyRow(row, last)
		m.Data.leaveLists(last)
		m.Rows.mount(row, object)
		m.Stamps.list[row>>6] = *m.Stamps.tick
		m.count.Changed = *m.Stamps.tick
		m.Blocks.move(object, row)
		m.Stamps.reshape(last)
	}
	m.Data.unuseRows(last, last+1)
	m.Rows.unmount(last)
	m.Rows.idle(last, 1)
	if m.count.High--; last&63 == 0 {
		m.Stamps.list[last>>6] = 0
	}
}

// Suspend removes the component of an object and keeps its row and values until the object gets the
// component again or is disposed. A mark is just removed. The error wraps [ErrRemove]. It panics if
// the manager is packed, because its rows move.
func (m *Manager) Suspend(object uint32) error {
	if m.Packed {
		panic("flatecs: " + m.Kind.Name +
			" is packed and cannot keep a row; use a kind that is not")
	}
	b := &m.Blocks.list[object>>6]
	if !m.Has(object) {
		return refuse(m, ErrRemove, object)
	}
	tally(m, ^uint32(0))
	row := m.Blocks.rowIn(b, object>>6, int(object))
	m.Stamps.reshape(row)
	if !m.Kind.Mark {
		b.Kept |= 1 << (object & 63)
		if !ByBlock(m) {
			m.Rows.suspend(row, object)
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
		return 0, refuse(m, ErrTwice, object)
	}
	row := m.Blocks.rowIn(b, object>>6, int(object))
	b.Kept &^= 1 << (object & 63)
	if !ByBlock(m) {
		m.Rows.mount(row, object)
	}
	m.Stamps.TouchRow(row)
	m.count.Suspended--
	tally(m, 1)
	m.Stamps.reshape(row)
	m.enterAll(b, object>>6, 1<<(object&63))
	return layout.Row(row), nil
}

// forget disposes the suspended row of an object.
func (m *Manager) forget(b *blockRecord, object uint32) {
	row := m.Blocks.detach(b, object)
	b.Kept &^= 1 << (object & 63)
	if !standsBy(m, object>>6) {
		m.Blocks.forgetKind(object >> 6)
	}
	m.Blocks.kinds.lose(object>>6, 1<<(object&63), m.Blocks.Holds(object>>6))
	m.count.Suspended--
	m.Stamps.reshape(row)
	checkFree(m)
	m.release(row)
}

// place mounts an unused row on an object without a row.
func (m *Manager) place(b *blockRecord, object, row uint32) {
	if base := row - object; !b.isAt(base) {
		if b.held() == b.Odd { // no object is in lockstep
			m.Blocks.rebase(b, object>>6, base)
		} else {
			m.Blocks.addOdd(b, object, row)
		}
	}
	m.mount(b, object, row)
}

// mount mounts an unused row on an object without a row. The object's base or page is set already.
func (m *Manager) mount(b *blockRecord, object, row uint32) {
	t, c := *m.Stamps.tick, m.count
	if !ByBlock(m) {
		c.Mounted++
		m.Rows.setWord(row, object) // an inlined copy of Rows.mount: hot path
		m.Rows.setMounted(row>>6, 1<<(row&63))
	}
	m.Stamps.list[row>>6] = t
	c.Changed, c.Shape = t, uint32(t)
	m.Stamps.remember(row)
	was, bit := b.held(), uint64(1)<<(object&63) // an inlined copy of enterAll: hot path
	if b.Present |= bit; was == 0 || was|bit|m.heard == full {
		m.afterEnter(b, was, object>>6, bit)
	}
}

// take returns a row for use: from the free list, else the first unused row.
func (m *Manager) take() (row uint32, ok bool) {
	checkFree(m)
	c := m.count
	if c.Free != 0 {
		row = c.Free - 1
		checkFresh(m, row, 1)
		checkListed(m, row)
		m.Rows.unlink(row)
		return row, true
	}
	if c.High < uint32(m.Rows.Cap()) {
		checkNext(m)
		c.High++
		if m.Data.lazy {
			m.Data.useRows(c.High-1, c.High)
		}
		return c.High - 1, true
	}
	return 0, false
}

// takeHome takes a given row for use if it is on the free list. It does not even read a row that
// was never used.
func (m *Manager) takeHome(row uint32) bool {
	if !m.Rows.isFree(row) {
		return false
	}
	checkFresh(m, row, 1)
	checkListed(m, row)
	m.Rows.unlink(row)
	return true
}

// release resets an unmounted row, and returns it to its block or to the free list.
func (m *Manager) release(row uint32) {
	if m.Data.apart { // an inlined copy of resetRow
		m.Data.resetApart(row)
	}
	for i := range m.Data.Columns {
		m.Data.Columns[i].Reset(int(row))
	}
	noteFreed(m, row, 1)
	if !ByBlock(m) {
		m.Rows.list(row)
	}
}
