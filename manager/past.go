package manager

// A Past records how often, and how far, a world went back. It knows up to which tick two copies of
// a world are equal, so that only later writes are copied:
//
//	branch 0  1 ─ 2 ─ 3 ─ 4          the world goes back from tick 4 to 2: a cut
//	branch 1          └ 3 ─ 4 ─ 5    a copy of branch 0 and the world are equal up to tick 2
//
// The times of a world are a tree: going back starts a second branch, and both branches are the
// same up to that tick.
type Past struct {
	branch uint32 // number of restores
	cuts   []cut  // ascending ticks; at most maxCuts
	seen   seen
}

const maxCuts = 32

// A cut is one restore.
type cut struct {
	branch uint32 // the world's branch since then
	tick   uint64 // the branches are equal up to this tick; 0: not at all
}

// A Base says from which branch and tick of which world a copy's bytes are.
type Base struct {
	world  *Past
	branch uint32 // the world's branch then
	tick   uint64
}

// Now returns the base of a copy that is equal to the world at a tick.
func (p *Past) Now(tick uint64) Base {
	p.Ready()
	return Base{p, p.branch, tick}
}

// Since returns the last tick at which the world, now at tick now, and a copy with base b at tick
// copied were equal, or 0. Later differences are stamped with that tick or a later one, in the
// world or in the copy. Since forgets ticks that are 2³¹ ticks old, because some stamps are half a
// tick.
func (p *Past) Since(b Base, now, copied uint64) uint64 {
	if b.world != p {
		return 0
	}
	tick := b.tick
	for _, c := range p.cuts {
		if c.branch > b.branch { // later cuts are at later ticks
			tick = min(tick, c.tick)
			break
		}
	}
	if max(now, copied)-tick >= 1<<31 {
		return 0
	}
	return tick
}

// Cut records a restore to a state that is equal up to tick.
func (p *Past) Cut(tick uint64) {
	if p.cuts == nil {
		return // there is no copy yet
	}
	p.branch++
	n := len(p.cuts)
	for n > 0 && p.cuts[n-1].tick >= tick { // the new cut covers it
		n--
	}
	if n == maxCuts { // merge the two oldest cuts, conservatively
		p.cuts[1].tick = p.cuts[0].tick
		n = copy(p.cuts, p.cuts[1:])
	}
	p.cuts = append(p.cuts[:n], cut{p.branch, tick})
}

// Ready allocates room for all cuts, once.
func (p *Past) Ready() {
	if p.cuts == nil {
		p.cuts = make([]cut, 0, maxCuts)
	}
}
