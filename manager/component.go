package manager

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Create returns a row that is on no object yet: the row disposed last, or the first that was never
// used. The error wraps [ErrFull]. It panics when the kind is a mark, or packed.
func (m *Manager) Create() (layout.Row, error) {
	switch {
	case m.Kind.Mark:
		panic("manager: " + m.Kind.Name + " is a mark and has no rows; add it to an object")
	case m.packed:
		panic("manager: " + m.Kind.Name + " is packed and its rows move; add it to an object")
	}
	row, ok := m.take()
	if !ok {
		return 0, &Error{ErrFull, m.Kind.Name, gameobject.Nobody, len(m.objects)}
	}
	m.objects[row] = unmounted
	m.count.Loose++
	m.reshape()
	return layout.Row(row), nil
}

// Mount puts a created row on an object. An object that has a component of this kind, and a row
// that is on an object, are refused with [ErrTwice]; it panics when row is not in use.
func (m *Manager) Mount(object uint32, row layout.Row) error {
	if owner := m.owner(row); owner != unmounted {
		return m.refuse(ErrTwice, owner)
	}
	b := &m.Blocks[object>>6]
	if (b.Present|b.Suspended)>>(object&63)&1 != 0 {
		return m.refuse(ErrTwice, object)
	}
	m.count.Loose--
	m.place(b, object, uint32(row))
	return nil
}

// Add creates and mounts in one step. It takes the object's home row, the one that is in lockstep
// with its block, if that was disposed; otherwise the row that Create would take. A mark has no
// rows: the object is marked, and the row is 0. A suspended component comes back with its row and
// values. The error wraps [ErrTwice] or [ErrFull].
func (m *Manager) Add(object uint32) (layout.Row, error) {
	b := &m.Blocks[object>>6]
	if (b.Present|b.Suspended)>>(object&63)&1 != 0 {
		return m.resume(b, object)
	}
	if len(m.objects) == 0 {
		return 0, m.addMark(b, object)
	}
	row := object + b.Base
	switch {
	case m.isFree(row):
		m.unlink(row)
	case m.isKept(row):
	default:
		var ok bool
		if row, ok = m.take(); !ok {
			return 0, m.refuse(ErrFull, object)
		}
	}
	m.place(b, object, row)
	return layout.Row(row), nil
}

// Home returns the row that Add would give to an object that has and keeps none, if it is the home
// row, or none for a mark.
func (m *Manager) Home(object uint32) (row layout.Row, ok bool) {
	b := &m.Blocks[object>>6]
	if (b.Present|b.Suspended)>>(object&63)&1 != 0 {
		return 0, false
	}
	if m.Kind.Mark {
		return 0, true
	}
	home := object + b.Base
	return layout.Row(home), m.isFree(home) || m.isKept(home)
}

// addMark is what Add does where there are no rows.
func (m *Manager) addMark(b *Block, object uint32) error {
	if !m.Kind.Mark {
		return m.refuse(ErrFull, object)
	}
	m.count.Mounted++
	m.reshape()
	m.enter(b, object)
	return nil
}

// Remove disposes the component of an object: its row is set back to the defaults and used again
// by a later create. What it keeps suspended stays. The error wraps [ErrRemove].
func (m *Manager) Remove(object uint32) error {
	if !m.Has(object) {
		return m.refuse(ErrRemove, object)
	}
	m.Drop(object)
	return nil
}

// Drop disposes what an object has or keeps of the kind, if anything.
func (m *Manager) Drop(object uint32) {
	b := &m.Blocks[object>>6]
	bit := uint64(1) << (object & 63)
	if b.Present&bit == 0 {
		if b.Suspended&bit != 0 {
			m.forget(b, object)
		}
		return
	}
	row := object + b.Base
	if b.Odd&bit != 0 {
		row = m.detach(b, object)
	}
	was := b.Present // leave, by hand: this is where the time goes
	if b.Present &^= bit; b.Present == 0 || was|m.heard == full {
		m.afterLeave(b, was, object>>6, bit)
	}
	c := m.count
	c.Mounted--
	c.Shape = uint32(*m.tick)
	if row>>6 >= uint32(len(m.mounted)) { // a mark
		return
	}
	if m.packed {
		m.pack(row)
		return
	}
	m.mounted[row>>6] &^= 1 << (row & 63)
	m.release(row)
}

