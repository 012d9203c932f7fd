package manager

import (
	"fmt"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// The values of Manager.objects, per row: the object that the row is mounted on; unmounted; free
// plus the row disposed before it plus 1; suspended plus the object whose values it keeps. A row
// that was never used holds 0, also below High if it is reserved for an object of a slab.
const (
	free      = uint32(1) << 31
	suspended = uint32(1) << 30
	unmounted = ^uint32(0)
)

// MaxRows is the largest number of rows of a kind, and of objects in a world.
const MaxRows = 1<<30 - 64

// Create returns a row that is not on an object yet: the row disposed last, or else the first
// unused one. The error wraps [ErrFull]. It panics if the kind is a mark or packed.
func (m *Manager) Create() (layout.Row, error) {
	switch {
	case m.Kind.Mark:
		panic("flatecs: " + m.Kind.Name + " is a mark and has no rows; add it to an object")
	case m.packed:
		panic("flatecs: " + m.Kind.Name + " is packed and its rows move; add it to an object")
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

// Mount puts a created row on an object. The error wraps [ErrTwice] if the object has a component
// of this kind already, or the row is on an object. It panics if row is not in use.
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

// Add creates and mounts in one step. It takes the object's home row, which is in lockstep with its
// block, if that one was disposed; otherwise the row that Create would return. For a mark it
// returns row 0. A suspended component comes back with its row and values. The error wraps
// [ErrTwice] or [ErrFull].
func (m *Manager) Add(object uint32) (layout.Row, error) {
	b := &m.Blocks[object>>6]
	if (b.Present|b.Suspended)>>(object&63)&1 != 0 {
		return m.resume(b, object)
	}
	if len(m.objects) == 0 {
		return 0, m.mark(b, object)
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

// Home returns the row that Add would give to an object without a row, and whether that is its home
// row. A mark has no rows and reports true.
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

// mark is Add for a mark.
func (m *Manager) mark(b *Block, object uint32) error {
	if !m.Kind.Mark {
		return m.refuse(ErrFull, object)
	}
	m.count.Mounted++
	m.reshape()
	m.enter(b, object)
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
	was := b.Present // inlined copy of leave: hot path
	if b.Present &^= bit; b.Present == 0 || was|m.heard == full {
		m.left(b, was, object>>6, bit)
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
	m.checkFree()
	m.release(row)
}

// detach takes the row from an object that has one and returns it.
func (m *Manager) detach(b *Block, object uint32) (row uint32) {
	if b.Odd>>(object&63)&1 == 0 {
		return object + b.Base
	}
	row = m.pages[b.Page][object&63]
	if b.Odd &^= 1 << (object & 63); b.Odd == 0 {
		m.dropPage(b)
	}
	return row
}

// Dispose is Remove by row; the row may be loose. It panics if row is not in use.
func (m *Manager) Dispose(row layout.Row) {
	object := m.owner(row)
	if object == unmounted {
		m.count.Loose--
		m.reshape()
		m.checkFree()
		m.release(uint32(row))
		return
	}
	m.Drop(object)
}

// release returns an unmounted row to its slab or to the free list.
func (m *Manager) release(row uint32) {
	m.reset(row)
	if m.inSlab(row) {
		m.keep(row)
		return
	}
	head := &m.count.Free
	m.objects[row], m.links[row] = free|*head, 0
	if *head != 0 {
		m.links[*head-1] = row + 1
	}
	*head = row + 1
}

// reset sets a row to the defaults.
func (m *Manager) reset(row uint32) {
	for i := range m.Columns {
		m.Columns[i].Reset(int(row))
	}
	if m.Values != nil {
		m.Values.Reset(int(row))
	}
}

// resetRows sets the rows in [from, to) to the defaults.
func (m *Manager) resetRows(from, to int) {
	for i := range m.Columns {
		m.Columns[i].FillRows(from, to)
	}
	if m.Values != nil {
		for row := from; row < to; row++ {
			m.Values.Reset(row)
		}
	}
}

// isFree reports whether a row is on the free list.
func (m *Manager) isFree(row uint32) bool {
	return row < uint32(len(m.objects)) && m.objects[row]-free < unmounted-free
}

// take returns a row for use: from the free list, else an unused one, else one reserved for a slab.
func (m *Manager) take() (row uint32, ok bool) {
	m.checkFree()
	c := m.count
	if c.Free != 0 {
		row = c.Free - 1
		m.unlink(row)
		return row, true
	}
	if c.High < uint32(len(m.objects)) {
		m.checkNext()
		c.High++
		if m.lazy {
			m.rise(c.High-1, c.High)
		}
		return c.High - 1, true
	}
	return m.takeKept()
}

// unlink takes a row off the free list.
func (m *Manager) unlink(row uint32) {
	m.checkListed(row)
	m.cut(m.objects[row], m.links[row])
}

// cut removes the row between two rows from the free list.
func (m *Manager) cut(next, before uint32) {
	if next != free {
		m.links[next-free-1] = before
	}
	if before != 0 {
		m.objects[before-1] = next
	} else {
		m.count.Free = next - free
	}
}

// owner returns the object that row is on, or unmounted. It panics if row is not in use.
func (m *Manager) owner(row layout.Row) uint32 {
	if uint32(row) < m.count.High {
		if o := m.objects[row]; o == unmounted || m.mounted[row>>6]>>(row&63)&1 != 0 {
			return o
		}
	}
	panic(m.unused(row))
}

//go:noinline
func (m *Manager) unused(row layout.Row) string {
	return fmt.Sprintf("flatecs: %s %d is not in use, %d of %d rows are; "+
		"use the row that create returned, and drop it at dispose", m.Kind.Name, row, m.Live(),
		len(m.objects))
}
