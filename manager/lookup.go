package manager

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// mustBe returns m. It panics if m is not the manager of k.
func mustBe(m *Manager, k layout.Kind) *Manager {
	if m.Kind != k.Spec() {
		panic("flatecs: this is the manager of " + m.Kind.Name + "; give the one of " + k.String())
	}
	return m
}

// High returns the number of rows that were ever used. Every row in use is below it.
func (r *Rows) High() int { return int(r.count.High) }

// Live returns the number of rows in use: mounted, loose or suspended.
func (m *Manager) Live() int { return int(m.count.Loose+m.count.Suspended) + m.Mounted() }

// Mounted returns the number of objects that have the component.
func (m *Manager) Mounted() int {
	if inBlocks(m) {
		return countPresent(m)
	}
	return int(m.count.Mounted)
}

// countPresent counts the objects that have the component.
func countPresent(m *Manager) (n int) {
	for g := range m.Blocks.Groups[:(m.Blocks.used()+63)/64] {
		for x := m.Blocks.Groups[g].Any; x != 0; x &= x - 1 {
			n += bits.OnesCount64(m.Blocks.list[g<<6+bits.TrailingZeros64(x)].Present)
		}
	}
	return n
}

// Left returns the number of rows that are not in use. Marks and kinds by block have room for every
// object.
func (m *Manager) Left() int {
	if m.Kind.Mark || ByBlock(m) {
		return math.MaxInt
	}
	return m.Rows.Cap() - m.Live()
}

// tally counts n objects more, modulo 2³², that have the component.
func tally(m *Manager, n uint32) {
	if !inBlocks(m) {
		m.count.Mounted += n
	}
}

// Shown returns the number of rows in a [Column]: all rows of a counted kind, otherwise those that
// were ever used.
func (d *Data) Shown() int {
	if d.lazy {
		return d.rows.High()
	}
	return d.rows.Cap()
}

// Has reports whether object has the component.
func (m *Manager) Has(object uint32) bool {
	return m.Blocks.Present(object>>6)>>(object&63)&1 != 0
}

// RowOf returns the row of object's component, and whether it has one.
func (m *Manager) RowOf(object uint32) (row layout.Row, ok bool) {
	b := &m.Blocks.list[object>>6]
	if m.Blocks.InLockstep(object>>6)>>(object&63)&1 != 0 {
		return layout.Row(b.row(object)), true
	}
	return m.Blocks.oddRow(b, object)
}

func (bs *Blocks) oddRow(b *blockRecord, object uint32) (row layout.Row, ok bool) {
	if (bs.Present(object>>6)&b.Odd)>>(object&63)&1 == 0 {
		return 0, false
	}
	return layout.Row(bs.pages.row(b, object)), true
}

// HeldRow is [Manager.RowOf] for an object that has the component, or keeps it suspended.
func (bs *Blocks) HeldRow(object uint32) (row uint32, ok bool) {
	b := &bs.list[object>>6]
	if bs.Holds(object>>6)>>(object&63)&1 == 0 {
		return 0, false
	}
	return bs.rowIn(b, object>>6, int(object)), true
}

// Get is RowOf with an error that wraps [ErrAbsent]. The row of a mark is 0.
func (m *Manager) Get(object uint32) (layout.Row, error) {
	row, ok := m.RowOf(object)
	switch {
	case !ok:
		return 0, refuse(m, ErrAbsent, object)
	case m.Kind.Mark:
		return 0, nil
	}
	return row, nil
}

// owner returns the object that row is on, or unmounted. It panics if row is not in use.
func (m *Manager) owner(row layout.Row) uint32 {
	if uint32(row) < m.count.High {
		if m.Rows.isMounted(uint32(row)) {
			return m.Rows.Owner(uint32(row))
		}
		if !ByBlock(m) && m.Rows.word(uint32(row)) == unmounted {
			return unmounted
		}
	}
	panic(unusedRow(m, row))
}

//go:noinline
func unusedRow(m *Manager, row layout.Row) string {
	return fmt.Sprintf("flatecs: row %d of %s is not in use, %d of %d rows are; use a row that "+
		"CreateComponent or Ensure returned, until its component is disposed", row, m.Kind.Name,
		m.Live(), m.Rows.Cap())
}

// ObjectOf returns the object that row is mounted on, if any. It panics if row is not in use.
func (m *Manager) ObjectOf(row layout.Row) (object uint32, ok bool) {
	object = m.owner(row)
	return object, object != unmounted
}

// IDs writes the ids of the objects that the listed rows are mounted on to dst. All of them must
// be.
func (r *Rows) IDs(dst []gameobject.ID, rows []uint32) {
	for i, row := range rows[:len(dst)] {
		dst[i] = r.registry.At(r.Owner(row))
	}
}

