package order

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// follow makes copied, owners and mounted those of the column, and tells table and tree, row by row
// that differs. It returns false if that costs more than to derive them.
func (l *Lists) follow() bool {
	f := following{Lists: l, left: changesFor(l.m.MaxIndex()), moved: l.reshaped != l.m.Reshaped()}
	f.column = l.m.Columns[l.field.Index].Bytes
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
	column []byte
	moved  bool // rows may be on other objects, or on none
	left   int  // entries that may be moved
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
		if stamped && stamps[w] < f.tick && f.m.RowBits(uint32(w)) == f.mounted[w] {
			continue
		}
		for x := f.differing(w); x != 0; x &= x - 1 {
			if !f.row(uint32(w<<6 + bits.TrailingZeros64(x))) {
				return false
			}
		}
	}
	f.high = high
	return true
}

// differing returns the rows of a word that may not be as they were, a bit each. It may miss some
// that are on no object.
func (f *following) differing(w int) uint64 {
	is, was := f.m.RowBits(uint32(w)), f.mounted[w]
	if f.texts != nil {
		return is | was
	}
	x, from := is^was, w<<6
	to := min(from+64, f.m.MaxIndex())
	if from >= to {
		return x
	}
	if f.moved {
		var owners [64]uint32
		f.m.Owners(owners[:to-from], uint32(from))
		for i, was := range f.owners[from:to] {
			if owners[i&63] != was {
				x |= 1 << i
			}
		}
	}
	size := f.keys.size
	now, before := f.column[from*size:to*size], f.copied[from*size:to*size]
	if bytes.Equal(now, before) {
		return x
	}
	const word = 8
	i, rows := 0, word/size // of a word
	for ; i+word <= len(now); i += word {
		if binary.LittleEndian.Uint64(now[i:]) != binary.LittleEndian.Uint64(before[i:]) {
			x |= (1<<rows - 1) << (i / size & 63)
		}
	}
	x |= ^uint64(0) << (i / size) // the rest
	return x & (is | was)
}

// row makes the entry of a row that of the column.
func (f *following) row(row uint32) bool {
	w, bit := row>>6, uint64(1)<<(row&63)
	mounted := f.m.RowBits(w)
	was, is := f.mounted[w]&bit != 0, mounted&bit != 0
	var old, now entry
	if was {
		old = entry{f.keys.at(f.copied, row), f.owners[row]}
	}
	if is {
		now = entry{f.now(row), f.m.Owner(row)}
	}
	if was == is && old == now {
		return true
	}
	if f.left--; f.left < 0 {
		return false
	}
	if f.tree.valid = f.tree.valid && !f.waiting.full(); f.tree.valid {
		f.waiting.note(was, old, is, now)
	}
	if was && f.table.valid {
		f.leave(row, old)
	}
	f.mounted[w] ^= (f.mounted[w] ^ mounted) & bit
	f.owners[row] = now.object
	f.copy(row, now)
	if is && f.table.valid {
		f.enter(row, now)
	}
	return true
}

// now returns the key of a row as it is.
func (f *following) now(row uint32) uint64 {
	if f.texts != nil {
		return f.keyOfText(f.texts.at(row))
	}
	return f.keys.at(f.column, row)
}

// copy makes what is copied of a row what the column has, of which e is the entry.
func (f *following) copy(row uint32, e entry) {
	if f.texts != nil {
		binary.LittleEndian.PutUint64(f.copied[row*8:], e.key)
		return
	}
	from, to := int(row)*f.keys.size, int(row+1)*f.keys.size
	copy(f.copied[from:to], f.column[from:to])
}
