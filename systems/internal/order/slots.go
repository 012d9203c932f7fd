package order

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
)

// A slot is what the table knows of a key.
type slot struct {
	key   uint64
	first uint32 // the first object, plus 1; 0: the slot was never used
	count uint32 // objects, which may all have gone
}

// bucket is how many slots share a cache line. Of those of a bucket, the first ones are used.
const bucket = 4

// A table finds the slot of a key, in the bucket of its hash or, if that is full, in the next one.
type table struct {
	memory []slot
	slots  []slot // as many as a power of two
	shift  uint8  // of a hash, to a bucket
	used   int    // slots; three quarters at most
	valid  bool
}

// slotsFor returns how many slots n keys may need.
func slotsFor(n int) int { return 1 << bits.Len(uint(2*n+15)) }

// hash spreads keys that are near each other, or apart by powers of two.
func hash(key uint64) uint64 {
	key = (key ^ key>>32) * 0x9e3779b97f4a7c15
	return (key ^ key>>29) * 0xbf58476d1ce4e5b9
}

// clear makes the table empty, with room for n keys.
func (t *table) clear(n int) {
	t.slots = t.memory[:slotsFor(n)]
	clear(t.slots)
	t.shift, t.used, t.valid = uint8(64-bits.Len(uint(len(t.slots)/bucket-1))), 0, true
}

// find returns the slot of a key, or the empty one where it would be.
func (t *table) find(key uint64) *slot {
	slots := t.slots
	for at := hash(key) >> (t.shift & 63) * bucket; ; at += bucket {
		b := (*[bucket]slot)(slots[at&uint64(len(slots)-bucket):])
		i := bucket // moves, not branches, which would be missed: hot path
		if b[3].key == key {
			i = 3
		}
		if b[2].key == key {
			i = 2
		}
		if b[1].key == key {
			i = 1
		}
		if b[0].key == key {
			i = 0
		}
		if i < bucket { // also the first unused one, if key is 0
			return &b[i]
		}
		for i := range b {
			if b[i].first == 0 {
				return &b[i]
			}
		}
	}
}

// add notes that an entry was inserted.
func (t *table) add(e entry) {
	if !t.valid {
		return
	}
	s := t.find(e.key)
	if s.first == 0 {
		if t.used++; t.used > len(t.slots)/4*3 {
			t.valid = false
			return
		}
		s.key = e.key
	}
	if s.count == 0 || e.object < s.first-1 {
		s.first = e.object + 1
	}
	s.count++
}

// drop notes that an entry was removed, which was before next.
func (t *table) drop(e, next entry) {
	if !t.valid {
		return
	}
	s := t.find(e.key)
	if s.count--; s.count != 0 && s.first == e.object+1 {
		s.first = next.object + 1
	}
}

// derive makes the table that of a tree.
func (t *table) derive(of *tree) {
	keys, last := 0, uint64(0)
	for leaf := range of.leaves {
		list, _ := of.leaf(leaf)
		for _, k := range list {
			if keys == 0 || k != last {
				keys, last = keys+1, k
			}
		}
	}
	t.clear(keys)
	for leaf := range of.leaves {
		list, objects := of.leaf(leaf)
		for i := 0; i < len(list); {
			from := i
			for i++; i < len(list) && list[i] == list[from]; {
				i++
			}
			s := t.find(list[from])
			if s.first == 0 {
				*s = slot{key: list[from], first: objects[from] + 1}
				t.used++
			}
			s.count += uint32(i - from)
		}
	}
}

// carve cuts a table for n keys.
func (t *table) carve(c *buffer.Carver, n int) {
	t.memory, t.valid = buffer.CarveRecords[slot](c, slotsFor(n)), false
}

// tableSize returns the bytes that carve takes.
func tableSize(n int) int64 { return int64(slotsFor(n))*slotBytes + buffer.Align }

const slotBytes = 16
