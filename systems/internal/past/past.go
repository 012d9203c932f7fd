// Package past knows up to which tick two copies of a world are one, so that only what was written
// since is copied.
//
//	branch 0  1 ─ 2 ─ 3 ─ 4          the world goes back from tick 4 to 2: a cut
//	branch 1          └ 3 ─ 4 ─ 5    a copy of branch 0 and the world are one up to tick 2
//
// The times of a world are a tree: where it goes back, and on, there are two branches, whose ticks
// are the same up to there.
package past

// A Past is how often, and how far, a world went back.
type Past struct {
	branch uint32 // times that it went back
	cuts   []cut  // the oldest first, of ascending ticks; maxCuts at most
}

const maxCuts = 32

// A cut is one time when the world went back.
type cut struct {
	branch uint32 // the world's, since then
	tick   uint64 // up to which what is now was so before; 0: nothing was
}

// A Base says from which time of which world a copy's bytes are.
type Base struct {
	world  *Past
	branch uint32 // the world's, then
	tick   uint64
}

// Now returns the base of what is equal to the world at a tick.
func (p *Past) Now(tick uint64) Base { return Base{p, p.branch, tick} }

// Since returns the last tick at which the world, now at a tick, and a copy, which says another,
// were one, or 0: what differs now bears it, or a later one, in one of them. What is 2³¹ ticks ago
// is forgotten, for some stamps are half a tick.
func (p *Past) Since(b Base, now, copied uint64) uint64 {
	if b.world != p {
		return 0
	}
	tick := b.tick
	for _, c := range p.cuts {
		if c.branch > b.branch { // later ones went back less far
			tick = min(tick, c.tick)
			break
		}
	}
	if max(now, copied)-tick >= 1<<31 {
		return 0
	}
	return tick
}

// Cut notes that the world goes to another branch, which is the same up to a tick.
func (p *Past) Cut(tick uint64) {
	p.Ready()
	p.branch++
	n := len(p.cuts)
	for n > 0 && p.cuts[n-1].tick >= tick { // the new one says more
		n--
	}
	if n == maxCuts { // the two oldest become one, which says no less than both
		p.cuts[1].tick = p.cuts[0].tick
		n = copy(p.cuts, p.cuts[1:])
	}
	p.cuts = append(p.cuts[:n], cut{p.branch, tick})
}

// Ready makes room for every cut, once.
func (p *Past) Ready() {
	if p.cuts == nil {
		p.cuts = make([]cut, 0, maxCuts)
	}
}
