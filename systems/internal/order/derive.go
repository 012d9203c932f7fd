package order

import "math/bits"

// copyAll makes copied, owners and mounted those of the column. Table and tree are not valid then.
func (l *Lists) copyAll() {
	high, size := l.m.MaxIndex(), l.keys.size
	words := min((max(high, l.high)+63)/64, len(l.mounted), (l.m.Cap()+63)/64)
	for w := range l.mounted[:words] {
		l.mounted[w] = l.m.RowBits(uint32(w))
	}
	if l.texts == nil {
		copy(l.copied, l.m.Columns[l.field.Index].Bytes[:high*size])
	} else {
		l.copyTexts(l.mounted[:(high+63)/64])
	}
	l.m.Owners(l.owners[:high], 0)
	l.high = high
	l.tree.valid, l.table.valid = false, false
}

// deriveTree makes the tree that of the column.
func (l *Lists) deriveTree() {
	n, differ := l.gather()
	from, spare := l.tree.pairs(n), l.spare.first(n)
	if sorted, inSpare := from.sort(spare, differ, 0); !inSpare {
		copy(spare.keys, sorted.keys)
		copy(spare.objects, sorted.objects)
	}
	l.tree.fill(spare.keys, spare.objects)
	l.waiting.clear()
	l.tree.valid = true
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
