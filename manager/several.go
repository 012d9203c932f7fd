package manager

// AddEach adds the components and marks of several managers to an object that has none of them and
// keeps no row suspended, as [Manager.Add] of one after the other does. The caller has checked that
// there are rows.
func AddEach(managers []*Manager, object uint32) {
	block, bit := object>>6, uint64(1)<<(object&63)
	for _, m := range managers {
		b := &m.Blocks[block]
		row := object + b.Base
		if uint(row) < uint(len(m.objects)) { // an inlined copy of takeHome and mount: hot path
			o, mounted, at := &m.objects[row], &m.mounted[row>>6], uint64(1)<<(row&63)
			c, home := m.count, *o-free < unmounted-free
			if home {
				m.checkListed(row)
				m.cut(*o, m.links[row])
			}
			if home || *o == 0 && *mounted&at == 0 && row < c.High && c.Reserved != 0 {
				m.checkFresh(row, 1)
				t, was := *m.tick, b.Present
				*o = object
				*mounted |= at
				m.changed[row>>6] = t
				c.Changed, c.Shape = t, uint32(t)
				m.Reshaped++
				c.Mounted++
				b.Present = was | bit
				if was == 0 || (was|bit|m.heard) == full {
					m.afterEnter(b, was, block, bit)
				}
				continue
			}
		}
		_, _ = m.Add(object) // there is room
	}
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
