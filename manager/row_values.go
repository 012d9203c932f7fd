package manager

import "math"

// useRows writes the defaults to the rows in [from, to), which are about to be used for the first
// time, if they are free room.
func (m *Manager) useRows(from, to uint32) {
	if !m.lazy {
		return
	}
	m.prepare(to)
	for i := range m.Columns {
		c := &m.Columns[i]
		if to-from >= 64 { // a slab
			c.Commit(m.memory, int(from), int(to))
		}
		if !c.Zero() {
			c.FillRows(int(from), int(to))
		}
	}
}

// unuseRows resets the rows in [from, to), which are not used any more, to their state before first
// use.
func (m *Manager) unuseRows(from, to uint32) {
	m.resetRows(int(from), int(to))
	if !m.lazy {
		return
	}
	for i := range m.Columns {
		if c := &m.Columns[i]; !c.Zero() {
			c.ClearRows(int(from), int(to))
		}
	}
}

// prepare makes the columns of free room writable up to row high.
func (m *Manager) prepare(high uint32) {
	if high > m.ready {
		m.enlarge(high)
	}
	if m.Values != nil {
		m.Values.Grow(int(high))
	}
}

//go:noinline
func (m *Manager) enlarge(high uint32) {
	m.ready = math.MaxUint32
	for i := range m.Columns {
		c := &m.Columns[i]
		if n := c.Use(m.memory, int(high)); n < m.Cap() {
			m.ready = min(m.ready, uint32(n))
		}
	}
}

// resetRow sets a row to the defaults.
func (m *Manager) resetRow(row uint32) {
	if m.apart {
		m.resetApart(row)
	}
	for i := range m.Columns {
		m.Columns[i].Reset(int(row))
	}
}

// resetRows sets the rows in [from, to) to the defaults.
func (m *Manager) resetRows(from, to int) {
	if m.apart {
		for row := from; row < to; row++ {
			m.resetApart(uint32(row))
		}
	}
	for i := range m.Columns {
		m.Columns[i].FillRows(from, to)
	}
}

// resetApart sets what is not in the columns of a row to the defaults.
func (m *Manager) resetApart(row uint32) {
	if m.Values != nil {
		m.Values.Reset(int(row))
	}
	m.resetLists(row)
}
