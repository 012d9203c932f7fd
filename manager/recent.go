package manager

import "slices"

// many stands for several rows, which the stamps and the mounted bits tell.
const many = ^uint32(0)

// wroteMany counts a change of the values of several rows.
func (m *Manager) wroteMany() {
	m.Written++
	m.wrote[m.Written%Recent] = many
}

// reshapedMany counts a change of structure in several rows.
func (m *Manager) reshapedMany() {
	m.Reshaped++
	m.moved[m.Reshaped%Recent] = many
}

// reshapeMany is reshape for several rows.
func (m *Manager) reshapeMany() {
	m.count.Shape = uint32(*m.tick)
	m.reshapedMany()
}

// Recent appends the rows to dst that changed since Written and Reshaped were written and shaped:
// by their values, or because an object got or lost the component there. A row may be listed
// several times. It returns false if there were too many changes to remember, or one of many rows.
func (m *Manager) Recent(dst []uint32, written, shaped uint64) (rows []uint32, ok bool) {
	if m.Written-written > Recent || m.Reshaped-shaped > Recent {
		return dst, false
	}
	for ; written != m.Written; written++ {
		dst = append(dst, m.wrote[(written+1)%Recent])
	}
	for ; shaped != m.Reshaped; shaped++ {
		dst = append(dst, m.moved[(shaped+1)%Recent])
	}
	return dst, !slices.Contains(dst, many)
}
