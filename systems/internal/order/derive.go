package order

import "math/bits"

// derive makes copied, owners, mounted and the tree those of the column.
func (l *Lists) derive() {
	high, size := l.m.MaxIndex(), l.keys.size
	mounted, objects := l.m.RowBits()
	copy(l.copied, l.m.Columns[l.field.Index].Bytes[:high*size])
	copy(l.owners, objects[:high])
	words := (max(high, l.high) + 63) / 64
	copy(l.mounted[:min(words, len(l.mounted))], mounted)
	l.high = high
	n, differ := l.gather()
	keys, owners := l.sort(n, differ)
	l.tree.fill(keys, owners)
	l.table.valid, l.valid = false, true
}

// gather writes the keys and objects to the tree's memory, by object, and returns their number, and
// the bits in which keys differ.
func (l *Lists) gather() (n int, differ uint64) {
	keys, objects := l.tree.keys, l.tree.objects
	var some, all uint64 = 0, ^uint64(0)
	var rows [64]uint32
	for g := range l.m.Groups {
		for blocks := l.m.Groups[g].Any; blocks != 0; blocks &= blocks - 1 {
			k := uint32(g<<6 + bits.TrailingZeros64(blocks))
			x := l.m.Present(k)
			l.m.RowsOf(&rows, k, x)
			for i := 0; x != 0; i, x = i+1, x&(x-1) {
				key := l.keys.at(l.copied, rows[i&63])
				keys[n], objects[n] = key, k<<6+uint32(bits.TrailingZeros64(x))
				some, all, n = some|key, all&key, n+1
			}
		}
	}
	return n, some &^ all
}

// sort sorts the n entries that gather wrote by their keys, in the bytes of which they differ, and
// returns them in memory that is not the tree's. Entries of one key stay in their order.
func (l *Lists) sort(n int, differ uint64) (keys []uint64, objects []uint32) {
	passes := 0
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff != 0 {
			passes++
		}
	}
	from, to := pairs{l.tree.keys[:n], l.tree.objects[:n]}, pairs{l.sorted[:n], l.objects[:n]}
	if passes%2 == 0 { // the last pass must end outside of the tree
		copy(to.keys, from.keys)
		copy(to.objects, from.objects)
		from, to = to, from
	}
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff != 0 {
			from.scatter(to, uint(shift))
			from, to = to, from
		}
	}
	return from.keys, from.objects
}

// pairs are entries: a key and an object each.
type pairs struct {
	keys    []uint64
	objects []uint32
}

// scatter writes the entries to dst, by a byte of their keys.
func (p pairs) scatter(dst pairs, shift uint) {
	var next [256]uint32
	for _, k := range p.keys {
		next[uint8(k>>shift)]++
	}
	sum := uint32(0)
	for i, n := range next {
		next[i] = sum
		sum += n
	}
	for i, k := range p.keys {
		at := &next[uint8(k>>shift)]
		dst.keys[*at], dst.objects[*at] = k, p.objects[i]
		*at++
	}
}
