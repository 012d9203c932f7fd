package manager

// near is the distance, in bytes, up to which the pages of two parts are asked for by one call.
const near = 4 << 10

// commit asks for the pages of a, a new copy, that the used bytes of from will be copied to.
func commit(a *Arena, from *Arena) {
	parts, lo, hi := a.layout(), 0, 0
	for i := range parts {
		p := &parts[i]
		n := usedOf(from, p)
		if n > 0 && p.at-hi > near {
			a.memory.Commit(lo, hi)
			lo = p.at
		}
		if n > 0 {
			hi = p.at + n
		}
	}
	a.memory.Commit(lo, hi)
}

// CommitFor commits the memory that so many objects of a take, each with every kind.
func CommitFor(a *Arena, objects int) {
	for i := range a.Managers {
		d := &a.Managers[i].Data
		d.prepare(uint32(min(objects, d.rows.Cap())))
	}
	parts, share := a.layout(), float64(objects)/float64(a.sizes.Objects)
	for i := range parts {
		p := &parts[i]
		a.memory.Commit(p.at, p.at+int(share*float64(p.size)))
	}
}
