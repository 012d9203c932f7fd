package manager

import (
	"cmp"
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
)

// A kind by block has a record for each block of 64 objects, which is the truth, and 64 rows for
// each block in which an object ever had the component. The row of an object is its index plus the
// base of its block, so rows need not be searched for, and a bit of Kept suspends a component.
// Blocks get rows in turn; counters.Search says up to which row. A last block of fewer than 64
// objects gets the rows of its own indexes, because no rows follow them.
//
// The list homes maps each 64 rows to their objects. Rows that are neither mounted nor suspended
// hold the defaults.

// ByBlock reports whether a kind gives its rows to blocks of objects.
func ByBlock(m *Manager) bool { return ofBlocks(&m.Rows) }

// inBlocks reports whether the blocks of a kind are truth: the kind is by block, or a mark. Such a
// kind counts its objects on demand.
func inBlocks(m *Manager) bool { return len(m.Rows.objects) == 0 }

// giveRows gives rows to n blocks that have none.
func giveRows(m *Manager, block, n uint32) {
	c, own := m.count, uint32(m.Objects.Cap())>>6 // the block of fewer than 64 objects, if any
	high := c.Search + n<<6
	if block+n > own {
		high -= 64
		high = max(high, uint32(m.Objects.Cap()))
	}
	if high > c.High {
		m.Data.useRows(c.High, high)
		c.High = high
	}
	for k := block; k < block+n; k++ {
		row := c.Search
		if k == own {
			row = k << 6
		} else {
			c.Search += 64
		}
		m.Blocks.list[k].Base = row - k<<6
		m.Rows.homes[row>>6] = k<<6 - row + 1
	}
}

// isHomeOf reports whether a row is the home row of an object of its block.
func isHomeOf(m *Manager, b *blockRecord, row uint32) bool {
	return uint(row) < m.Rows.fixed && m.Rows.homeOf(row)+b.Base == 1
}

// addByBlock is Manager.Add for an object that neither has nor keeps the component.
func addByBlock(m *Manager, b *blockRecord, object uint32) (row uint32) {
	if !m.Blocks.isHome(b, object>>6) {
		giveRows(m, object>>6, 1)
	}
	row = b.row(object)
	checkFresh(m, row, 1)
	m.mount(b, object, row)
	return row
}

// stampBlock gives rows to a block without rows, and stamps the rows of the objects x, which get
// the component.
func stampBlock(m *Manager, b *blockRecord, block uint32, x uint64) {
	if !m.Blocks.isHome(b, block) {
		giveRows(m, block, 1)
	}
	first := b.row(block << 6)
	checkKept(m, first, x)
	m.Stamps.list[first>>6] = *m.Stamps.tick
	m.count.Changed = *m.Stamps.tick
}

// standsBy reports whether a block has rows for a kind of its recipe, or has loose objects and rows
// for the kind. Such a block counts as having the kind, so that a spawn need not record it.
//
//go:noinline
func standsBy(m *Manager, block uint32) bool {
	if !inBlocks(m) || !m.Kind.Mark && !m.Blocks.isHome(&m.Blocks.list[block], block) {
		return false
	}
	if m.Objects.Owners[block] == 0 {
		return !m.Kind.Mark
	}
	return m.Stamps.arena.recipeOf(block).mask&m.Blocks.kinds.bit != 0
}

// rebuildByBlock is rebuildRows for a kind by block.
func rebuildByBlock(m *Manager) error {
	if c := m.count; c.High <= uint32(m.Rows.Cap()) {
		m.Data.prepare(c.High)
	}
	return checkByBlock(m)
}

// checkByBlock checks the blocks against the objects, and the rows.
func checkByBlock(m *Manager) error {
	c := m.count
	most := min(uint32(m.Rows.Cap()), uint32(m.Objects.Cap()))
	if c.High > most || c.Search > c.High || c.Changed > *m.Stamps.tick ||
		c.High&63 != 0 && c.High != most || c.Free|c.Unused|c.Loose|c.Mounted|c.Search&63 != 0 {
		return fmt.Errorf("counters %+v do not fit %d rows at tick %d", *c, m.Rows.Cap(),
			*m.Stamps.tick)
	}
	var kept uint32
	for k := range uint32(m.Blocks.used()) {
		b := m.Blocks.list[k]
		if b.Odd != 0 || b.Page != 0 || (b.Present|b.Kept)&^m.Blocks.lives(k) != 0 ||
			b.Present&b.Kept != 0 ||
			b.held()|uint64(b.Base) != 0 && (!m.Blocks.isHome(&b, k) || b.Base&63 != 0) {
			return fmt.Errorf("block %d is %+v, of live objects %x", k, b, m.Blocks.lives(k))
		}
		kept += uint32(bits.OnesCount64(b.Kept))
	}
	if kept != c.Suspended {
		return fmt.Errorf("%d rows suspended, counted %+v", kept, *c)
	}
	for w := range (c.High + 63) / 64 {
		if err := checkHome(m, w); err != nil {
			return err
		}
	}
	return checkBools(m)
}

