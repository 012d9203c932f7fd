package systems

// A base says from which time of which world a snapshot's bytes are: what the world changed since
// is stamped with that tick or a later one, unless it went back behind it in between.
type base struct {
	world  *job
	branch uint32 // the world's, then
	tick   uint64
}

// A past is how often, and how far, a world went back.
type past struct {
	branch uint32 // times that it went back
	cuts   [32]cut
	n      int // cuts in use, the oldest first, of ascending ticks
}

// A cut is one time when the world went back.
type cut struct {
	branch uint32 // the world's, since then
	tick   uint64 // what was after it, or at it, was undone; 0: nothing is as it was
}

// now returns the base of what is equal to the world.
func (j *job) now() base { return base{j, j.past.branch, *j.Tick} }

// since returns the tick since which the world bears stamps on all that differs from p, if there is
// one.
func (j *job) since(p *Snapshot) (tick uint64, ok bool) {
	b := &p.base
	if b.world != j {
		return 0, false
	}
	for _, c := range j.past.cuts[:j.past.n] {
		if c.branch > b.branch && c.tick <= b.tick {
			return 0, false
		}
	}
	return b.tick, true
}

// cut notes that the world goes back to a tick of its past.
func (j *job) cut(tick uint64) {
	p := &j.past
	p.branch++
	for p.n > 0 && p.cuts[p.n-1].tick >= tick { // the new one says more
		p.n--
	}
	if p.n == len(p.cuts) { // the two oldest become one, which says no less than both
		p.cuts[1].tick = p.cuts[0].tick
		p.n = copy(p.cuts[:], p.cuts[1:])
	}
	p.cuts[p.n] = cut{p.branch, tick}
	p.n++
}
