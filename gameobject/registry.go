package gameobject

import (
	"math"
	"math/bits"
	"runtime"
)

// Counters are the counters of a registry, in the world's bytes.
type Counters struct {
	High    uint32 // indexes that belong to a pool
	Used    uint32 // indexes ever handed out, up to the highest: maxUID
	Live    uint32 // objects alive
	Free    uint32 // next loose index to reuse, plus 1; 0: none
	Last    uint32 // loose index disposed last, plus 1, if indexes are reused in order
	Fresh   uint32 // start of the unused loose indexes,
	End     uint32 // and their end
	InOrder uint32 // 1: reuse loose indexes first in, first out
	Retired uint32 // indexes beyond their last generation
	_       uint32
}

// Views are the slices and counters of a registry in a world's bytes. Zeros are an empty registry.
type Views struct {
	Generations []uint32 // per index: of the live object, or of the next one if dead
	Next        []uint32 // per index: free list; for a live loose index: the pool that counts it
	Alive       []uint64 // a bit per index
	Owners      []uint16 // per 64 indexes: their pool
	Pools       []Pool   // except the loose one
	Groups      []Group  // per 4096 indexes
	Room        []uint64 // per 4096 indexes and pool: a bit per 64 indexes with a free one
	Count       *Counters
}

// A Registry holds the game objects of a world. Each index belongs to a pool: pool 0 is for loose
// objects, created one by one; the others consist of slabs of whole blocks of 64 indexes.
type Registry struct {
	Views

	// Touched, if not nil, is called with objects of a block, a bit each, that were created or
	// disposed.
	Touched func(block uint32, objects uint64)
}

// New returns a registry over views, without writing to them.
func New(v Views) Registry { return Registry{Views: v} }

// Cap returns the number of objects that can be alive at once.
func (r *Registry) Cap() int { return len(r.Generations) }

// Live returns the number of live objects.
func (r *Registry) Live() int { return int(r.Count.Live) }

// Left returns the number of objects that can still be created.
func (r *Registry) Left() int { return r.Cap() - int(r.Count.Live) - int(r.Count.Retired) }

// High returns the number of indexes that were ever used. Every index in use is below it.
func (r *Registry) High() int { return int(r.Count.Used) }

// Alive reports whether id names a live object of this registry.
//
//go:noinline
func (r *Registry) Alive(id ID) bool {
	i := id.Index()
	return i < uint32(len(r.Generations)) && r.Generations[i] == id.Generation() &&
		r.Views.Alive[i>>6]>>(i&63)&1 != 0
}

// Check returns nil when id names a live object, otherwise [ErrOutOfRange] or [ErrDead].
func (r *Registry) Check(id ID) error {
	switch {
	case r.Alive(id):
		return nil
	case id.Recorded() && id.Index() <= math.MaxInt32: // not an object yet
		return ErrDead
	case int64(id.Index()) >= int64(r.Cap()):
		return ErrOutOfRange
	}
	return ErrDead
}

// At returns the id of index in its current generation, alive or not.
func (r *Registry) At(index uint32) ID { return MakeID(index, r.Generations[index]) }

// AtEach writes At of the indexes from first on to dst.
//
//go:noinline
func (r *Registry) AtEach(dst []ID, first uint32) {
	for i, generation := range r.Generations[first:][:len(dst)] {
		dst[i] = MakeID(first+uint32(i), generation)
	}
}

// AtRows writes At of each row less base, modulo 2³², to dst.
//
//go:noinline
func (r *Registry) AtRows(dst []ID, rows []uint32, base uint32) {
	generations := r.Generations
	for i, row := range rows[:len(dst)] {
		index := row - base
		dst[i] = MakeID(index, generations[index])
	}
}

// Words returns a bit per index, 64 to a word: 1 if the object is alive.
func (r *Registry) Words() []uint64 { return r.Views.Alive }

// Create creates a loose object that a pool counts, or none if pool is 0. The error is
// [ErrTooMany].
func (r *Registry) Create(pool int) (ID, error) {
	c := r.Count
	if c.InOrder != 0 {
		return r.createInOrder(pool)
	}
	i := c.Free - 1
	switch {
	case c.Free != 0:
		c.Free = r.Next[i]
	case c.Fresh < c.End:
		i = r.fresh()
	default:
		return r.grow(pool)
	}
	return r.begin(i, pool), nil
}

