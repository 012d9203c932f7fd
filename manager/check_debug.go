//go:build ecsdebug

package manager

import (
	"bytes"
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
)

// A check compares a word that a loop trusts with the data from which the word is derived. Long
// checks run at random, so that each call takes a few steps on average; tests run each of them.
var (
	checks      atomic.Uint32
	alwaysCheck bool
)

const stepsPerCall = 4

// sometimes reports whether to run a check of so many steps now.
func sometimes(steps int) bool {
	if alwaysCheck || steps <= stepsPerCall {
		return true
	}
	x := checks.Add(0x9E3779B9)
	x = (x ^ x>>15) * 0x2C1B3C6D
	return int64(x^x>>13)*int64(steps) < stepsPerCall<<32
}

// blame panics with the words of a kind that contradict each other.
func blame(k *layout.KindSpec, format string, args ...any) { blameOf(k.Name, format, args...) }

func blameOf(of, format string, args ...any) {
	panic("flatecs: " + layout.Quoted(of) + ": " + fmt.Sprintf(format, args...) + "; something " +
		"wrote to the world's bytes but its functions, or this is a bug: tool.Verify says more")
}

// checkRows compares High and Mounted with the bits of the mounted rows.
func checkRows(r *Rows) {
	c := r.count
	words := (c.High + 63) / 64
	if !sometimes(int(words)) {
		return
	}
	var n uint32
	for w := range words {
		n += uint32(bits.OnesCount64(r.Bits(w)))
	}
	if n != c.Mounted && len(r.objects) != 0 {
		blame(r.kind, "%d bits of mounted are set, and counters.Mounted is %d", n, c.Mounted)
	}
	checkUnused(r, c.High, min(c.High|63+64, uint32(r.Cap())))
}

// checkUnused compares High with the rows in [from, to), which must be unused.
func checkUnused(r *Rows, from, to uint32) {
	if ofBlocks(r) {
		return
	}
	for row := from; row < to; row++ {
		if o := r.objects[row]; o != 0 || r.isMounted(row) {
			blame(r.kind, "counters.High is %d, and row %d is in use: objects has %#x, mounted %t",
				r.count.High, row, o, r.isMounted(row))
		}
	}
}

// checkNext checks that the row at High, which is used next, is not mounted. Before a file is read,
// its word in objects may hold anything.
func checkNext(m *Manager) {
	if row := m.count.High; m.Rows.isMounted(row) {
		blame(m.Kind, "counters.High is %d, and row %d is in use: mounted has its bit", row, row)
	}
}

// checkCounts compares Loose and Suspended with the words of the rows.
func checkCounts(r *Rows) {
	c := r.count
	if r.kind.Mark || !sometimes(int(c.High)) {
		return
	}
	var loose, kept uint32
	for row := range c.High {
		switch use, _ := r.use(row); use {
		case RowLoose:
			loose++
		case RowSuspended:
			kept++
		}
	}
	switch {
	case loose != c.Loose:
		blame(r.kind, "%d rows of objects are loose, and counters.Loose is %d", loose, c.Loose)
	case kept != c.Suspended:
		blame(r.kind, "%d rows of objects are suspended, and counters.Suspended is %d", kept,
			c.Suspended)
	}
}

// checkPresent compares the bits of the objects that have the component with Mounted.
func checkPresent(m *Manager) {
	if !sometimes(m.Blocks.used()) {
		return
	}
	var n uint32
	for k := range uint32(m.Blocks.used()) {
		n += uint32(bits.OnesCount64(m.Blocks.Present(k)))
	}
	if n != m.count.Mounted && !inBlocks(m) {
		blame(m.Kind, "%d bits of blocks.Present are set, and counters.Mounted is %d", n,
			m.count.Mounted)
	}
}

// checkGroup compares a group with its blocks.
func checkGroup(m *Manager, g int) {
	if !sometimes(64) {
		return
	}
	group := m.Blocks.Groups[g]
	for k := g << 6; k < min(g<<6+64, len(m.Blocks.list)); k++ {
		some, whole := group.Any>>(k&63)&1 != 0, group.Whole>>(k&63)&1 != 0
		if x := m.Blocks.list[k].held(); some != (x != 0 || standsBy(m, uint32(k))) {
			blame(m.Kind, "groups[%d].Any says %t of block %d, and its Present is %x", g, some,
				k, x)
		}
		if whole != m.Blocks.whole(uint32(k)) {
			blame(m.Kind, "groups[%d].Whole says %t of block %d, and that is %+v", g, whole, k,
				m.Blocks.list[k])
		}
	}
}

