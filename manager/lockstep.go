package manager

import "math/bits"

// place mounts an unused row on an object without one.
func (m *Manager) place(b *blockRecord, object, row uint32) {
	if base := row - object; !b.isAt(base) {
		if b.held() == b.Odd { // no object is in lockstep
			m.Blocks.rebase(b, object>>6, base)
		} else {
			m.Blocks.addOdd(b, object, row)
		}
	}
	m.mount(b, object, row)
}

// mount mounts an unused row on an object without one. The object's base or page is set already.
func (m *Manager) mount(b *blockRecord, object, row uint32) {
	t, c := *m.Stamps.tick, m.count
	if !ByBlock(m) {
		c.Mounted++
		m.Rows.setWord(row, object) // an inlined copy of Rows.mount: hot path
		m.Rows.setMounted(row>>6, 1<<(row&63))
	}
	m.Stamps.list[row>>6] = t
	c.Changed, c.Shape = t, uint32(t)
	m.Stamps.remember(row)
	was, bit := b.held(), uint64(1)<<(object&63) // an inlined copy of enterAll: hot path
	if b.Present |= bit; was == 0 || was|bit|m.heard == full {
		m.afterEnter(b, was, object>>6, bit)
	}
}

// rebase sets the block's base, and moves the odd objects that fit it into lockstep.
func (bs *Blocks) rebase(b *blockRecord, block, base uint32) {
	bs.setBase(b, block, base)
	if b.Odd == 0 {
		return
	}
	checkPage(bs, b)
	for x := b.Odd; x != 0; x &= x - 1 {
		i := uint32(bits.TrailingZeros64(x))
		if bs.pages.row(b, i)-(block<<6+i) == base {
			bs.dropOdd(b, i)
		}
	}
}

// detach takes the row from an object that has one and returns it.
func (bs *Blocks) detach(b *blockRecord, object uint32) (row uint32) {
	if b.Odd>>(object&63)&1 == 0 {
		return b.row(object)
	}
	row = bs.pages.row(b, object)
	bs.dropOdd(b, object)
	return row
}
