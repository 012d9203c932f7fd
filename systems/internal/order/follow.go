package order

import (
	"bytes"
	"math/bits"
	"slices"
)

// changesFor returns how many entries are moved in a tree of n: more cost as much as to derive all.
func changesFor(n int) int { return n/32 + 64 }

// follow makes the tree that of the column as it is, by the rows that may differ. It returns false
// if that costs more than to derive all.
func (l *Lists) follow() bool {
	f := following{Lists: l, left: changesFor(l.tree.count)}
	f.column = l.m.Columns[l.field.Index].Bytes
	f.bits, f.objects = l.m.RowBits()
	same := l.replaced == l.arena.Replaced
	if same {
		if rows, ok := l.m.Recent(l.rows[:0], l.written, l.reshaped); ok {
			return f.each(rows)
		}
	}
	return f.all(same)
}

// A following is lists that are made those of the column.
type following struct {
	*Lists
	column  []byte
	bits    []uint64
	objects []uint32
	left    int // entries that may be moved
}

// each compares listed rows.
func (f *following) each(rows []uint32) bool {
	for _, row := range rows {
		if int(row) >= f.room {
			continue // was never used
		}
		if !f.row(row) {
			return false
		}
	}
	f.high = max(f.high, f.m.MaxIndex())
	return true
}

// all compares the rows whose stamps or bits say that they may differ, if all changes were stamped,
// or all.
func (f *following) all(stamped bool) bool {
	stamps, _ := f.m.Stamps()
	high := max(f.high, f.m.MaxIndex())
	for w := range (high + 63) / 64 {
		if stamped && stamps[w] < f.tick && f.bits[w] == f.mounted[w] || f.same(w) {
			continue
		}
		for x := f.bits[w] | f.mounted[w]; x != 0; x &= x - 1 {
			if !f.row(uint32(w<<6 + bits.TrailingZeros64(x))) {
				return false
			}
		}
	}
	f.high = high
	return true
}

// same reports whether the rows of a word are all as they were. It may miss that some are, where
// some are on no object.
func (f *following) same(w int) bool {
	if f.bits[w] != f.mounted[w] {
		return false
	}
	from := w << 6
	to := max(from, min(from+64, f.m.MaxIndex()))
	return bytes.Equal(f.column[from*f.keys.size:to*f.keys.size],
		f.copied[from*f.keys.size:to*f.keys.size]) &&
		slices.Equal(f.objects[from:to], f.owners[from:to])
}

// row makes the entry of a row that of the column.
func (f *following) row(row uint32) bool {
	w, bit := row>>6, uint64(1)<<(row&63)
	was, is := f.mounted[w]&bit != 0, f.bits[w]&bit != 0
	var old, now entry
	if was {
		old = entry{f.keys.at(f.copied, row), f.owners[row]}
	}
	if is {
		now = entry{f.keys.at(f.column, row), f.objects[row]}
	}
	if was == is && old == now {
		return true
	}
	if f.left--; f.left < 0 {
		return false
	}
	if was && !f.drop(old) || is && !f.add(now) {
		return false
	}
	f.mounted[w] ^= (f.mounted[w] ^ f.bits[w]) & bit
	f.owners[row] = now.object
	from, to := int(row)*f.keys.size, int(row+1)*f.keys.size
	copy(f.copied[from:to], f.column[from:to])
	return true
}

// add adds an entry.
func (f *following) add(e entry) bool {
	if !f.tree.insert(e) {
		return false
	}
	f.table.add(e)
	return true
}

// drop removes an entry.
func (f *following) drop(e entry) bool {
	next, ok := f.tree.remove(e)
	if ok {
		f.table.drop(e, next)
	}
	return ok
}
