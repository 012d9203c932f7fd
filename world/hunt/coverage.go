package hunt

import (
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A coverage is the set of numbers that characterise the states that a worker has reached.
type coverage struct {
	seen   map[uint64]struct{}
	fresh  bool            // the current state has a new number
	recent [1 << 10]uint64 // cache by last bits; most numbers repeat
	probes []probe         // for the game's fields, and for lengths
	note   func(uint64)    // add, for Game.Cover
}

// add adds a number.
func (c *coverage) add(x uint64) {
	const most = 1 << 20
	if at := &c.recent[x%uint64(len(c.recent))]; *at != x {
		*at = x
	} else if x != 0 {
		return
	}
	if _, ok := c.seen[x]; !ok && len(c.seen) < most {
		c.seen[x], c.fresh = struct{}{}, true
	}
}

// addFields adds a number per object for the magnitudes of its fields, and one per length of a
// list.
func (c *coverage) addFields(s world.State) {
	for id := range world.GameObjects(s) {
		hash, has := uint64(14695981039346656037), false
		for i := range c.probes {
			p := &c.probes[i]
			value, _ := tool.ValueOf(s, p.spec, id)
			if value == nil {
				continue
			}
			if p.length {
				c.add(1<<63 | uint64(i)<<16 | lengthClass(uint(len(value)/p.stride)))
				continue
			}
			has = true
			for ; len(value) > 0; value = value[p.stride:] {
				for n := range p.lanes {
					hash = (hash ^ p.lanes[n].class(value) ^ uint64(i)<<32) * 1099511628211
				}
			}
		}
		if has {
			c.add(hash)
		}
	}
}
