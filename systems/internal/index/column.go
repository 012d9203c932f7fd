package index

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// A column is a copy of the keys of a field at the last query. It finds the rows that have changed
// since.
type column struct {
	m     *manager.Manager
	arena *manager.Arena
	keys  keys

	written, reshaped uint64 // of the manager at that time
	replaced          uint64 // of the arena
	tick              uint64 // of the world

	copied  []byte   // the values, or the keys of texts
	owners  []uint32 // per row: its object
	mounted []uint64 // a bit per row: is on its object
	high    int      // number of rows copied
	rows    [2 * manager.Recent]uint32
	left    int // changes that may still be reported
}

// A change is a row with a new entry.
type change struct {
	row      uint32
	was, is  bool // there was an entry, there is an entry
	old, now entry
}

// carve cuts a column of n rows.
func (c *column) carve(from *Cutter, n int) {
	words := (n + 63) / 64
	c.copied = Cut[byte](from, 64*words*c.keys.size)
	c.owners, c.mounted = Cut[uint32](from, 64*words), Cut[uint64](from, words)
}

// settle records that the column is up to date.
func (c *column) settle() {
	c.written, c.reshaped, c.replaced = c.m.Stamps.Written, c.m.Stamps.Reshaped(), c.arena.Replaced
	c.tick = *c.arena.Tick
}

// values returns the current bytes of the field.
func (c *column) values() []byte { return c.m.Data.Columns[c.keys.field.Index].Bytes }

// at returns the key of a row in the copy.
func (c *column) at(row uint32) uint64 { return c.keys.at(c.copied, row) }

// key returns the current key of a row.
func (c *column) key(row uint32) uint64 {
	if c.keys.text != nil {
		return c.keys.ofText(c.keys.text(row))
	}
	return c.keys.at(c.values(), row)
}

// copyAll updates the whole column, without reporting changes.
func (c *column) copyAll() {
	high := c.m.Rows.High()
	words := min((max(high, c.high)+63)/64, len(c.mounted), (c.m.Rows.Cap()+63)/64)
	for w := range c.mounted[:words] {
		x := c.m.Rows.Bits(uint32(w))
		for c.mounted[w] = x; x != 0 && c.keys.text != nil; x &= x - 1 {
			row := uint32(w<<6 + bits.TrailingZeros64(x))
			binary.LittleEndian.PutUint64(c.copied[row*8:], c.key(row))
		}
	}
	if c.keys.text == nil {
		copy(c.copied, c.values()[:high*c.keys.size])
	}
	c.m.Rows.Owners(c.owners[:high], 0)
	c.high = high
}

// changes updates the column, and calls tell for each row that differs. It returns false if there
// are more than most.
func (c *column) changes(most int, tell func(change)) bool {
	c.left = most
	if c.replaced != c.arena.Replaced {
		return c.search(false, tell)
	}
	rows, ok := manager.RecentRows(c.m, c.rows[:0], c.written, c.reshaped)
	if !ok {
		return c.search(true, tell)
	}
	for _, row := range rows {
		if int(row) >= len(c.owners) {
			continue // was never used
		}
		if !c.compare(row, tell) {
			return false
		}
	}
	c.high = max(c.high, c.m.Rows.High())
	return true
}

// search compares the rows that may differ according to stamps or bits, if all changes were
// stamped, or else all rows. It counts them first, so that it reports none if there are too many,
// unless only a comparison can tell whether texts differ.
func (c *column) search(stamped bool, tell func(change)) bool {
	moved := c.reshaped != c.m.Stamps.Reshaped() // rows may be on other objects, or on none
	high := max(c.high, c.m.Rows.High())
	words := (high + 63) / 64
	if c.keys.text == nil {
		left := c.left * max(8/c.keys.size, 1) // 8 bytes are compared at once
		for w := range words {
			if left -= bits.OnesCount64(c.differing(w, stamped, moved)); left < 0 {
				return false
			}
		}
	}
	for w := range words {
		for x := c.differing(w, stamped, moved); x != 0; x &= x - 1 {
			if !c.compare(uint32(w<<6+bits.TrailingZeros64(x)), tell) {
				return false
			}
		}
	}
	c.high = high
	return true
}

// differing returns the rows of a word that may have changed, a bit each. It may miss rows that are
// on no object. If all changes were stamped, it skips words without one.
func (c *column) differing(w int, stamped, moved bool) uint64 {
	is, was := c.m.Rows.Bits(uint32(w)), c.mounted[w]
	switch {
	case stamped && is == was && c.m.Stamps.Of(uint32(w)) < c.tick:
		return 0
	case c.keys.text != nil:
		return is | was
	}
	x, from := is^was, w<<6
	to := min(from+64, c.m.Rows.High())
	if from >= to {
		return x
	}
	if moved {
		var owners [64]uint32
		c.m.Rows.Owners(owners[:to-from], uint32(from))
		for i, was := range c.owners[from:to] {
			if owners[i&63] != was {
				x |= 1 << i
			}
		}
	}
	size := c.keys.size
	now, before := c.values()[from*size:to*size], c.copied[from*size:to*size]
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

// compare updates the entry of a row, and reports it if it differs. It returns false if there are
// too many changes.
func (c *column) compare(row uint32, tell func(change)) bool {
	w, bit := row>>6, uint64(1)<<(row&63)
	mounted := c.m.Rows.Bits(w)
	d := change{row: row, was: c.mounted[w]&bit != 0, is: mounted&bit != 0}
	if d.was {
		d.old = entry{c.at(row), c.owners[row]}
	}
	if d.is {
		d.now = entry{c.key(row), c.m.Rows.Owner(row)}
	}
	if d.was == d.is && d.old == d.now {
		return true
	}
	if c.left--; c.left < 0 {
		return false
	}
	c.mounted[w] ^= (c.mounted[w] ^ mounted) & bit
	c.owners[row] = d.now.object
	if c.keys.text != nil {
		binary.LittleEndian.PutUint64(c.copied[row*8:], d.now.key)
	} else {
		from, to := int(row)*c.keys.size, int(row+1)*c.keys.size
		copy(c.copied[from:to], c.values()[from:to])
	}
	tell(d)
	return true
}
