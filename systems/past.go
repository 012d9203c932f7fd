package systems

// A base is a point in the history of a world: the time at which a snapshot was equal to it.
// Restoring makes the history a tree; two branches have the same ticks up to the point where they
// part.
type base struct {
	world  *job
	branch uint32 // the world's branch then
	tick   uint64
}

// A past records the restores of a world.
type past struct {
	branch uint32 // number of restores
	cuts   []cut  // ascending ticks; at most maxCuts
}

const maxCuts = 32

// A cut is one restore.
type cut struct {
	branch uint32 // the world's branch since then
	tick   uint64 // the branches are equal up to this tick; 0: not at all
}

// now returns the base of a copy made now.
func (j *job) now() base { return base{j, j.past.branch, *j.Tick} }

// since returns the last tick at which p and the world were equal, or 0. What differs now is
// stamped with that tick or a later one in at least one of the two. It returns 0 for ticks 2³¹ or
// more ago, because some stamps have 32 bits only.
func (j *job) since(p *Snapshot) uint64 {
	if p.base.world != j {
		return 0
	}
	tick := p.base.tick
	for _, c := range j.past.cuts {
		if c.branch > p.base.branch { // later cuts are at later ticks
			tick = min(tick, c.tick)
			break
		}
	}
	if max(*j.Tick, *p.arena.Tick)-tick >= 1<<31 {
		return 0
	}
	return tick
}

// cut records a restore to a state that is equal up to tick.
func (j *job) cut(tick uint64) {
	p := &j.past
	p.ready()
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

// ready allocates room for all cuts, once.
func (p *past) ready() {
	if p.cuts == nil {
		p.cuts = make([]cut, 0, maxCuts)
	}
}
