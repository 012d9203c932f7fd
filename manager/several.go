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
