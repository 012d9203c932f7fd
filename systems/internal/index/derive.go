package index

import (
	"math/bits"
	"slices"
)

// makeTree derives the tree from the column.
func (t *Table) makeTree() {
	if t.tree.valid && t.waiting.apply(&t.tree, t.spare) {
		return
	}
	n, differ := t.gather()
	from, spare := pairs{t.tree.keys, t.tree.objects}.first(n), t.spare.first(n)
	if sorted, inSpare := from.sort(spare, differ, 0); !inSpare {
		copy(spare.keys, sorted.keys)
		copy(spare.objects, sorted.objects)
	}
	t.tree.fill(spare.keys, spare.objects)
	t.waiting.clear()
	t.tree.valid = true
}

// gather writes the keys and objects to the tree's memory, by object, and returns their number, and
// the bits in which keys differ.
func (t *Table) gather() (n int, differ uint64) {
	keys, objects := t.tree.keys, t.tree.objects
	var some, all uint64 = 0, ^uint64(0)
	var rows [64]uint32
	for g := range t.M.Blocks.Groups {
		for blocks := t.M.Blocks.Groups[g].Any; blocks != 0; blocks &= blocks - 1 {
			k := uint32(g<<6 + bits.TrailingZeros64(blocks))
			x := t.M.Blocks.Present(k)
			t.M.Blocks.RowsOf(&rows, k, x)
			for i := 0; x != 0; i, x = i+1, x&(x-1) {
				key := t.column.at(rows[i&63])
				keys[n], objects[n] = key, k<<6+uint32(bits.TrailingZeros64(x))
				some, all, n = some|key, all&key, n+1
			}
		}
	}
	return n, some &^ all
}

// makeChains derives the chains from the column.
func (t *Table) makeChains() {
	for n := max(len(t.chains.buckets), 64); !t.chains.valid; n *= 4 {
		t.enterAll(n)
	}
	for _, key := range t.chains.headless {
		t.findFirst(key)
	}
	t.chains.headless = t.chains.headless[:0]
}

// enterAll derives the chains with so many buckets, which may be too few. It enters the last object
// first, so that each object goes in front of its key's chain.
func (t *Table) enterAll(buckets int) {
	t.chains.clear(buckets)
	var rows [64]uint32
	var keys [64]uint64
	for g, group := range slices.Backward(t.M.Blocks.Groups) {
		for blocks := group.Any; blocks != 0; {
			i := bits.Len64(blocks) - 1
			blocks &^= 1 << i
			k := uint32(g<<6 + i)
			x := t.M.Blocks.Present(k)
			t.M.Blocks.RowsOf(&rows, k, x)
			n := bits.OnesCount64(x)
			for i, row := range rows[:n] {
				keys[i] = t.column.at(row)
			}
			t.chains.touch(keys[:n])
			for n--; n >= 0; n-- {
				i := bits.Len64(x) - 1
				x &^= 1 << i
				row := rows[n&63]
				e := entry{keys[n&63], k<<6 + uint32(i)}
				if t.chains.enter(t.column.owners, row, e); !t.chains.valid {
					return
				}
			}
		}
	}
}

// findFirst finds the next first object of a key whose first object left: in the next blocks, or in
// the tree.
func (t *Table) findFirst(key uint64) {
	b, i := t.chains.find(key)
	n := b.counts[i]
	if n < loose {
		return // all have left since
	}
	if n &^= loose; n > chained && t.scan(key, &b.firsts[i]) {
		return
	}
	t.makeTree()
	p := t.tree.seek(entry{key: key})
	e, _ := t.tree.get(&p)
	b.firsts[i] = e.object
	if n > chained {
		return
	}
	at := &b.rows[i]
	for b.counts[i] = n; n > 0; n-- {
		e, _ := t.tree.get(&p)
		p.i++
		row, _ := t.M.RowOf(e.object)
		*at = uint32(row) + 1
		at = &t.chains.next[*at-1]
	}
	*at = 0
}

// near is the number of blocks that are scanned for the next object of a key.
const near = 64

// scan finds the first object of a key, which is at first or later, if it is near.
func (t *Table) scan(key uint64, first *uint32) bool {
	var rows [64]uint32
	k := *first >> 6
	for end := min(k+near, uint32(t.M.Objects.Cap()+63)>>6); k < end; k++ {
		x := t.M.Blocks.Present(k)
		if x == 0 {
			continue
		}
		t.M.Blocks.RowsOf(&rows, k, x)
		for i := 0; x != 0; i, x = i+1, x&(x-1) {
			if t.column.at(rows[i&63]) == key {
				*first = k<<6 + uint32(bits.TrailingZeros64(x))
				return true
			}
		}
	}
	return false
}
