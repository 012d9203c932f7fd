package manager

// pack fills the gap that a released row leaves with the last row.
func (m *Manager) pack(row uint32) {
	m.checkLast()
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