// CreateBlock creates up to n loose objects, at least one and all in one block: the objects that
// repeated calls of Create would create while their indexes ascend by one or, if down is true,
// descend by one. It returns them as bits, or no bits if no index is left.
func (r *Registry) CreateBlock(pool, n int) (block uint32, objects uint64, down bool) {
	if r.Count.InOrder == 0 && r.Count.Free != 0 {
		return r.recall(pool, n)
	}
	first, err := r.Create(pool)
	if err != nil {
		return 0, 0, false
	}
	last, step := first.Index(), uint32(1)
	block, objects = last>>6, 1<<(last&63)
	for made := 1; made < n; made++ {
		i, ok := r.next()
		if made == 1 && i == last-1 {
			down, step = true, ^uint32(0)
		}
		if !ok || i != last+step || i>>6 != block {
			break
		}
		_, _ = r.Create(pool) // i
		last = i
		objects |= 1 << (i & 63)
	}
	return block, objects, down
}

// recall is CreateBlock for indexes of the free list, the index disposed last first.
func (r *Registry) recall(pool, n int) (block uint32, objects uint64, down bool) {
	c := r.Count
	i, step := c.Free-1, uint32(1)
	block = i >> 6
	for made := 1; ; made++ {
		objects |= 1 << (i & 63)
		c.Free, r.Next[i] = r.Next[i], uint32(pool)
		if made == n || c.Free == 0 {
			break
		}
		next := c.Free - 1
		if made == 1 && next == i-1 {
			down, step = true, ^uint32(0)
		}
		if next != i+step || next>>6 != block {
			break
		}
		i = next
	}
	c.Live += uint32(bits.OnesCount64(objects))
	if pool != 0 {
		r.Pools[pool-1].Loose += uint32(bits.OnesCount64(objects))
	}
	r.raise(block, objects)
	if r.Touched != nil {
		r.Touched(block, objects)
	}
	return block, objects, down
}

// next returns the loose index that Create would return, if it is prepared.
func (r *Registry) next() (index uint32, ok bool) {
	c := r.Count
	switch fresh := c.Fresh < c.End; {
	case fresh && (c.InOrder != 0 || c.Free == 0):
		return c.Fresh, true
	case c.InOrder != 0 && c.High < uint32(r.Cap()):
		return 0, false
	}
	return c.Free - 1, c.Free != 0
}

// createInOrder hands out every index once before it reuses any.
func (r *Registry) createInOrder(pool int) (ID, error) {
	c := r.Count
	switch {
	case c.Fresh < c.End:
		return r.begin(r.fresh(), pool), nil
	case c.High < uint32(r.Cap()) || c.Free == 0:
		return r.grow(pool)
	}
	i := c.Free - 1
	if c.Free = r.Next[i]; c.Free == 0 {
		c.Last = 0
	}
	return r.begin(i, pool), nil
}

// fresh returns the next unused loose index.
func (r *Registry) fresh() uint32 {
	c := r.Count
	i := c.Fresh
	c.Fresh++
	c.Used = max(c.Used, c.Fresh)
	r.Generations[i] = 1
	return i
}

// grow adds a block to the loose pool, or, if none is left, takes an index from another pool.
func (r *Registry) grow(pool int) (ID, error) {
	c := r.Count
	if r.Left() == 0 {
		return Nobody, ErrTooMany
	}
	if n := min(64, uint32(r.Cap())-c.High); n > 0 {
		if c.High == 0 && runtime.GOOS != "js" { // reading before writing costs two faults
			r.Next[0] = 0
			r.Views.Alive[0] = 0
		}
		c.Fresh, c.End = c.High, c.High+n
		c.High += n
		return r.begin(r.fresh(), pool), nil
	}
	for pool := 1; pool <= len(r.Pools); pool++ {
		if id, ok := r.Take(pool); ok {
			return id, nil
		}
	}
	return Nobody, ErrTooMany
}

