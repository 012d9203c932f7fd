//go:build ecsdebug

package manager

import (
	"bytes"
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
)

// A check compares a word that a loop trusts with what the word follows from. What takes many steps
// is done at random, so that each call takes a few steps on average; tests have it done each time.
var (
	checks      atomic.Uint32
	alwaysCheck bool
)

const stepsPerCall = 4

// sometimes reports whether a check of so many steps is to be made now.
func sometimes(steps int) bool {
	if alwaysCheck || steps <= stepsPerCall {
		return true
	}
	x := checks.Add(0x9E3779B9)
	x = (x ^ x>>15) * 0x2C1B3C6D
	return int64(x^x>>13)*int64(steps) < stepsPerCall<<32
}

// blame panics with what contradicts what.
func blame(of, format string, args ...any) {
	panic("flatecs: " + layout.Quoted(of) + ": " + fmt.Sprintf(format, args...) + "; something " +
		"wrote to the world's bytes but its functions, or this is a bug: tool.Verify says more")
}

func (m *Manager) blame(format string, args ...any) { blame(m.Kind.Name, format, args...) }

// checkRows compares High and Mounted with the bits of the mounted rows.
func (m *Manager) checkRows() {
	c := m.count
	words := (c.High + 63) / 64
	if !sometimes(int(words)) {
		return
	}
	var n uint32
	for w := range words {
		n += uint32(bits.OnesCount64(m.RowBits(w)))
	}
	if n != c.Mounted && !inBlocks(m) {
		m.blame("%d bits of mounted are set, and counters.Mounted is %d", n, c.Mounted)
	}
	m.checkUnused(c.High, min(c.High|63+64, uint32(m.Cap())))
}

// checkUnused compares High with rows from one on, up to another, which were never used.
func (m *Manager) checkUnused(from, to uint32) {
	if ByBlock(m) {
		return
	}
	for row := from; row < to; row++ {
		if o := m.owners.objects[row]; o != 0 || m.owners.isMounted(row) {
			m.blame("counters.High is %d, and row %d is in use: objects has %#x, mounted %t",
				m.count.High, row, o, m.owners.isMounted(row))
		}
	}
}

// checkNext compares High with the row behind it, which is to be used. Where a file is to be read
// next its objects may hold anything.
func (m *Manager) checkNext() {
	if row := m.count.High; m.owners.isMounted(row) {
		m.blame("counters.High is %d, and row %d is in use: mounted has its bit", row, row)
	}
}

// checkCounts compares Loose and Suspended with what the rows say.
func (m *Manager) checkCounts() {
	c := m.count
	if m.Kind.Mark || !sometimes(int(c.High)) {
		return
	}
	var loose, kept uint32
	for row := range c.High {
		switch use, _ := m.owners.use(row); use {
		case RowLoose:
			loose++
		case RowSuspended:
			kept++
		}
	}
	switch {
	case loose != c.Loose:
		m.blame("%d rows of objects are loose, and counters.Loose is %d", loose, c.Loose)
	case kept != c.Suspended:
		m.blame("%d rows of objects are suspended, and counters.Suspended is %d", kept, c.Suspended)
	}
}

// checkPresent compares the bits of the objects that have the component with Mounted.
func (m *Manager) checkPresent() {
	if !sometimes(m.blocksUsed()) {
		return
	}
	var n uint32
	for k := range uint32(m.blocksUsed()) {
		n += uint32(bits.OnesCount64(m.Present(k)))
	}
	if n != m.count.Mounted && !inBlocks(m) {
		m.blame("%d bits of blocks.Present are set, and counters.Mounted is %d", n, m.count.Mounted)
	}
}

// checkGroup compares a group with its blocks.
func (m *Manager) checkGroup(g int) {
	if !sometimes(64) {
		return
	}
	group := m.Groups[g]
	for k := g << 6; k < min(g<<6+64, len(m.blocks)); k++ {
		some, whole := group.Any>>(k&63)&1 != 0, group.Whole>>(k&63)&1 != 0
		if x := m.blocks[k].held(); some != (x != 0 || standsBy(m, uint32(k))) {
			m.blame("groups[%d].Any says %t of block %d, and its Present is %x", g, some, k, x)
		}
		if whole != m.whole(uint32(k)) {
			m.blame("groups[%d].Whole says %t of block %d, and that is %+v", g, whole, k,
				m.blocks[k])
		}
	}
}

