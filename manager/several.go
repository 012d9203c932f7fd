package manager

// AddEach adds the components and marks of several managers to an object that has none of them and
// keeps no row suspended, as [Manager.Add] of one after the other does. The caller has checked that
// there are rows.
func AddEach(managers []*Manager, object uint32) {
	for _, m := range managers {
		b := &m.Blocks[object>>6]
		row := object + b.Base
		if uint(row) < uint(len(m.objects)) {
			switch o := m.objects[row]; { // an inlined copy of takeHome: hot path
			case o-free < unmounted-free:
				m.checkListed(row)
				m.cut(o, m.links[row])
				m.mount(b, object, row)
				continue
			case o == 0 && m.isKept(row):
				m.mount(b, object, row)
				continue
			}
		}
		_, _ = m.Add(object) // there is room
	}
}

// Crowded returns the first manager that has less than n unused rows, or nil. Marks have room for
// every object.
func Crowded(managers []*Manager, n int) *Manager {
	for _, m := range managers {
		c := m.count
		if n > len(m.objects)-int(c.Loose+c.Mounted+c.Suspended) && !m.Kind.Mark {
			return m
		}
	}
	return nil
}
