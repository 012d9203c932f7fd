package manager

import (
	"fmt"
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
)

// pages store the rows of odd objects.
type pages struct {
	of64  []page // of any number of rows
	of16  []page16
	of4   []page4
	spare []pageCounters // by size
}

var rowsOfPage = [pageSizes]int{ofPlaces: 64, ofFour: 4, of16: 16}

// noPage is the page of a block without a page: page 0 may never have been used.
var noPage page

// A page holds the rows of a block's odd objects, by the object's place in the block. The first
// entry of an unused page is the next unused page plus 1.
type page [64]uint32

// A page4 and a page16 hold the rows of a few odd objects, in the order of the objects. A block
// moves to the next size when its page is full, and keeps it until no object is odd.
type (
	page4  [4]uint32
	page16 [16]uint32
)

// Sizes of pages, as in the lowest bits of blockRecord.Page; the bits above are the page's number
// among the pages of its size. A block without a page has 0.
const (
	ofPlaces = 0 // 64 rows
	ofFour   = 1
	of16     = 2

	sizeBits  = 2
	sizeMask  = 1<<sizeBits - 1
	pageSizes = 3
)

// pageCounters are derived from the blocks, for each size of page.
type pageCounters struct {
	High uint32 // pages ever used
	Free uint32 // first unused page below High, plus 1; 0: none
}

// carvePages cuts the pages and their counters: a page of each size for every block that can have
// an odd object.
func carvePages(c *buffer.Carver, n int) *pages {
	return &pages{
		of4:   buffer.CarveRecords[page4](c, n), // in the order of the bytes
		of16:  buffer.CarveRecords[page16](c, n),
		of64:  buffer.CarveRecords[page](c, n),
		spare: buffer.CarveRecords[pageCounters](c, pageSizes),
	}
}

// clear makes all pages unused.
func (ps *pages) clear() {
	clear(ps.of64[:min(int(ps.spare[ofPlaces].High), len(ps.of64))])
	clear(ps.of4[:min(int(ps.spare[ofFour].High), len(ps.of4))])
	clear(ps.of16[:min(int(ps.spare[of16].High), len(ps.of16))])
	clear(ps.spare)
}

// rows returns the entries of a page.
func (ps *pages) rows(p uint32) []uint32 {
	switch n := p >> sizeBits; p & sizeMask {
	case ofFour:
		return ps.of4[n][:]
	case of16:
		return ps.of16[n][:]
	default:
		return ps.of64[n][:]
	}
}

// row returns the row of odd object i of a block.
func (ps *pages) row(b *blockRecord, i uint32) uint32 {
	if i &= 63; b.Page&sizeMask == ofPlaces {
		return ps.of64[b.Page>>sizeBits][i]
	}
	return ps.rows(b.Page)[rank(b.Odd, i)]
}

// has reports whether the page of a block that has one was ever used, and has room for the rows of
// the odd objects.
func (ps *pages) has(b blockRecord) bool {
	size := b.Page & sizeMask
	return size < pageSizes && b.Page>>sizeBits < ps.spare[size].High &&
		bits.OnesCount64(b.Odd) <= rowsOfPage[size]
}

// pageName names a page.
func pageName(p uint32) string {
	if p&sizeMask >= pageSizes {
		return fmt.Sprint("page ", p>>sizeBits, " of no size")
	}
	return fmt.Sprint("page ", p>>sizeBits, " of ", rowsOfPage[p&sizeMask])
}

// rank returns how many bits of x are below bit i.
func rank(x uint64, i uint32) int { return bits.OnesCount64(x & (1<<(i&63) - 1)) }

// add records the row of an object that is not in lockstep.
func (ps *pages) add(b *blockRecord, object, row uint32) {
	i, n := object&63, bits.OnesCount64(b.Odd)
	switch {
	case n == 0:
		b.Page = ps.take(ofFour)
	case b.Page&sizeMask == ofFour && n == len(page4{}), n == len(page16{}):
		ps.widen(b)
	}
	rows := ps.rows(b.Page)
	if b.Page&sizeMask != ofPlaces {
		i = uint32(rank(b.Odd, i))
		copy(rows[i+1:n+1], rows[i:n])
	}
	rows[i] = row
	b.Odd |= 1 << (object & 63)
}

// widen moves the rows of a block to a page of the next size, unless it is the largest.
func (ps *pages) widen(b *blockRecord) {
	old := b.Page
	switch rows := ps.rows(old); old & sizeMask {
	case ofFour:
		b.Page = ps.take(of16)
		copy(ps.rows(b.Page), rows)
	case of16:
		b.Page = ps.take(ofPlaces)
		spread(&ps.of64[b.Page>>sizeBits], rows, b.Odd)
	default:
		return
	}
	ps.put(old)
}

// spread writes the rows of a block's odd objects to their places.
func spread(dst *page, rows []uint32, odd uint64) {
	for n := 0; odd != 0; odd, n = odd&(odd-1), n+1 {
		dst[bits.TrailingZeros64(odd)&63] = rows[n]
	}
}

// drop forgets the row of odd object i of a block.
func (ps *pages) drop(b *blockRecord, i uint32) {
	if b.Page&sizeMask != ofPlaces {
		rows, at := ps.rows(b.Page), rank(b.Odd, i)
		copy(rows[at:], rows[at+1:bits.OnesCount64(b.Odd)])
	}
	if b.Odd &^= 1 << (i & 63); b.Odd == 0 {
		ps.release(b)
	}
}

// take returns an unused page. There is always one, because each odd object needs a row.
func (ps *pages) take(size uint32) (p uint32) {
	s := &ps.spare[size]
	if s.Free != 0 {
		p = (s.Free-1)<<sizeBits | size
		s.Free = ps.rows(p)[0]
		return p
	}
	s.High++
	return (s.High-1)<<sizeBits | size
}

func (ps *pages) release(b *blockRecord) {
	ps.put(b.Page)
	b.Page = 0
}

func (ps *pages) put(p uint32) {
	s := &ps.spare[p&sizeMask]
	ps.rows(p)[0] = s.Free
	s.Free = p>>sizeBits + 1
}

// list is [Blocks.RowsOf] for a block whose page lists the rows of odd objects in the order of the
// objects.
func (ps *pages) list(dst *[64]uint32, b *blockRecord, first uint32, x uint64) (straight bool) {
	rows := ps.rows(b.Page)
	if bits.OnesCount64(x) > len(page16{}) {
		var places page
		spread(&places, rows, b.Odd)
		return kernel.ListRows(dst, (*[64]uint32)(&places), first, b.Odd, x)
	}
	straight = true
	n := uint32(0)
	for ; x != 0; x &= x - 1 {
		i := uint32(bits.TrailingZeros64(x))
		row := first + i
		if b.Odd>>i&1 != 0 {
			row = rows[rank(b.Odd, i)]
		}
		dst[n&63] = row
		straight = straight && row == dst[0]+n
		n++
	}
	return straight
}
