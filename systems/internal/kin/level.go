package kin

// Levels makes the levels valid, and returns their number.
func (l *Lists) Levels() int {
	if l.levelled.Load() != l.exact() {
		l.deriveLevels()
	}
	return l.deep
}

// Level returns the objects of a depth, from 1 on, ascending. Levels must be valid.
func (l *Lists) Level(depth int) []uint32 {
	return l.level[l.levels[depth-1]:l.levels[depth]]
}

// Held returns the objects of a block that refer to one. Levels must be valid.
func (l *Lists) Held(block uint32) uint64 { return l.held[block] }

// TargetOf returns the object that an object refers to. Levels must be valid.
func (l *Lists) TargetOf(object uint32) (target uint32, ok bool) {
	target = l.target[object]
	return target, target != none
}

//go:noinline
func (l *Lists) deriveLevels() {
	l.list()
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.levelled.Load() == l.exact() {
		return
	}
	if at, ok := l.findDepths(); !ok {
		panic("flatecs: " + l.ring(at, at) + "; write references by Set and commands")
	}
	l.levelled.Store(l.exact())
}

// findDepths derives held, level and levels. It returns false, and an object of it, if there is a
// ring.
func (l *Lists) findDepths() (at uint32, ok bool) {
	l.findTargets() // of components that were removed there are none any more
	l.findHeld()
	deepest := uint32(0)
	for o := range l.objects {
		if l.refers(o) && l.depth[o] == 0 {
			d := l.findDepth(o)
			if d == none {
				return o, false
			}
			deepest = max(deepest, d)
		}
	}
	l.sortLevels(int(deepest))
	return 0, true
}

// findHeld derives held, and clears the depths.
func (l *Lists) findHeld() {
	for k := range (l.objects + 63) / 64 {
		first := k << 6
		end := min(first+64, uint32(len(l.target)))
		present, held := l.m.Blocks[k].Present, uint64(0)
		for i, t := range l.target[first:end] {
			if t != none {
				held |= 1 << (i & 63)
			}
		}
		l.held[k] = held & present
		clear(l.depth[first:end])
	}
}

func (l *Lists) refers(object uint32) bool { return l.held[object>>6]>>(object&63)&1 != 0 }

// findDepth sets the depths of an object and of those above it: it climbs to the first whose depth
// is known, and climbs again to write them down. It returns none if the object is below a ring.
func (l *Lists) findDepth(object uint32) uint32 {
	up := uint32(0)
	at := object
	for l.refers(at) && l.depth[at] == 0 {
		if up++; up > l.objects {
			return none
		}
		at = l.target[at]
	}
	depth := up
	if l.refers(at) {
		depth += l.depth[at]
	}
	for at, d := object, depth; up > 0; up, d = up-1, d-1 {
		l.depth[at] = d
		at = l.target[at]
	}
	return depth
}

// sortLevels derives level and levels by counting.
func (l *Lists) sortLevels(deepest int) {
	levels := l.levels[:deepest+1]
	clear(levels)
	for _, d := range l.depth[:l.objects] {
		if d != 0 {
			levels[d]++
		}
	}
	for d := 1; d <= deepest; d++ {
		levels[d] += levels[d-1]
	}
	for o, d := range l.depth[:l.objects] { // levels[d-1] moves to its end, which is where d begins
		if d != 0 {
			l.level[levels[d-1]] = uint32(o)
			levels[d-1]++
		}
	}
	copy(levels[1:], levels[:deepest])
	levels[0] = 0
	l.deep = deepest
}
