package gameobject

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Rebuild checks counters, generations, free list and owners, which may be arbitrary bytes, and
// derives Room and Pools from them. The error names the first inconsistency; the registry is then
// unusable.
func (r *Registry) Rebuild(inOrder bool) error {
	if err := checkCounters(r, inOrder); err != nil {
		return fmt.Errorf("flatecs: %w", err)
	}
	free, err := rebuildIndexes(r)
	if err == nil {
		err = checkList(r, free)
	}
	if err == nil {
		err = rebuildPools(r)
	}
	if err != nil {
		return fmt.Errorf("flatecs: %w", err)
	}
	return nil
}

func checkCounters(r *Registry, inOrder bool) error {
	c := r.Count
	size := uint32(r.Cap())
	switch {
	case c.High > size:
		return fmt.Errorf("%d indexes are given out, of %d", c.High, size)
	case c.Used > c.High || c.Fresh > c.End || c.End > c.High || c.Live > c.Used:
		return fmt.Errorf("counters %+v contradict each other", *c)
	case c.InOrder > 1 || (c.InOrder == 1) != inOrder:
		return fmt.Errorf("indexes are used again in another order than Counts.InOrder says")
	}
	c.widen(size)
	return nil
}

// widen adds the rest of its last block to the loose pool, if a larger world has room for it.
func (c *Counters) widen(size uint32) {
	if n := min(-c.High&63, size-c.High); n > 0 && c.End == c.High {
		c.End += n
		c.High += n
	}
}

// rebuildIndexes checks every index, and returns the number of free loose ones that were used.
func rebuildIndexes(r *Registry) (free uint32, err error) {
	c := r.Count
	clear(r.Groups[:r.Count.groups()])
	var live, retired, used uint32
	for b := range (c.High + 63) / 64 {
		if int(r.Owners[b]) > len(r.Pools) {
			return 0, fmt.Errorf("block %d is of recipe %d, of %d", b, r.Owners[b], len(r.Pools))
		}
		first := b << 6
		n := min(64, c.High-first)
		x := r.Views.Alive[b]
		if n < 64 && x>>n != 0 {
			return 0, fmt.Errorf("objects after the last index, %d, are alive", c.High-1)
		}
		live += uint32(bits.OnesCount64(x))
		if x != 0 {
			r.Groups[b>>6].noteRaised(b, x)
		}
		if x == math.MaxUint64 && (first+64 <= c.Fresh || first >= c.End) &&
			allUsed(r.Generations[first:first+64]) {
			used = first + 64
			continue // all are alive
		}
		loose := r.Owners[b] == 0
		for i, g := range r.Generations[first : first+n] {
			index := first + uint32(i)
			alive, fresh := x>>i&1 != 0, index >= c.Fresh && index < c.End
			switch {
			case g == 0 && (alive || loose && !fresh), fresh && (g != 0 || !loose),
				g > spent, g == spent && alive:
				return 0, fmt.Errorf("index %d is in generation %d", index, g)
			case alive, g == 0:
			case g == spent:
				retired++
			case loose:
				free++
			}
			if g != 0 {
				used = max(used, index+1)
			}
		}
	}
	if live != c.Live || retired != c.Retired || used != c.Used {
		return 0, fmt.Errorf("%d alive, %d retired, %d used; counted %+v", live, retired, used, *c)
	}
	return free, nil
}

// allUsed reports whether a live object can have each of these generations.
func allUsed(generations []uint32) bool {
	var bad uint32 // in the top bit
	for _, g := range generations {
		bad |= g | (g - 1)
	}
	return bad <= LastGeneration
}

var errList = errors.New("the list of free indexes is broken")

// checkList checks that the free list holds every free index once.
func checkList(r *Registry, free uint32) error {
	c := r.Count
	listed := make([]uint64, (c.High+63)/64)
	last := uint32(0)
	for next := c.Free; next != 0; next = r.Next[last-1] {
		i := next - 1
		if free == 0 || i >= c.High || listed[i>>6]>>(i&63)&1 != 0 || r.Owners[i>>6] != 0 ||
			r.Views.Alive[i>>6]>>(i&63)&1 != 0 || r.Generations[i] == 0 ||
			r.Generations[i] == spent {
			return fmt.Errorf("%w at %d", errList, i)
		}
		listed[i>>6] |= 1 << (i & 63)
		free--
		last = next
	}
	if free != 0 || c.InOrder == 1 && c.Last != last || c.InOrder == 0 && c.Last != 0 {
		return errList
	}
	return nil
}

// rebuildPools derives which blocks of each pool have free indexes, and the loose objects it
// counts.
func rebuildPools(r *Registry) error {
	clear(r.Room[:int(r.Count.groups())*len(r.Pools)])
	for i := range r.Pools {
		r.Pools[i] = Pool{Lowest: uint32(len(r.Groups))}
	}
	for b := range (r.Count.High + 63) / 64 {
		pool := int(r.Owners[b])
		if pool == 0 {
			if err := countLoose(r, b); err != nil {
				return err
			}
			continue
		}
		if b<<6+64 > r.Count.High {
			return fmt.Errorf("block %d is of recipe %d, and is not whole", b, pool)
		}
		r.Pools[pool-1].Slabs += 64
		if r.free(b) != 0 {
			r.makeRoom(pool, b)
		}
	}
	return nil
}

// countLoose counts the live objects of a loose block in their pools.
func countLoose(r *Registry, b uint32) error {
	if len(r.Pools) == 0 {
		return nil
	}
	for x := r.Views.Alive[b]; x != 0; x &= x - 1 {
		i := b<<6 + uint32(bits.TrailingZeros64(x))
		switch pool := r.Next[i]; {
		case pool > uint32(len(r.Pools)):
			return fmt.Errorf("object %d is of recipe %d, of %d", i, pool, len(r.Pools))
		case pool != 0:
			r.Pools[pool-1].Loose++
		}
	}
	return nil
}

// Renumber replaces pool n of blocks and loose objects by pool to[n-1], or by 0 if to is shorter.
// Call it before a Rebuild.
func (r *Registry) Renumber(to []uint16) {
	pool := func(n uint32) uint16 {
		if n--; n < uint32(len(to)) {
			return to[n]
		}
		return 0
	}
	for b := range (min(r.Count.High, uint32(r.Cap())) + 63) / 64 {
		if r.Owners[b] != 0 {
			r.Owners[b] = pool(uint32(r.Owners[b]))
			continue
		}
		for x := r.Views.Alive[b]; x != 0; x &= x - 1 {
			if i := b<<6 + uint32(bits.TrailingZeros64(x)); i < uint32(len(r.Next)) {
				r.Next[i] = uint32(pool(r.Next[i]))
			}
		}
	}
}