// checkBlock compares a block with bases, pages and rows.
func (m *Manager) checkBlock(k uint32) {
	if m.Kind.Mark || !sometimes(64) {
		return
	}
	b := &m.blocks[k]
	if !ByBlock(m) && b.Base != m.owners.bases[k] {
		m.blame("blocks[%d].Base is %d, and bases has %d", k, int32(b.Base),
			int32(m.owners.bases[k]))
	}
	if err := m.verifyKept(k); err != nil {
		m.blame("%v", err)
	}
	if odd := b.Odd &^ m.Holds(k); odd != 0 {
		m.blame("blocks[%d].Odd has %x, which Present and Kept have not", k, odd)
	}
	if b.Odd != 0 {
		m.checkPage(b)
	}
	for x := m.Holds(k); x != 0; x &= x - 1 {
		i := bits.TrailingZeros64(x)
		m.checkRow(b, k, i)
	}
}

// checkRow compares the row that a block gives an object with what the row says.
func (m *Manager) checkRow(b *blockRecord, k uint32, i int) {
	object, row := k<<6+uint32(i), m.rowIn(b, k, i)
	want, mounted := object, m.Present(k)>>i&1 != 0
	if !mounted {
		want |= suspended
	}
	switch {
	case row >= m.count.High:
		m.blame("blocks[%d] has object %d in row %d, and counters.High is %d", k, object, row,
			m.count.High)
	case ByBlock(m):
		if use, owner := m.owners.use(row); owner != object || use == RowUnused {
			m.blame("blocks[%d] has object %d in row %d, whose use is %v", k, object, row, use)
		}
	case m.owners.isMounted(row) && m.Owner(row) != want,
		!m.owners.isMounted(row) && m.owners.objects[row] != want:
		m.blame("blocks[%d] has object %d in row %d, and objects has %#x there", k, object, row,
			m.owners.objects[row])
	case m.owners.isMounted(row) != mounted:
		m.blame("blocks[%d].Present says %t of object %d, and mounted %t of its row, %d", k,
			mounted, object, !mounted, row)
	}
}

// checkFree compares the head of the free list with its row.
func (m *Manager) checkFree() {
	c := m.count
	if c.Free == 0 {
		return
	}
	row := c.Free - 1
	switch {
	case row >= c.High:
		m.blame("counters.Free is row %d, and counters.High is %d", row, c.High)
	case !m.owners.isFree(row) || m.owners.isMounted(row):
		m.blame("counters.Free is row %d, and objects has %#x there, mounted %t", row,
			m.owners.objects[row], m.owners.isMounted(row))
	case m.owners.links[row] != 0:
		m.blame("counters.Free is row %d, and links has row %d disposed after it", row,
			m.owners.links[row]-1)
	}
	if sometimes(int(c.High)) {
		m.checkAllFree()
	}
}

// checkAllFree compares the free list with the rows that are free.
func (m *Manager) checkAllFree() {
	if n, err := m.verifyList(); err != nil {
		m.blame("counters.Free is row %d, and %d rows of objects are free: %v", m.count.Free-1, n,
			err)
	}
}

// checkListed compares a free row with those before and after it in the list.
func (m *Manager) checkListed(row uint32) {
	next, before := m.owners.objects[row], m.owners.links[row]
	switch {
	case next != free && m.owners.links[next-free-1] != row+1:
		m.blame("objects[%d] has row %d disposed before it, and links there has %d", row,
			next-free-1, int64(m.owners.links[next-free-1])-1)
	case before != 0 && m.owners.objects[before-1] != free|(row+1):
		m.blame("links[%d] has row %d disposed after it, and objects there has %#x", row, before-1,
			m.owners.objects[before-1])
	case before == 0 && m.count.Free != row+1:
		m.blame("links[%d] has no row disposed after it, and counters.Free is row %d", row,
			int64(m.count.Free)-1)
	}
}

// checkLast compares High with the last row of a packed kind.
func (m *Manager) checkLast() {
	if last := m.count.High - 1; last >= uint32(m.Cap()) || !m.owners.isMounted(last) {
		m.blame("counters.High is %d, and the row before is not mounted, of a packed kind",
			m.count.High)
	}
}

