package kin

import (
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/systems/internal/index"
)

// none is the depth of an object below a ring.
const none = ^uint32(0)

// levels are the objects of a tree that have a parent, by depth.
type levels struct {
	index.Guard
	of     *Lists
	target []uint32 // see targets
	held   []uint64

	depth []uint32 // per object; scratch
	level []uint32 // objects with a parent, by depth, then ascending
	above []uint32 // per entry of level: its parent
	ends  []uint32 // per depth: its end in level
	deep  int      // number of levels
}

// derived says that the levels are valid at the settled version: all of them or none.
const derived = 1

// carve cuts the levels of n objects.
func (l *levels) carve(c *index.Cutter, n int) {
	rows := l.M.Rows.Cap()
	l.depth = index.Cut[uint32](c, n)
	l.level, l.above = index.Cut[uint32](c, rows), index.Cut[uint32](c, rows)
	l.ends, l.deep = index.Cut[uint32](c, rows+1), 0
}

// Settle invalidates the levels.
func (l *levels) Settle(uint32) uint32 { return 0 }

// Derive derives the levels. It panics if there is a ring.
func (l *levels) Derive(valid, what uint32) uint32 {
	l.of.Hold()
	l.target, l.held = l.of.ByObject()
	if l.patch() {
		return valid | what
	}
	l.deep = 0
	if at, ok := l.findDepths(); !ok {
		for range l.target { // above an object below a ring is at last the ring
			at = l.target[at]
		}
		panic("flatecs: " + l.of.ring(at, l.target[at]) + "; write references by Set and commands")
	}
	return valid | what
}

// Levels updates the levels, and returns their number.
func (l *Lists) Levels() int {
	if !l.levels.Has(l.Version(), derived) {
		l.levels.Make(derived, &l.levels)
	}
	return l.levels.deep
}

// Level returns the objects of a depth from 1, ascending, and their targets. Levels must be valid.
func (l *Lists) Level(depth int) (objects, targets []uint32) {
	from, to := l.levels.ends[depth-1], l.levels.ends[depth]
	return l.levels.level[from:to], l.levels.above[from:to]
}

// patch updates the levels if the same objects have a parent as when they were derived, at the same
// depth. Otherwise it returns false.
func (l *levels) patch() bool {
	n := uint32(0)
	for _, held := range l.held {
		n += uint32(bits.OnesCount64(held))
	}
	if l.deep == 0 || n != l.ends[l.deep] {
		return false
	}
	for d := range l.deep {
		level, above := l.of.Level(d + 1)
		for i, o := range level {
			if int(o) >= len(l.target) || !l.refers(o) {
				return false
			}
			if t := l.target[o]; above[i] != t {
				if !l.isAt(d, t) {
					return false
				}
				above[i] = t
			}
		}
	}
	return true
}

// isAt reports whether an object was at a depth when the levels were derived.
func (l *levels) isAt(depth int, object uint32) bool {
	if depth == 0 {
		return !l.refers(object)
	}
	level, _ := l.of.Level(depth)
	_, ok := slices.BinarySearch(level, object)
	return ok
}

// findDepths derives depth, level, above and ends. It returns false, and an object of it, if
// there is a ring.
func (l *levels) findDepths() (at uint32, ok bool) {
	for k, held := range l.held {
		if held != 0 {
			clear(l.depths(k))
		}
	}
	deepest := uint32(0)
	target, depth := l.target, l.depth[:len(l.target)]
	for k, held := range l.held {
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

// refers reports whether an object has a parent.
func (l *levels) refers(object uint32) bool { return l.held[object>>6]>>(object&63)&1 != 0 }

// findDepth sets the depths of an object and of the objects above it: it climbs to the first object
// with a known depth, and climbs again to write the depths. It returns none if the object is below
// a ring.
func (l *levels) findDepth(object uint32) uint32 {
	up := uint32(0)
	at := object
	for l.refers(at) && l.depth[at] == 0 {
		if up++; int(up) > len(l.target) {
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

// sortLevels derives level, above and ends by counting. It skips blocks without parents.
func (l *levels) sortLevels(deepest int) {
	ends := l.ends[:deepest+1]
	clear(ends)
	for k, held := range l.held {
		if held != 0 {
			for _, d := range l.depths(k) {
				if d != 0 {
					ends[d]++
				}
			}
		}
	}
	for d := 1; d <= deepest; d++ {
		ends[d] += ends[d-1]
	}
	for k, held := range l.held {
		if held != 0 {
			l.enter(ends, k)
		}
	}
	copy(ends[1:], ends[:deepest])
	ends[0] = 0
	l.deep = deepest
}

// depths returns the depths of a block.
func (l *levels) depths(block int) []uint32 {
	return l.depth[block<<6 : min(block<<6+64, len(l.target))]
}

// enter adds the objects of a block to level and above. Each ends[d-1] moves to its end, where
// depth d begins.
func (l *levels) enter(ends []uint32, block int) {
	depth, level, above := l.depths(block), l.level, l.above
	target := l.target[block<<6:][:len(depth)]
	for i, d := range depth {
		if d != 0 {
			at := ends[d-1]
			level[at], above[at] = uint32(block<<6+i), target[i]
			ends[d-1] = at + 1
		}
	}
}