// begin makes the object at a loose index alive.
func (r *Registry) begin(i uint32, pool int) ID {
	r.Count.Live++
	r.raise(i>>6, 1<<(i&63))
	if next := &r.Next[i]; *next != uint32(pool) { // a page that was never written stays so
		*next = uint32(pool)
	}
	if pool != 0 {
		r.Pools[pool-1].Loose++
	}
	if r.Touched != nil {
		r.Touched(i>>6, 1<<(i&63))
	}
	return r.At(i)
}

// Dispose disposes the live object at index.
func (r *Registry) Dispose(index uint32) {
	r.Count.Live--
	alive := &r.Views.Alive[index>>6]
	was := *alive
	now := was &^ (1 << (index & 63))
	*alive = now
	g := &r.Generations[index]
	*g++
	if now != 0 && was != math.MaxUint64 && r.Owners[index>>6] != 0 && *g != spent &&
		r.Count.Retired == 0 && r.Touched == nil {
		return // there is nothing to notify: hot path
	}
	c, b := r.Count, index>>6
	r.Groups[b>>6].noteLowered(b, now)
	if r.Touched != nil {
		r.Touched(b, 1<<(index&63))
	}
	pool := int(r.Owners[b])
	if pool == 0 {
		r.discount(index)
	}
	switch {
	case r.Generations[index] == spent:
		c.Retired++
	case pool != 0:
		if was == math.MaxUint64 || c.Retired != 0 { // otherwise it has room already
			r.makeRoom(pool, b)
		}
	case c.InOrder == 0:
		r.Next[index] = c.Free
		c.Free = index + 1
	default: // at the end of the list
		if r.Next[index] = 0; c.Last != 0 {
			r.Next[c.Last-1] = index + 1
		} else {
			c.Free = index + 1
		}
		c.Last = index + 1
	}
}

// discount removes a loose object from its pool's count.
func (r *Registry) discount(index uint32) {
	if pool := r.Next[index]; uint(pool-1) < uint(len(r.Pools)) {
		r.Pools[pool-1].Loose--
	}
}

// DisposeBlock disposes the live objects x of a block.
func (r *Registry) DisposeBlock(block uint32, x uint64) {
	pool, c := int(r.Owners[block]), r.Count
	if pool == 0 && c.InOrder != 0 {
		for ; x != 0; x &= x - 1 {
			r.Dispose(block<<6 + uint32(bits.TrailingZeros64(x)))
		}
		return
	}
	c.Live -= uint32(bits.OnesCount64(x))
	r.Views.Alive[block] &^= x
	r.Groups[block>>6].noteLowered(block, r.Views.Alive[block])
	if pool != 0 {
		r.makeRoom(pool, block)
	}
	if r.Touched != nil {
		r.Touched(block, x)
	}
	if pool == 0 {
		r.disposeLoose(block, x)
		return
	}
	generations := (*[64]uint32)(r.Generations[block<<6:])
	if x == math.MaxUint64 {
		for i := range generations {
			if generations[i]++; generations[i] == spent {
				c.Retired++
			}
		}
		return
	}
	for ; x != 0; x &= x - 1 {
		g := &generations[bits.TrailingZeros64(x)&63]
		if *g++; *g == spent {
			c.Retired++
		}
	}
}

// disposeLoose puts the loose objects x of a block on the free list, ascending.
func (r *Registry) disposeLoose(block uint32, x uint64) {
	c := r.Count
	for ; x != 0; x &= x - 1 {
		i := block<<6 + uint32(bits.TrailingZeros64(x))
		r.discount(i)
		if r.Generations[i]++; r.Generations[i] == spent {
			c.Retired++
			continue
		}
		r.Next[i] = c.Free
		c.Free = i + 1
	}
}

// Each yields the live objects, ascending by index, without those disposed during the loop.
func (r *Registry) Each(yield func(ID) bool) {
	for w := range (r.High() + 63) / 64 {
		for x := r.Views.Alive[w]; x != 0; x &= x - 1 {
			i := uint32(w<<6 + bits.TrailingZeros64(x))
			if r.Views.Alive[w]&(x&-x) != 0 && !yield(r.At(i)) {
				return
			}
		}
	}
}
