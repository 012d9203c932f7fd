package gameobject

import (
	"fmt"
	"math"
	"math/bits"
)

// Verify recomputes everything redundant in the registry, and returns an error that names the first
// difference. It is slow and allocates; it is for tests, tools and loaded bytes.
func (r *Registry) Verify() error {
	c := r.Count
	var live, retired uint32
	for i := range min(c.High, uint32(r.Cap())) {
		alive := r.Views.Alive[i>>6]>>(i&63)&1 != 0
		switch g := r.Generations[i]; {
		case alive && g == 0, i >= c.Used && (alive || g != 0):
			return fmt.Errorf("flatecs: index %d was never used, and is alive or was", i)
		case g > spent, alive && g == spent:
			return fmt.Errorf("flatecs: index %d is in generation %d, after the last", i, g)
		case alive:
			live++
		case g == spent:
			retired++
		}
	}
	if live != c.Live || retired != c.Retired {
		return fmt.Errorf("flatecs: %d alive and %d retired, counted %d and %d",
			live, retired, c.Live, c.Retired)
	}
	if c.High > uint32(r.Cap()) || c.Used > c.High || c.Fresh > c.End || c.End > c.High {
		return fmt.Errorf("flatecs: counters %+v do not fit %d objects", *c, r.Cap())
	}
	for b, x := range r.Views.Alive[:(c.High+63)/64] {
		g, bit := r.Groups[b>>6], uint64(1)<<(b&63)
		if (g.Some&bit != 0) != (x != 0) || (g.Full&bit != 0) != (x == math.MaxUint64) {
			return fmt.Errorf("flatecs: group %d is %x, of live objects %x in block %d", b>>6, g, x,
				b)
		}
	}
	return verifyPools(r)
}

// verifyPools checks that every dead index can be handed out again.
func verifyPools(r *Registry) error {
	listed := make([]bool, r.Count.High)
	for i, last := r.Count.Free, uint32(0); i != 0; i, last = r.Next[i-1], i {
		if i > r.Count.High || listed[i-1] || r.Owners[(i-1)>>6] != 0 {
			return fmt.Errorf("flatecs: the free list leads from %d to index %d", int64(last)-1,
				i-1)
		}
		listed[i-1] = true
	}
	for i := range r.Count.High {
		pool := int(r.Owners[i>>6])
		alive := r.Views.Alive[i>>6]>>(i&63)&1 != 0
		fresh := i >= r.Count.Fresh && i < r.Count.End
		free := !alive && r.Generations[i] != spent
		switch {
		case pool == 0 && free != (listed[i] || fresh):
			return fmt.Errorf("flatecs: index %d is alive and free, or neither", i)
		case pool != 0 && free && *room(r, pool, i>>12)>>(i>>6&63)&1 == 0:
			return fmt.Errorf("flatecs: index %d is free, and pool %d has no room there", i,
				pool)
		}
	}
	counted := make([]Pool, len(r.Pools))
	for i := range r.Count.High {
		switch pool := r.PoolOf(i); {
		case pool == 0:
		case r.Owners[i>>6] != 0:
			counted[pool-1].Slabs++
		case r.Views.Alive[i>>6]>>(i&63)&1 != 0:
			counted[pool-1].Loose++
		}
	}
	for pool := 1; pool <= len(r.Pools); pool++ {
		p := r.Pools[pool-1]
		for w := range min(r.Count.groups(), p.Lowest) {
			if x := *room(r, pool, w); x != 0 {
				return fmt.Errorf("flatecs: pool %d has room below word %d, at block %d",
					pool, p.Lowest, int(w)<<6+bits.TrailingZeros64(x))
			}
		}
		if counted[pool-1].Lowest = p.Lowest; counted[pool-1] != p {
			return fmt.Errorf("flatecs: pool %d has %+v, and should have %+v", pool, p,
				counted[pool-1])
		}
	}
	return nil
}
