package manager

import "slices"

// many stands for several rows, which the stamps and the mounted bits tell.
const many = ^uint32(0)

// note counts a settled object that was spawned or disposed.
func (r *recipe) note(object uint32) {
	r.turned++
	r.objects[r.turned%uint64(len(r.objects))] = object
}

// remember counts a change of structure in a row.
func (s *Stamps) remember(row uint32) {
	s.reshaped++
	s.moved[s.reshaped%Recent] = row
}

// Reshaped returns how often it changed who has the component.
//
//go:noinline
func (s *Stamps) Reshaped() uint64 {
	n := s.reshaped
	for i := range s.arena.recipes.list {
		if r := &s.arena.recipes.list[i]; r.mask&s.bit != 0 {
			n += r.turned
		}
	}
	return n
}

// wroteMany counts a change of the values of several rows.
func (s *Stamps) wroteMany() {
	s.Written++
	s.wrote[s.Written%Recent] = many
}

// reshapeMany is reshape for several rows.
func (s *Stamps) reshapeMany() {
	s.count.Shape = uint32(*s.tick)
	s.remember(many)
}

// RecentRows appends the rows to dst that changed since Written and Reshaped were written and
// shaped: by their values, or because an object got or lost the component there. Others may be
// listed too, and a row several times. It returns false if there were too many changes to remember
// or for dst, or one of many rows.
func RecentRows(m *Manager, dst []uint32, written, shaped uint64) (rows []uint32, ok bool) {
	turned := m.Stamps.Reshaped() - shaped // by the kind itself or by any of its recipes
	if m.Stamps.Written-written > Recent || turned > Recent {
		return dst, false
	}
	c := &m.Stamps
	for ; written != m.Stamps.Written; written++ {
		dst = append(dst, c.wrote[(written+1)%Recent])
	}
	for i := range min(turned, c.reshaped) {
		dst = append(dst, c.moved[(c.reshaped-i)%Recent])
	}
	for i := range c.arena.recipes.list {
		r := &c.arena.recipes.list[i]
		if r.mask&m.Blocks.kinds.bit == 0 {
			continue
		}
		n, most := min(turned, r.turned), uint64(len(r.objects))
		if n > most || uint64(cap(dst)-len(dst)) < n {
			return dst, false
		}
		for i := range n {
			object := r.objects[(r.turned-i)%most]
			dst = append(dst, m.Blocks.list[object>>6].row(object))
		}
	}
	return dst, !slices.Contains(dst, many)
}
