package manager

import "github.com/flatecs/flatecs/layout"

// Suspend removes the component of an object and keeps its row and values until the object gets the
// component again or is disposed. A mark is just removed. The error wraps [ErrRemove]. It panics if
// the manager is packed, because its rows move.
func (m *Manager) Suspend(object uint32) error {
	if m.packed {
		panic("flatecs: " + m.Kind.Name +
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

// resume gives a suspended component back to its object.
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

// forget disposes the suspended row of an object.
func (m *Manager) forget(b *Block, object uint32) {
	row := m.detach(b, object)
	b.Suspended &^= 1 << (object & 63)
	m.forgetKind(b, object>>6)
	m.count.Suspended--
	m.reshape()
	m.checkFree()
	m.release(row)
}