// checkBlock compares a block with bases, pages and rows.
func checkBlock(bs *Blocks, k uint32) {
	if bs.rows.kind.Mark || !sometimes(64) {
		return
	}
	b := &bs.list[k]
	if !ofBlocks(bs.rows) && b.Base != bs.bases[k] {
		blame(bs.rows.kind, "blocks[%d].Base is %d, and bases has %d", k, int32(b.Base),
			int32(bs.bases[k]))
	}
	if err := verifyKept(bs, k); err != nil {
		blame(bs.rows.kind, "%v", err)
	}
	if odd := b.Odd &^ bs.Holds(k); odd != 0 {
		blame(bs.rows.kind, "blocks[%d].Odd has %x, which Present and Kept have not", k, odd)
	}
	if b.Odd != 0 {
		checkPage(bs, b)
	}
	for x := bs.Holds(k); x != 0; x &= x - 1 {
		i := bits.TrailingZeros64(x)
		checkRow(bs, b, k, i)
	}
}

// checkRow compares the row that a block gives an object with the row's own word.
func checkRow(bs *Blocks, b *blockRecord, k uint32, i int) {
	r := bs.rows
	object, row := k<<6+uint32(i), bs.rowIn(b, k, i)
	want, mounted := object, bs.Present(k)>>i&1 != 0
	if !mounted {
		want |= suspended
	}
	switch {
	case row >= r.count.High:
		blame(r.kind, "blocks[%d] has object %d in row %d, and counters.High is %d", k, object,
			row, r.count.High)
	case ofBlocks(r):
		if use, owner := r.use(row); owner != object || use == RowUnused {
			blame(r.kind, "blocks[%d] has object %d in row %d, whose use is %v", k, object, row,
				use)
		}
	case r.isMounted(row) && r.Owner(row) != want,
		!r.isMounted(row) && r.objects[row] != want:
		blame(r.kind, "blocks[%d] has object %d in row %d, and objects has %#x there", k,
			object, row, r.objects[row])
	case r.isMounted(row) != mounted:
		blame(r.kind, "blocks[%d].Present says %t of object %d, and mounted %t of its row, %d", k,
			mounted, object, !mounted, row)
	}
}

// checkFree compares the head of the free list with its row.
func checkFree(m *Manager) {
	c := m.count
	if c.Free == 0 {
		return
	}
	row := c.Free - 1
	switch {
	case row >= c.High:
		blame(m.Kind, "counters.Free is row %d, and counters.High is %d", row, c.High)
	case !m.Rows.isFree(row) || m.Rows.isMounted(row):
		blame(m.Kind, "counters.Free is row %d, and objects has %#x there, mounted %t", row,
			m.Rows.objects[row], m.Rows.isMounted(row))
	case m.Rows.links[row] != 0:
		blame(m.Kind, "counters.Free is row %d, and links has row %d disposed after it", row,
			m.Rows.links[row]-1)
	}
	if sometimes(int(c.High)) {
		checkAllFree(m)
	}
}

// checkAllFree compares the free list with the rows that are free.
func checkAllFree(m *Manager) {
	if n, err := verifyList(m); err != nil {
		blame(m.Kind, "counters.Free is row %d, and %d rows of objects are free: %v",
			m.count.Free-1, n, err)
	}
}

// checkListed compares a free row with those before and after it in the list.
func checkListed(m *Manager, row uint32) {
	next, before := m.Rows.objects[row], m.Rows.links[row]
	switch {
	case next != free && m.Rows.links[next-free-1] != row+1:
		blame(m.Kind, "objects[%d] has row %d disposed before it, and links there has %d", row,
			next-free-1, int64(m.Rows.links[next-free-1])-1)
	case before != 0 && m.Rows.objects[before-1] != free|(row+1):
		blame(m.Kind, "links[%d] has row %d disposed after it, and objects there has %#x", row,
			before-1, m.Rows.objects[before-1])
	case before == 0 && m.count.Free != row+1:
		blame(m.Kind, "links[%d] has no row disposed after it, and counters.Free is row %d", row,
			int64(m.count.Free)-1)
	}
}

// checkLast compares High with the last row of a packed kind.
func checkLast(m *Manager) {
	if last := m.count.High - 1; last >= uint32(m.Rows.Cap()) || !m.Rows.isMounted(last) {
		blame(m.Kind, "counters.High is %d, and the row before is not mounted, of a packed kind",
			m.count.High)
	}
}

// checkPage checks that the page of a block was ever used.
func checkPage(bs *Blocks, b *blockRecord) {
	if !bs.pages.has(*b) {
		blame(bs.rows.kind, "a block of odd objects %x has %s, and spare pages are %+v", b.Odd,
			pageName(b.Page), bs.pages.spare)
	}
}

