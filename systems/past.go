package systems

// A base says from which time of which world a snapshot's bytes are. The times of a world are a
// tree: where it goes back, and on, there are two branches, whose ticks are the same up to there.
type base struct {
	world  *job
	branch uint32 // the world's, then
	tick   uint64
}

// A past is how often, and how far, a world went back.
type past struct {
	branch uint32 // times that it went back
	cuts   []cut  // the oldest first, of ascending ticks; maxCuts at most
}

const maxCuts = 32

// A cut is one time when the world went back.
type cut struct {
	branch uint32 // the world's, since then
	tick   uint64 // up to which what is now was so before; 0: nothing was
}

// now returns the base of what is equal to the world.
func (j *job) now() base { return base{j, j.past.branch, *j.Tick} }

// since returns the last tick at which p and the world were one, or 0: what differs now bears it,
// or a later one, in one of them. What is 2³¹ ticks ago is forgotten, for some stamps are half a
// tick.
func (j *job) since(p *Snapshot) uint64 {
	if p.base.world != j {
		return 0
	}
	tick := p.base.tick
	for _, c := range j.past.cuts {
		if c.branch > p.base.branch { // later ones went back less far
			tick = min(tick, c.tick)
			break
		}
	}
	if max(*j.Tick, *p.arena.Tick)-tick >= 1<<31 {
		return 0
	}
	return tick
}

// cut notes that the world goes to another branch, which is the same up to a tick.
func (j *job) cut(tick uint64) {
	p := &j.past
	p.ready()
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

// ready makes room for every cut, once.
func (p *past) ready() {
	if p.cuts == nil {
		p.cuts = make([]cut, 0, maxCuts)
	}
}
