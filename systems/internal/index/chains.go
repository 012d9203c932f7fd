package index

import (
	"math/bits"
)

// slotsOf is the number of slots in a cache line. A bucket fills its slots from the first one on.
const slotsOf = 3

// A bucket is a cache line of slots, with the chain of one key each.
type bucket struct {
	keys   [slotsOf]uint64
	firsts [slotsOf]uint32 // the first object
	rows   [slotsOf]uint32 // its row, plus 1; 0: the slot was never used
	counts [slotsOf]uint32 // number of objects, all of which may be gone
	_      uint32
}

const (
	chained = 8       // most objects of a key that are in a chain
	loose   = 1 << 31 // in counts: there were more, and rows and next are unused
)

// chains find the slot of a key, in the bucket of its hash or, if that is full, in the next one.
type chains struct {
	memory   []bucket
	buckets  []bucket
	next     []uint32 // per row: the row of the next object of its key, plus 1; 0: none
	headless []uint64 // keys whose first object is gone; the slot names an earlier object
	used     int      // slots
	touched  uint64   // written so that touch has an effect
	valid    bool
}

// bucketsFor returns the number of buckets that n keys may need.
func bucketsFor(n int) int { return n/2 + 8 }

// hash scatters keys that are close to each other, or apart by powers of two.
func hash(key uint64) uint64 {
	key = (key ^ key>>32) * 0x9e3779b97f4a7c15
	return (key ^ key>>29) * 0xbf58476d1ce4e5b9
}

// clear empties chains, with so many buckets.
func (c *chains) clear(buckets int) {
	c.buckets = c.memory[:min(buckets, len(c.memory))]
	clear(c.buckets)
	c.used, c.headless, c.valid = 0, c.headless[:0], true
}

// find returns the slot of a key, or the empty slot where the key would be.
func (c *chains) find(key uint64) (b *bucket, slot int) {
	at, _ := bits.Mul64(hash(key), uint64(len(c.buckets)))
	for {
		b := &c.buckets[at]
		i := slotsOf // conditional moves, because branches would be mispredicted: hot path
		if b.keys[2] == key {
			i = 2
		}
		if b.keys[1] == key {
			i = 1
		}
		if b.keys[0] == key {
			i = 0
		}
		if i < slotsOf { // includes the first unused slot, if key is 0
			return b, i
		}
		for i, row := range b.rows {
			if row == 0 {
				return b, i
			}
		}
		if at++; at == uint64(len(c.buckets)) {
			at = 0
		}
	}
}

// touch reads the buckets of keys, so that they are loaded into the cache in parallel: hot path.
func (c *chains) touch(keys []uint64) {
	if len(c.buckets) < 1<<12 {
		return // already in the cache
	}
	for _, key := range keys {
		at, _ := bits.Mul64(hash(key), uint64(len(c.buckets)))
		c.touched ^= c.buckets[at].keys[0]
	}
}

// enter records that the object of a row got a key; owners are the objects of rows.
func (c *chains) enter(owners []uint32, row uint32, e entry) {
	b, i := c.find(e.key)
	if b.rows[i] == 0 {
		if c.used++; c.used > 2*len(c.buckets) {
			c.valid = false
			return
		}
		b.keys[i] = e.key
	}
	n := b.counts[i]
	switch {
	case n == 0:
		b.firsts[i], b.rows[i], c.next[row] = e.object, row+1, 0
	case e.object < b.firsts[i]:
		c.next[row] = b.rows[i]
		b.firsts[i], b.rows[i] = e.object, row+1
	case n < loose:
		at := &c.next[b.rows[i]-1]
		for *at != 0 && owners[*at-1] < e.object {
			at = &c.next[*at-1]
		}
		c.next[row], *at = *at, row+1
	}
	if b.counts[i]++; b.counts[i] == chained+1 {
		b.counts[i] |= loose
	}
}

// leave records that the object of a row lost a key.
func (c *chains) leave(owners []uint32, row uint32, e entry) {
	b, i := c.find(e.key)
	b.counts[i]--
	n := b.counts[i]
	switch {
	case n&^loose == 0:
		b.counts[i] = 0
	case n >= loose:
		if b.firsts[i] == e.object {
			if c.valid = len(c.headless) < cap(c.headless); c.valid {
				c.headless = append(c.headless, e.key)
			}
		}
	case b.rows[i] == row+1:
		b.rows[i] = c.next[row]
		b.firsts[i] = owners[c.next[row]-1]
	default:
		at := &c.next[b.rows[i]-1]
		for *at != row+1 {
			at = &c.next[*at-1]
		}
		*at = c.next[row]
	}
}

// carve cuts chains for n keys.
func (c *chains) carve(from *Cutter, n int) {
	c.memory, c.buckets = Cut[bucket](from, bucketsFor(n)), nil
	c.next = Cut[uint32](from, n)
	c.headless, c.valid = Cut[uint64](from, changesFor(n))[:0], false
}