// checkSpare compares the lists of unused pages with the blocks that have pages.
func checkSpare(bs *Blocks) {
	for size, s := range bs.pages.spare {
		if s.Free > s.High {
			blame(bs.rows.kind, "spare pages[%d].Free is page %d, and its High is %d", size,
				s.Free-1, s.High)
		}
		if s.Free == 0 || !sometimes(bs.used()) {
			continue
		}
		for k, b := range bs.list[:bs.used()] {
			if b.Odd != 0 && b.Page == (s.Free-1)<<sizeBits|uint32(size) {
				blame(bs.rows.kind, "spare pages[%d].Free is %s, and blocks[%d] has it, of odd "+
					"objects %x", size, pageName(b.Page), k, b.Odd)
			}
		}
	}
}

// checkChanged compares the tick of the last change with the stamps of the rows.
func checkChanged(m *Manager) {
	stamps := m.Stamps.list[:(m.count.High+63)/64]
	if m.Kind.Mark || ByBlock(m) || !sometimes(len(stamps)) {
		return
	}
	for w, t := range stamps {
		if t > m.count.Changed {
			blame(m.Kind, "changed[%d] is tick %d, and counters.Changed is %d", w, t,
				m.count.Changed)
		}
	}
}

// checkGroup is the function checkGroup for the kinds that rules ask for.
func (m *Match) checkGroup(g int) {
	m.each(func(k *Manager) { checkGroup(k, g) })
}

// checkBlock is the function checkBlock for the kinds that rules ask for.
func (m *Match) checkBlock(block uint32) {
	m.each(func(k *Manager) { checkBlock(&k.Blocks, block) })
}

// checkKinds compares the kinds per block with the blocks.
func checkKinds(a *Arena, block uint32) {
	if !sometimes(len(a.Managers)) {
		return
	}
	words := a.Kinds(block)
	for i := range a.Managers {
		m := &a.Managers[i]
		b, in := &m.Blocks.list[block], words[i>>6]>>(i&63)&1 != 0
		if in != (b.held() != 0 || standsBy(m, block)) {
			blame(m.Kind, "kinds per block says %t of block %d, and its Present is %x, its Kept %x",
				in, block, m.Blocks.Present(block), b.Kept)
		}
		near := m.Blocks.kinds.near(block)
		if a.eights != nil && near != eighths(m.Blocks.Holds(block)) {
			blame(m.Kind, "kinds per 8 objects are %08b of block %d, and its Present is %x, its "+
				"Kept %x", near, block, m.Blocks.Present(block), b.Kept)
		}
	}
}

const unusedSteps = 1 << 12 // bytes behind the used part that a check reads

// checkUsed compares the high-water mark of a part with the bytes behind it.
func checkUsed(a *Arena, p *Part) {
	used := usedOf(a, p)
	behind := bytesOf(a, p)[used:]
	if p.Free && p.Field != nil && a.memory.Mapped() || len(behind) == 0 || !sometimes(64) {
		return
	}
	behind = behind[:min(len(behind), unusedSteps)/p.Unit*p.Unit]
	for at := 0; at < len(behind); at += p.Unit {
		unit := behind[at : at+p.Unit]
		if noneSet(unit) ||
			p.Field != nil && bytes.Equal(unit, p.Field.Default) {
			continue
		}
		blameOf(p.Owner, "%s[%d] is %x, and counters.High says that %d were ever used", p.Name,
			(used+at)/p.Unit, unit, used/p.Unit)
	}
}

// checkGroup compares the watcher's notes on 64 blocks with these blocks.
func (r *Watcher) checkGroup(g int) {
	if !sometimes(64) {
		return
	}
	for k := g << 6; k < min(g<<6+64, len(r.blocks)); k++ {
		b := &r.blocks[k]
		touched, reported := r.touched[g]>>(k&63)&1 != 0, r.reported[g]>>(k&63)&1 != 0
		if touched != (b.Touched != 0) {
			blameOf(r.name(), "touched[%d] says %t of block %d, and its Touched is %x", g, touched,
				k, b.Touched)
		}
		if reported != (b.Left|b.Entered != 0) {
			blameOf(r.name(), "reported[%d] says %t of block %d, and its Left is %x, its "+
				"Entered %x", g, reported, k, b.Left, b.Entered)
		}
	}
}

// checkMembers compares the count of members with their bits.
func (r *Watcher) checkMembers() {
	if !sometimes(len(r.blocks)) {
		return
	}
	var n uint64
	for k := range r.blocks {
		n += uint64(bits.OnesCount64(r.blocks[k].Members))
	}
	if n != r.count.Members {
		blameOf(r.name(), "%d bits of blocks.Members are set, and count.Members is %d", n,
			r.count.Members)
	}
}

// name names a watcher by what it watches.
func (r *Watcher) name() string { return "watcher of " + r.watch.rules() }
