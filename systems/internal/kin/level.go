package kin

import "math/bits"

// Levels makes the levels valid, and returns their number.
func (l *Lists) Levels() int {
	if !l.has(validLevels) {
		l.derive(validLevels)
	}
	return l.deep
}

// Level returns the objects of a depth from 1, ascending, and their targets. Levels must be valid.
func (l *Lists) Level(depth int) (objects, targets []uint32) {
	from, to := l.levels[depth-1], l.levels[depth]
	return l.level[from:to], l.above[from:to]
}

// Version becomes another number when references may be others.
func (l *Lists) Version() uint64 { return l.version() }

// Hold makes what Held returns valid.
func (l *Lists) Hold() {
	if !l.has(validTargets) {
		l.derive(validTargets)
	}
}

// Held returns the objects of a block that refer to one. It must be valid.
func (l *Lists) Held(block uint32) uint64 {
	if block<<6 >= l.objects {
		return 0 // objects that were created since
	}
	return l.held[block]
}

// Targets returns the objects of a block that others refer to, and perhaps others. Levels must be
// valid.
func (l *Lists) Targets(block uint32) uint64 {
	if block<<6 >= l.objects {
		return 0
	}
	return l.targeted[block]
}

// TargetOf returns the object that an object of a level refers to. Levels must be valid.
func (l *Lists) TargetOf(object uint32) (target uint32) { return l.target[object] }

// findLevels derives level, above and levels. It panics if there is a ring.
func (l *Lists) findLevels() {
	if at, ok := l.findDepths(); !ok {
		panic("flatecs: " + l.ring(at, at) + "; write references by Set and commands")
	}
}

// findDepths derives depth, level, above and levels. It returns false, and an object of it, if
// there is a ring.
func (l *Lists) findDepths() (at uint32, ok bool) {
	for k, held := range l.held[:(l.objects+63)/64] {
		if held != 0 {
			clear(l.depths(k))
		}
	}
	deepest := uint32(0)
	target, depth := l.target[:l.objects], l.depth[:l.objects]
	for k, held := range l.held[:(l.objects+63)/64] {
		for ; held != 0; held &= held - 1 {
			o := uint32(k)<<6 + uint32(bits.TrailingZeros64(held))
			if depth[o] != 0 {
				continue
			}
			d, t := uint32(0), target[o]
			if l.refers(t) {
				if d = depth[t]; d == 0 {
					if d = l.findDepth(o); d == none {
						return o, false
					}
					d--
				}
			}
			depth[o] = d + 1
			deepest = max(deepest, d+1)
		}
	}
	l.sortLevels(int(deepest))
	return 0, true
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

// sortLevels derives level, above and levels by counting. Blocks in which nobody refers to one are
// left out.
func (l *Lists) sortLevels(deepest int) {
	levels := l.levels[:deepest+1]
	clear(levels)
	held := l.held[:(l.objects+63)/64]
	for k := range held {
		if held[k] != 0 {
			for _, d := range l.depths(k) {
				if d != 0 {
					levels[d]++
				}
			}
		}
	}
	for d := 1; d <= deepest; d++ {
		levels[d] += levels[d-1]
	}
	for k := range held {
		if held[k] != 0 {
			l.enter(levels, k)
		}
	}
	copy(levels[1:], levels[:deepest])
	levels[0] = 0
	l.deep = deepest
}

// depths returns those of a block.
func (l *Lists) depths(block int) []uint32 {
	return l.depth[block<<6 : min(block<<6+64, int(l.objects))]
}

// enter enters the objects of a block into level and above. levels[d-1] moves to its end, which is
// where d begins.
func (l *Lists) enter(levels []uint32, block int) {
	depth, level, above := l.depths(block), l.level, l.above
	target := l.target[block<<6:][:len(depth)]
	for i, d := range depth {
		if d != 0 {
			at := levels[d-1]
			level[at], above[at] = uint32(block<<6+i), target[i]
			levels[d-1] = at + 1
		}
	}
}