// Dispose is Remove by row; the row may be unmounted. It panics when row is not in use.
func (m *Manager) Dispose(row layout.Row) {
	object := m.owner(row)
	if object == unmounted {
		m.count.Loose--
		m.reshape()
		m.release(uint32(row))
		return
	}
	m.Drop(object)
}

// Copy adds a component to object dst, which has none, with the values of object src's. The caller
// knows that there is a row.
func (m *Manager) Copy(dst, src uint32) {
	row, err := m.Add(dst)
	if err != nil || m.Kind.Mark {
		return
	}
	from, _ := m.RowOf(src)
	m.copyRow(uint32(row), uint32(from))
}

// pack moves the last row of a packed manager into the place of one that is on no object any more.
func (m *Manager) pack(row uint32) {
	last := m.count.High - 1
	if row != last {
		object := m.objects[last]
		m.copyRow(row, last)
		m.objects[row] = object
		m.changed[row>>6] = *m.tick
		m.count.Changed = *m.tick
		m.rerow(object, row)
	}
	m.sink(last, last+1)
	m.objects[last] = 0
	m.mounted[last>>6] &^= 1 << (last & 63)
	if m.count.High--; last&63 == 0 {
		m.changed[last>>6] = 0
	}
}

// copyRow sets the values of row dst to those of row src.
func (m *Manager) copyRow(dst, src uint32) {
	for i := range m.Columns {
		m.Columns[i].Copy(int(dst), int(src))
	}
	if m.Values != nil {
		m.Values.CopyRow(int(dst), int(src))
	}
}

// rerow notes that the component of an object is in another row.
func (m *Manager) rerow(object, row uint32) {
	b := &m.Blocks[object>>6]
	bit := uint64(1) << (object & 63)
	was := b.Present == full
	if b.Odd&bit != 0 {
		if b.Odd &^= bit; b.Odd == 0 {
			m.dropPage(b)
		}
	}
	if base := row - object; base != b.Base {
		if b.Present&^b.Odd == bit { // it alone is in lockstep
			b.Present &^= bit
			m.rebase(b, object>>6, base)
			b.Present |= bit
		} else {
			m.stray(b, object, row)
		}
	}
	if was {
		m.join(object >> 6)
	}
}

// Suspend takes the component of an object away and keeps its row and values, until the object gets
// the component again or is disposed. A mark has no values: it is just taken away. The error wraps
// [ErrRemove]; it panics when the manager is packed, for its rows move.
func (m *Manager) Suspend(object uint32) error {
	if m.packed {
		panic("manager: " + m.Kind.Name +
			" is packed and cannot keep a row; use a kind that is not")
	}
	b := &m.Blocks[object>>6]
	if !m.Has(object) {
		return m.refuse(ErrRemove, object)
	}
	m.count.Mounted--
	m.reshape()
	if !m.Kind.Mark {
		row, _ := m.RowOf(object)
		b.Suspended |= 1 << (object & 63)
		m.objects[row] = suspended | object
		m.mounted[row>>6] &^= 1 << (row & 63)
		m.count.Suspended++
	}
	m.leave(b, object)
	return nil
}

// resume gives an object the component back that it had when it was suspended.
func (m *Manager) resume(b *Block, object uint32) (layout.Row, error) {
	if m.Has(object) {
		return 0, m.refuse(ErrTwice, object)
	}
	row := object + b.Base
	if b.Odd>>(object&63)&1 != 0 {
		row = m.pages[b.Page][object&63]
	}
	b.Suspended &^= 1 << (object & 63)
	m.objects[row] = object
	m.mounted[row>>6] |= 1 << (row & 63)
	m.Touch(row, 1)
	m.count.Suspended--
	m.count.Mounted++
	m.reshape()
	m.enter(b, object)
	return layout.Row(row), nil
}

// forget disposes the row that an object keeps.
func (m *Manager) forget(b *Block, object uint32) {
	row := m.detach(b, object)
	b.Suspended &^= 1 << (object & 63)
	m.forgetKind(b, object>>6)
	m.count.Suspended--
	m.reshape()
	m.release(row)
}
