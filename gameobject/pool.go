package gameobject

import (
	"math"
	"math/bits"
)

// A Pool is derived from the indexes that belong to a pool, and the loose objects that it counts.
type Pool struct {
	Lowest uint32 // no word of Room before this one has a bit
	Loose  uint32 // live loose objects that it counts
	Slabs  uint32 // indexes in its slabs
}

// Spare returns the number of indexes that belong to no pool yet.
func (r *Registry) Spare() int { return r.Cap() - int(r.Count.High) }

// Reserve gives a pool, other than the loose one, a slab: the next n indexes, a multiple of 64 and
// at most [Registry.Spare]. It returns the first one.
func (r *Registry) Reserve(pool int, n uint32) (first uint32) {
	c := r.Count
	first = c.High
	c.High += n
	for b := first >> 6; b < (first+n)>>6; b++ {
		r.Owners[b] = uint16(pool)
		r.makeRoom(pool, b)
	}
	r.Pools[pool-1].Slabs += n
	return first
}

// Take creates an object at the lowest free index of a pool. It returns false if there is none, and
// for the loose pool.
func (r *Registry) Take(pool int) (ID, bool) {
	if pool == 0 {
		return Nobody, false
	}
	b, x := r.TakeBlock(pool, 1)
	if x == 0 {
		return Nobody, false
	}
	return r.At(b<<6 + uint32(bits.TrailingZeros64(x))), true
}

// TakeBlock creates up to n objects at the lowest free indexes of one block of a pool, and returns
// them as bits. No bit is set if the pool has no free index.
func (r *Registry) TakeBlock(pool, n int) (block uint32, objects uint64) {
	for {
		b, ok := r.firstWithRoom(pool)
		if !ok {
			return 0, 0
		}
		if x := r.free(b); x != 0 {
			x &^= above(x, n)
			r.revive(pool, b, x)
			return b, x
		}
		r.fill(pool, b)
	}
}

// above returns x without the n lowest bits.
func above(x uint64, n int) uint64 {
	if n >= 64 {
		return 0
	}
	for ; n > 0 && x != 0; n-- {
		x &= x - 1
	}
	return x
}

// revive creates the objects x of a block.
func (r *Registry) revive(pool int, b uint32, x uint64) {
	r.raise(b, x)
	r.Count.Live += uint32(bits.OnesCount64(x))
	r.Count.Used = max(r.Count.Used, b<<6+uint32(bits.Len64(x)))
	if r.Views.Alive[b] == math.MaxUint64 {
		r.fill(pool, b)
	}
	if r.Touched != nil {
		r.Touched(b, x)
	}
	generations := (*[64]uint32)(r.Generations[b<<6:]) // a block of a slab is complete
	if x == math.MaxUint64 {
		for i, g := range generations {
			if g == 0 {
				generations[i] = 1
			}
		}
		return
	}
	for ; x != 0; x &= x - 1 {
		g := &generations[bits.TrailingZeros64(x)&63]
		*g = max(*g, 1)
	}
}

// free returns the dead objects of a block that are not retired.
func (r *Registry) free(b uint32) uint64 {
	x := ^r.Views.Alive[b]
	if r.Count.Retired == 0 {
		return x
	}
	for y := x; y != 0; y &= y - 1 {
		if r.Generations[b<<6+uint32(bits.TrailingZeros64(y))] == spent {
			x &^= y & -y
		}
	}
	return x
}

// firstWithRoom returns the lowest block of a pool with a free index.
func (r *Registry) firstWithRoom(pool int) (b uint32, ok bool) {
	w := r.Pools[pool-1].Lowest
	if w >= uint32(len(r.Groups)) {
		return 0, false
	}
	if x := *room(r, pool, w); x != 0 {
		return w<<6 + uint32(bits.TrailingZeros64(x)), true
	}
	return r.search(pool)
}

// search is firstWithRoom after the pool's lowest word has lost its last block with a free index.
func (r *Registry) search(pool int) (b uint32, ok bool) {
	low := &r.Pools[pool-1].Lowest
	for w := *low; w < r.Count.groups(); w++ {
		if x := *room(r, pool, w); x != 0 {
			*low = w
			return w<<6 + uint32(bits.TrailingZeros64(x)), true
		}
	}
	*low = uint32(len(r.Groups))
	return 0, false
}

// makeRoom records that a block of a pool has a free index.
func (r *Registry) makeRoom(pool int, b uint32) {
	*room(r, pool, b>>6) |= 1 << (b & 63)
	low := &r.Pools[pool-1].Lowest
	*low = min(*low, b>>6)
}

// fill records that a block of a pool has no free index.
func (r *Registry) fill(pool int, b uint32) { *room(r, pool, b>>6) &^= 1 << (b & 63) }

// Filled notes that all objects of a block of a pool are alive now.
func Filled(r *Registry, pool int, b uint32) {
	r.Groups[b>>6].Full |= 1 << (b & 63)
	r.fill(pool, b)
}

// Opened notes that an object of a block of a pool is dead now, and all were alive.
func Opened(r *Registry, pool int, b uint32) {
	r.Groups[b>>6].Full &^= 1 << (b & 63)
	r.makeRoom(pool, b)
}

// room returns the word of a pool for group w.
func room(r *Registry, pool int, w uint32) *uint64 {
	return &r.Room[int(w)*len(r.Pools)+pool-1]
}

// groups returns the number of groups with indexes of a pool. Later groups were never used.
func (c *Counters) groups() uint32 { return (c.High + 4095) / 4096 }

// PoolOf returns the pool of a live object: the pool of its slab, or the pool that counts it.
func (r *Registry) PoolOf(index uint32) int {
	if pool := int(r.Owners[index>>6]); pool != 0 {
		return pool
	}
	if pool := r.Next[index]; pool <= uint32(len(r.Pools)) { // else the next free index
		return int(pool)
	}
	return 0
}
