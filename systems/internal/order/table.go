package order

import (
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
)

// slotsOf is how many slots share a cache line. Of those of a bucket, the first ones are used.
const slotsOf = 3

// A bucket is slots: what the table knows of a key each.
type bucket struct {
	keys   [slotsOf]uint64
	firsts [slotsOf]uint32 // the first object
	rows   [slotsOf]uint32 // its row, plus 1; 0: the slot was never used
	counts [slotsOf]uint32 // objects, which may all have gone
	_      uint32
}

const (
	chained = 8       // objects of a key that are in a chain, at most
	loose   = 1 << 31 // in counts: there were more, and rows and next say nothing
)

// A table finds the slot of a key, in the bucket of its hash or, if that is full, in the next one.
type table struct {
	memory   []bucket
	buckets  []bucket
	next     []uint32 // per row: the row of the next object of its key, plus 1; 0: none
	headless []uint64 // keys whose first object has gone: the slot has one before the others
	used     int      // slots
	valid    bool
}

// bucketsFor returns how many buckets n keys may need.
func bucketsFor(n int) int { return n/2 + 8 }

// hash spreads keys that are near each other, or apart by powers of two.
func hash(key uint64) uint64 {
	key = (key ^ key>>32) * 0x9e3779b97f4a7c15
	return (key ^ key>>29) * 0xbf58476d1ce4e5b9
}

// clear makes the table empty, with so many buckets.
func (t *table) clear(buckets int) {
	t.buckets = t.memory[:min(buckets, len(t.memory))]
	clear(t.buckets)
	t.used, t.headless, t.valid = 0, t.headless[:0], true
}

// find returns the slot of a key, or the empty one where it would be.
func (t *table) find(key uint64) (b *bucket, slot int) {
	at, _ := bits.Mul64(hash(key), uint64(len(t.buckets)))
	for {
		b := &t.buckets[at]
		i := slotsOf // moves, not branches, which would be missed: hot path
		if b.keys[2] == key {
			i = 2
		}
		if b.keys[1] == key {
			i = 1
		}
		if b.keys[0] == key {
			i = 0
		}
		if i < slotsOf { // also the first unused one, if key is 0
			return b, i
		}
		for i, row := range b.rows {
			if row == 0 {
				return b, i
			}
		}
		if at++; at == uint64(len(t.buckets)) {
			at = 0
		}
	}
}

// enter notes that the object of a row got a key.
func (l *Lists) enter(row uint32, e entry) {
	t := &l.table
	b, i := t.find(e.key)
	if b.rows[i] == 0 {
		if t.used++; t.used > 2*len(t.buckets) {
			t.valid = false
			return
		}
		b.keys[i] = e.key
	}
	n := b.counts[i]
	switch {
	case n == 0:
		b.firsts[i], b.rows[i], t.next[row] = e.object, row+1, 0
	case e.object < b.firsts[i]:
		t.next[row] = b.rows[i]
		b.firsts[i], b.rows[i] = e.object, row+1
	case n < loose:
		at := &t.next[b.rows[i]-1]
		for *at != 0 && l.owners[*at-1] < e.object {
			at = &t.next[*at-1]
		}
		t.next[row], *at = *at, row+1
	}
	if b.counts[i]++; b.counts[i] == chained+1 {
		b.counts[i] |= loose
	}
}

// leave notes that the object of a row lost a key.
func (l *Lists) leave(row uint32, e entry) {
	t := &l.table
	b, i := t.find(e.key)
	b.counts[i]--
	n := b.counts[i]
	switch {
	case n&^loose == 0:
		b.counts[i] = 0
	case n >= loose:
		if b.firsts[i] == e.object {
			t.lost(e.key)
		}
	case b.rows[i] == row+1:
		b.rows[i] = t.next[row]
		b.firsts[i] = l.owners[t.next[row]-1]
	default:
		at := &t.next[b.rows[i]-1]
		for *at != row+1 {
			at = &t.next[*at-1]
		}
		*at = t.next[row]
	}
}

// lost notes that the first object of a key has gone.
func (t *table) lost(key uint64) {
	if len(t.headless) == cap(t.headless) {
		t.valid = false
		return
	}
	t.headless = append(t.headless, key)
}

// findFirst finds the first object of a key that has lost it: in the next blocks, or by the tree.
func (l *Lists) findFirst(key uint64) {
	b, i := l.table.find(key)
	n := b.counts[i]
	if n < loose {
		return // all have gone since
	}
	if n &^= loose; n > chained && l.scan(key, &b.firsts[i]) {
		return
	}
	l.sort()
	p := l.tree.seek(entry{key: key})
	e, _ := l.tree.get(&p)
	b.firsts[i] = e.object
	if n > chained {
		return
	}
	at := &b.rows[i]
	for b.counts[i] = n; n > 0; n-- {
		e, _ := l.tree.get(&p)
		p.i++
		*at = l.rowOf(e.object) + 1
		at = &l.table.next[*at-1]
	}
	*at = 0
}

// rowOf returns the row of an object that has the kind.
func (l *Lists) rowOf(object uint32) uint32 {
	var rows [64]uint32
	l.m.RowsOf(&rows, object>>6, 1<<(object&63))
	return rows[0]
}

// near is how many blocks are scanned for the next object of a key.
const near = 64

// scan finds the first object of a key, which is none before first, if it is near.
func (l *Lists) scan(key uint64, first *uint32) bool {
	var rows [64]uint32
	k := *first >> 6
	for end := min(k+near, uint32(l.m.Objects.Cap()+63)>>6); k < end; k++ {
		x := l.m.Present(k)
		if x == 0 {
			continue
		}
		l.m.RowsOf(&rows, k, x)
		for i := 0; x != 0; i, x = i+1, x&(x-1) {
			if l.keys.at(l.copied, rows[i&63]) == key {
				*first = k<<6 + uint32(bits.TrailingZeros64(x))
				return true
			}
		}
	}
	return false
}

// deriveTable makes the table that of the column.
func (l *Lists) deriveTable() {
	t := &l.table
	for n := max(len(t.buckets), 64); ; n *= 4 {
		t.clear(n)
		if l.enterAll(); t.valid {
			return
		}
	}
}

// enterAll enters all entries, the last object first, which is before none of its key.
func (l *Lists) enterAll() {
	var rows [64]uint32
	for g, group := range slices.Backward(l.m.Groups) {
		for blocks := group.Any; blocks != 0; {
			i := bits.Len64(blocks) - 1
			blocks &^= 1 << i
			k := uint32(g<<6 + i)
			x := l.m.Present(k)
			l.m.RowsOf(&rows, k, x)
			for n := bits.OnesCount64(x) - 1; n >= 0; n-- {
				i := bits.Len64(x) - 1
				x &^= 1 << i
				row := rows[n&63]
				if l.enter(row, entry{l.keys.at(l.copied, row), k<<6 + uint32(i)}); !l.table.valid {
					return
				}
			}
		}
	}
}

// carve cuts a table for n keys.
func (t *table) carve(c *buffer.Carver, n int) {
	t.memory, t.buckets = buffer.CarveRecords[bucket](c, bucketsFor(n)), nil
	t.next = buffer.Carve[uint32](c, n)
	t.headless, t.valid = buffer.Carve[uint64](c, changesFor(n))[:0], false
}

// tableSize returns the bytes that carve takes.
func tableSize(n int) int64 {
	return int64(bucketsFor(n))*64 + int64(n)*4 + int64(changesFor(n))*8 + 3*buffer.Align
}