// IDsFrom is [Rows.IDs] for the rows from row on.
func (r *Rows) IDsFrom(dst []gameobject.ID, row uint32) {
	if !ofBlocks(r) {
		r.registry.AtRows(dst, r.words(row, uint32(len(dst))), 0)
		return
	}
	for len(dst) > 0 {
		n := min(64-row&63, uint32(len(dst)))
		r.registry.AtEach(dst[:n], r.home(row))
		dst, row = dst[n:], row+n
	}
}

// Buffer returns the bytes of the columns, one column after the other. For a kind without a count,
// the last column ends with the rows that were ever used.
func (d *Data) Buffer() []byte {
	n := len(d.Columns)
	if !d.lazy || n == 0 {
		return d.bytes
	}
	end := len(d.bytes) - (d.rows.Cap()-d.rows.High())*d.Columns[n-1].Stride
	return d.bytes[:end:end]
}

// NextRun returns the start and the length of the lowest run of set bits of x, and x without it.
func NextRun(x uint64) (start, n uint32, rest uint64) {
	start = uint32(bits.TrailingZeros64(x))
	n = uint32(bits.TrailingZeros64(^(x >> start)))
	return start, n, x &^ (full >> (64 - n) << start)
}

// Runs yields the runs of mounted rows, ascending: the first row and the length of each. No row may
// be mounted or disposed during the loop.
func (r *Rows) Runs(yield func(row, n int) bool) {
	checkRows(r)
	row, n := 0, 0
	var s, c uint32
	for w := range int(r.count.High+63) / 64 {
		for x := r.Bits(uint32(w)); x != 0; {
			s, c, x = NextRun(x)
			if begin := w<<6 + int(s); row+n != begin {
				if n > 0 && !yield(row, n) {
					return
				}
				row, n = begin, 0
			}
			n += int(c)
		}
	}
	if n > 0 {
		yield(row, n)
	}
}

// Each yields the mounted rows, ascending. No row may be mounted or disposed during the loop.
func (r *Rows) Each(yield func(layout.Row) bool) {
	checkRows(r)
	for w := range (r.count.High + 63) / 64 {
		for x := r.Bits(w); x != 0; x &= x - 1 {
			if !yield(layout.Row(w<<6 + uint32(bits.TrailingZeros64(x)))) {
				return
			}
		}
	}
}

// RowsOf writes the rows of the objects x of a block to dst, and reports whether they are
// consecutive in the order of the objects. All of x must have the component. Entries of dst behind
// the rows may be overwritten.
func (bs *Blocks) RowsOf(dst *[64]uint32, block uint32, x uint64) (straight bool) {
	checkBlock(bs, block)
	b := &bs.list[block]
	if b.Page&sizeMask != ofPlaces {
		return bs.pages.list(dst, b, b.row(block<<6), x)
	}
	odds := &noPage
	if b.Odd != 0 {
		odds = &bs.pages.of64[b.Page>>sizeBits]
	}
	return kernel.ListRows(dst, (*[64]uint32)(odds), b.row(block<<6), b.Odd, x)
}

// noPage stands for the page of a block that has none: page 0 may never have been used.
var noPage page

// rowIn returns the row of object i of a block, which must have one.
func (bs *Blocks) rowIn(b *blockRecord, block uint32, i int) uint32 {
	if i &= 63; b.Odd>>i&1 != 0 {
		return bs.pages.row(b, uint32(i))
	}
	return b.row(block<<6 + uint32(i))
}

// Changed returns the objects among x of a block whose values may have been written after tick. All
// of x must have the component. It may include objects whose neighbours were written; it misses
// none.
func (m *Manager) Changed(block uint32, x uint64, tick uint64) uint64 {
	checkChanged(m)
	if m.count.Changed <= tick && !ByBlock(m) {
		return 0
	}
	checkBlock(&m.Blocks, block)
	b := &m.Blocks.list[block]
	first := b.row(block << 6)  // row of the block's first object, if it is in lockstep
	low := full >> (first & 63) // objects whose rows share a stamp with it
	even, odd := x&^b.Odd, x&b.Odd
	if ByBlock(m) && m.Stamps.spawnedIn(block) > tick {
		return x
	}
	if even&low != 0 && m.Stamps.list[first>>6] <= tick {
		even &^= low
	}
	if even&^low != 0 && m.Stamps.list[(first+63)>>6] <= tick {
		even &= low
	}
	for o := odd; o != 0; o &= o - 1 {
		bit := o & -o
		if row, _ := m.Blocks.oddRow(b,
			block<<6+uint32(bits.TrailingZeros64(o))); m.Stamps.list[row>>6] <= tick {
			odd &^= bit
		}
	}
	return even | odd
}
