package gameobject

import (
	"math"
	"math/bits"
)

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
	return first
}

// Lead returns the index that Take would return, if it is known without searching. It changes
// nothing.
func (r *Registry) Lead(pool int) (index uint32, ok bool) {
	low := r.Lowest[pool-1]
	x := r.words(pool)
	if low >= uint32(len(x)) || x[low] == 0 {
		return 0, false
	}
	b := low<<6 + uint32(bits.TrailingZeros64(x[low]))
	index = b<<6 + uint32(bits.TrailingZeros64(^r.Views.Alive[b]))
	return index, r.Generations[index] != spent
}

// Revive creates an object at an index that Lead returned.
func (r *Registry) Revive(pool int, index uint32) ID {
	b, bit := index>>6, uint64(1)<<(index&63)
	c, g := r.Count, max(r.Generations[index], 1)
	r.Generations[index] = g
	c.Live++
	c.Used = max(c.Used, index+1)
	if r.Views.Alive[b] |= bit; r.Views.Alive[b] == math.MaxUint64 {
		r.fill(pool, b)
	}
	if r.Touched != nil {
		r.Touched(b, bit)
	}
	return MakeID(index, g)
}

// Take creates an object at the lowest free index of a pool. It returns false if there is none, and
// for the loose pool.
func (r *Registry) Take(pool int) (ID, bool) {
	for pool != 0 {
		b, ok := r.roomy(pool)
		if !ok {
			return Nobody, false
		}
		if x := r.free(b); x != 0 {
			return r.Revive(pool, b<<6+uint32(bits.TrailingZeros64(x))), true
		}
		r.fill(pool, b)
	}
	return Nobody, false
}

// TakeBlock creates up to n objects at the lowest free indexes of one block of a pool, and returns
// them as bits. No bit is set if the pool has no free index.
func (r *Registry) TakeBlock(pool, n int) (block uint32, objects uint64) {
	for {
		b, ok := r.roomy(pool)
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
	for ; n > 0 && x != 0; n-- {
		x &= x - 1
	}
	return x
}

// revive creates the objects x of a block.
func (r *Registry) revive(pool int, b uint32, x uint64) {
	r.Views.Alive[b] |= x
	r.Count.Live += uint32(bits.OnesCount64(x))
	r.Count.Used = max(r.Count.Used, b<<6+uint32(bits.Len64(x)))
	if r.Views.Alive[b] == math.MaxUint64 {
		r.fill(pool, b)
	}
	if r.Touched != nil {
		r.Touched(b, x)
	}
	generations := r.Generations[b<<6:][:64] // a block of a slab is complete
	if x == math.MaxUint64 {
		for i, g := range generations {
			generations[i] = max(g, 1)
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

// roomy returns the lowest block of a pool with a free index.
func (r *Registry) roomy(pool int) (b uint32, ok bool) {
	words := r.words(pool)[:(r.Count.High+4095)/4096] // words behind were never used
	low := &r.Lowest[pool-1]
	for w := *low; w < uint32(len(words)); w++ {
		if words[w] != 0 {
			*low = w
			return w<<6 + uint32(bits.TrailingZeros64(words[w])), true
		}
	}
	*low = uint32(len(words))
	return 0, false
}

// makeRoom records that a block of a pool has a free index.
func (r *Registry) makeRoom(pool int, b uint32) {
	r.words(pool)[b>>6] |= 1 << (b & 63)
	r.Lowest[pool-1] = min(r.Lowest[pool-1], b>>6)
}

// fill records that a block of a pool has no free index.
func (r *Registry) fill(pool int, b uint32) { r.words(pool)[b>>6] &^= 1 << (b & 63) }

// words returns the part of Room that belongs to a pool.
func (r *Registry) words(pool int) []uint64 { return r.Room[(pool-1)*r.poolWords:][:r.poolWords] }

// Pool returns the pool of an index.
func (r *Registry) Pool(index uint32) int { return int(r.Owners[index>>6]) }
