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