// checkPage compares the page of a block that has one with those ever used.
func (m *Manager) checkPage(b *blockRecord) {
	if !m.isPage(*b) {
		m.blame("a block of odd objects %x has %s, and spare pages are %+v", b.Odd,
			pageName(b.Page), m.spare)
	}
}

// checkSpare compares the list of unused pages of a size with the blocks that have pages.
func (m *Manager) checkSpare(size uint32) {
	s := &m.spare[size]
	if s.Free > s.High {
		m.blame("spare pages[%d].Free is page %d, and its High is %d", size, s.Free-1, s.High)
	}
	if s.Free == 0 || !sometimes(m.blocksUsed()) {
		return
	}
	for k := range m.blocks[:m.blocksUsed()] {
		if b := &m.blocks[k]; b.Odd != 0 && b.Page == (s.Free-1)<<sizeBits|size {
			m.blame("spare pages[%d].Free is %s, and blocks[%d] has it, of odd objects %x", size,
				pageName(b.Page), k, b.Odd)
		}
	}
}

// checkChanged compares the tick of the last change with those of the rows.
func (m *Manager) checkChanged() {
	stamps := m.changed[:(m.count.High+63)/64]
	if m.Kind.Mark || ByBlock(m) || !sometimes(len(stamps)) {
		return
	}
	for w, t := range stamps {
		if t > m.count.Changed {
			m.blame("changed[%d] is tick %d, and counters.Changed is %d", w, t, m.count.Changed)
		}
	}
}

// checkGroup is Manager.checkGroup for the kinds that rules ask for.
func (m *Match) checkGroup(g int) {
	m.each(func(k *Manager) { k.checkGroup(g) })
}

// checkBlock is Manager.checkBlock for the kinds that rules ask for.
func (m *Match) checkBlock(block uint32) {
	m.each(func(k *Manager) { k.checkBlock(block) })
}

// each calls f with every kind that rules ask for.
func (m *Match) each(f func(k *Manager)) {
	for _, kinds := range [...][]*Manager{m.All, m.None} {
		for _, k := range kinds {
			f(k)
		}
	}
	for _, kinds := range m.Any {
		for _, k := range kinds {
			f(k)
		}
	}
}

// checkKinds compares the kinds per block with the blocks.
func (a *Arena) checkKinds(block uint32) {
	if !sometimes(len(a.Managers)) {
		return
	}
	words := a.Kinds(block)
	for i := range a.Managers {
		m := &a.Managers[i]
		b, in := &m.blocks[block], words[i>>6]>>(i&63)&1 != 0
		if in != (b.held() != 0 || standsBy(m, block)) {
			m.blame("kinds per block says %t of block %d, and its Present is %x, its Kept %x",
				in, block, m.Present(block), b.Kept)
		}
		if near := m.kinds.near(block); a.eights != nil && near != eighths(m.Holds(block)) {
			m.blame("kinds per 8 objects are %08b of block %d, and its Present is %x, its "+
				"Kept %x", near, block, m.Present(block), b.Kept)
		}
	}
}

const unusedSteps = 1 << 12 // bytes behind what was used that are looked at

// checkUsed compares how much of a part was ever used with what lies behind.
func (a *Arena) checkUsed(p *Part) {
	used := a.used(p)
	behind := a.part(p)[used:]
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
		blame(p.Owner, "%s[%d] is %x, and counters.High says that %d were ever used", p.Name,
			(used+at)/p.Unit, unit, used/p.Unit)
	}
}

// checkGroup compares what a watcher notes of 64 blocks with them.
func (r *Watcher) checkGroup(g int) {
	if !sometimes(64) {
		return
	}
	for k := g << 6; k < min(g<<6+64, len(r.blocks)); k++ {
		b := &r.blocks[k]
		touched, reported := r.touched[g]>>(k&63)&1 != 0, r.reported[g]>>(k&63)&1 != 0
		if touched != (b.Touched != 0) {
			blame(r.name(), "touched[%d] says %t of block %d, and its Touched is %x", g, touched, k,
				b.Touched)
		}
		if reported != (b.Left|b.Entered != 0) {
			blame(r.name(), "reported[%d] says %t of block %d, and its Left is %x, its Entered %x",
				g, reported, k, b.Left, b.Entered)
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
		blame(r.name(), "%d bits of blocks.Members are set, and count.Members is %d", n,
			r.count.Members)
	}
}

// name names a watcher by what it watches.
func (r *Watcher) name() string { return "watcher of " + r.watch.rules() }
