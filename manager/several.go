package manager

import (
	"github.com/flatecs/flatecs/buffer"
)

// AddEach adds the components and marks of several managers to an object that has none of them and
// keeps no row suspended, as [Manager.Add] of one after the other does. The caller has checked that
// there are rows.
func AddEach(managers []*Manager, object uint32) {
	if len(managers) == 0 {
		return
	}
	block, bit, t := object>>6, uint64(1)<<(object&63), *managers[0].tick
	for _, m := range managers {
		b := buffer.At[Block](m.blockBase, int(block))
		row := object + b.Base
		if uint(row) >= m.rows {
			_, _ = m.Add(object) // a mark, or there is another row
			continue
		}
		o := buffer.At[uint32](m.objectBase, int(row)) // an inlined copy of takeHome and mountOn
		if home, next := m.homeOf(row), *o; home != 0 {
			if next != 0 || home+b.Base != 1 { // in use, or kept for another object
				_, _ = m.Add(object)
				continue
			}
		} else if next-free < unmounted-free {
			m.checkListed(row)
			m.cut(next, m.links[row])
			*o = object
		} else {
			_, _ = m.Add(object)
			continue
		}
		m.checkFresh(row, 1)
		*buffer.At[uint64](m.mountedBase, int(row>>6)) |= 1 << (row & 63)
		*buffer.At[uint64](m.changedBase, int(row>>6)) = t
		c := m.count
		c.Changed, c.Shape = t, uint32(t)
		c.Mounted++
		m.Reshaped++
		m.moved[m.Reshaped%Recent] = row
		was := b.held()
		b.present |= bit
		if was == 0 || (was|bit|m.heard) == full {
			m.afterEnter(b, was, block, bit)
		}
	}
}

// HaveRoom reports whether each manager has an unused row.
func HaveRoom(managers []*Manager) bool {
	for _, m := range managers {
		if c := m.count; uint(c.High) >= m.rows &&
			m.Live() >= m.Cap() && !m.Kind.Mark {
			return false
		}
	}
	return true
}

// CheckRoom returns an error unless each manager has n unused rows. It wraps [ErrFull]. Marks have
// room for every object.
func CheckRoom(n int, managers ...*Manager) error {
	for _, m := range managers {
		if n > m.Cap()-m.Live() && !m.Kind.Mark {
			return &Error{Err: ErrFull, Kind: m.Kind.Name, Count: m.Cap()}
		}
	}
	return nil
}
