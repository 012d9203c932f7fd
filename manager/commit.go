package manager

// near is the distance, in bytes, up to which one call commits the pages of two parts.
const near = 4 << 10

// commit commits the pages of a, a new copy, that will receive the used bytes of from.
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

// CommitFor commits the memory that objects objects of a need, each with every kind.
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