// checkHome checks 64 rows: they belong to a block whose base points to them, and unused rows hold
// the defaults.
func checkHome(m *Manager, w uint32) error {
	row, given := w<<6, m.Rows.isGiven(w<<6)
	if m.Stamps.list[w] > *m.Stamps.tick {
		return fmt.Errorf("row %d and later ones were written at tick %d of %d", row,
			m.Stamps.list[w], *m.Stamps.tick)
	}
	last := uint32(m.Objects.Cap())-row < 64 // they are the rows of the last block
	if given != (row < m.count.Search) && (!given || !last) {
		return fmt.Errorf("rows from %d on are of a block: %t, and rows are given up to %d", row,
			given, m.count.Search)
	}
	if given {
		block := m.Rows.home(row) >> 6
		if block >= uint32(m.Blocks.used()) || !m.Blocks.isHome(&m.Blocks.list[block], block) ||
			m.Blocks.list[block].row(block<<6) != row {
			return fmt.Errorf("rows from %d on are of objects from %d on, which have others", row,
				m.Rows.home(row))
		}
	}
	for i := range min(64, m.count.High-row) {
		if _, _, err := checkUse(m, row+i); err != nil {
			return err
		}
	}
	return nil
}

// moveTo moves the components of a kind to its manager in another world, which has the same objects
// and room for the components; their rows may change.
func moveTo(to, from *Manager) error {
	if from.count.Loose != 0 && ByBlock(to) {
		return fmt.Errorf("flatecs: %s: %d rows are on no object, and in a recipe rows follow the "+
			"objects; dispose them, or leave the kind out of the recipes",
			layout.Quoted(to.Kind.Name), from.count.Loose)
	}
	heard, watches := to.heard, to.watches // the watchers' memory is copied with the bytes
	to.heard, to.watches = 0, nil
	defer func() { to.heard, to.watches = heard, watches }()
	var err error
	eachHeld(from, func(object, old uint32) {
		row, full := to.Add(object)
		if err = cmp.Or(err, full); err != nil {
			return
		}
		for i := range to.Data.Columns {
			to.Data.Columns[i].Take(int(row), &from.Data.Columns[i], int(old))
		}
		if !from.Has(object) {
			_ = to.Suspend(object) // the object has it
		}
	})
	if err != nil {
		return err
	}
	clear(to.Stamps.list[:(to.count.High+63)/64])
	to.count.Shape, to.count.Changed = from.count.Shape, from.count.Changed
	eachHeld(from, func(object, old uint32) {
		row, _ := to.Blocks.HeldRow(object)
		t := from.Stamps.list[old>>6]
		if ByBlock(from) { // independent of the recipes
			t = max(t, from.Stamps.arena.recipes.spawned[object>>6])
		}
		to.Stamps.list[row>>6] = max(to.Stamps.list[row>>6], t)
		to.count.Changed = max(to.count.Changed, t)
	})
	return nil
}

// eachHeld calls f with the objects that have or keep the component, ascending, and their rows.
func eachHeld(m *Manager, f func(object, row uint32)) {
	for k := range uint32(m.Blocks.used()) {
		for x := m.Blocks.Holds(k); x != 0; x &= x - 1 {
			object := k<<6 + uint32(bits.TrailingZeros64(x))
			row, _ := m.Blocks.HeldRow(object)
			f(object, row)
		}
	}
}

// alikeRows reports whether to can use the rows of from as they are.
func alikeRows(to, from *Manager) bool {
	return ByBlock(to) == ByBlock(from) &&
		(!ByBlock(to) || RowsFit(from.Objects.Cap(), to.Objects.Cap()))
}

// RowsFit reports whether a world with room for room objects can use the rows by block of a world
// that had room for had objects: a last block of fewer than 64 objects has the rows of its own
// indexes. Otherwise there are at most as many rows as objects.
func RowsFit(had, room int) bool { return had == room || had&63 == 0 }

// meet touches the first pages of a recipe's kinds with writes that change nothing. A page that is
// read before it is first written costs two faults, the first for a page of zeros.
func meet(c *recipe) {
	for _, m := range c.managers {
		atomic.OrUint64(&m.Blocks.list[0].Present, 0)
		atomic.OrUint64(&m.Blocks.Groups[0].Whole, 0)
		if len(m.Rows.homes) > 0 {
			atomic.OrUint32(&m.Rows.homes[0], 0)
		}
	}
}
