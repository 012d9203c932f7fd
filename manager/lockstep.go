package manager

import "math/bits"

// place mounts an unused row on an object without one.
func (m *Manager) place(b *Block, object, row uint32) {
	if base := row - object; base != b.Base {
		if b.Present|b.Suspended == b.Odd { // no object is in lockstep
			m.rebase(b, object>>6, base)
		} else {
			m.stray(b, object, row)
		}
	}
	m.mount(b, object, row)
}

// mount mounts an unused row on an object without one. The object's base or page is set already.
func (m *Manager) mount(b *Block, object, row uint32) {
	t, c, w := *m.tick, m.count, row>>6
	m.objects[row] = object
	m.mounted[w] |= 1 << (row & 63)
	m.changed[w] = t
	c.Changed, c.Shape = t, uint32(t)
	m.Reshaped++
	c.Mounted++
	was := b.Present // inlined copy of enter: hot path
	if b.Present |= 1 << (object & 63); was == 0 || b.Present|m.heard == full {
		m.afterEnter(b, was, object>>6, 1<<(object&63))
	}
}

// rebase sets the block's base, and moves the odd objects that fit it into lockstep.
func (m *Manager) rebase(b *Block, block, base uint32) {
	b.Base, m.bases[block] = base, base
	if b.Odd == 0 {
		return
	}
	m.checkPage(b)
	for x := b.Odd; x != 0; x &= x - 1 {
		i := uint32(bits.TrailingZeros64(x))
		if m.oddRowOf(b, i)-(block<<6+i) == base {
			m.unstray(b, i)
		}
	}
}

// detach takes the row from an object that has one and returns it.
func (m *Manager) detach(b *Block, object uint32) (row uint32) {
	if b.Odd>>(object&63)&1 == 0 {
		return object + b.Base
	}
	row = m.oddRowOf(b, object)
	m.unstray(b, object)
	return row
}

// enter records that object has the component. Its base and row are already set.
func (m *Manager) enter(b *Block, object uint32) {
	was := b.Present
	if b.Present |= 1 << (object & 63); was == 0 || b.Present|m.heard == full {
		m.afterEnter(b, was, object>>6, 1<<(object&63))
	}
}

// afterEnter is the rest of enter where a block became full or ceased to be empty, or is watched.
func (m *Manager) afterEnter(b *Block, was uint64, block uint32, x uint64) {
	if was == 0 {
		m.Groups[block>>6].Any |= 1 << (block & 63)
		k := &m.kinds
		k.words[int(block)*k.stride+k.word] |= k.bit
	}
	if b.Present == full {
		m.join(block)
	}
	if m.heard != 0 {
		m.kinds.gain(block, x)
		m.tell(block, x, 0)
	}
}

// enterAll is enter for the objects x of a block, none of which may have the component.
func (m *Manager) enterAll(b *Block, block uint32, x uint64) {
	if x != 0 {
		was := b.Present
		b.Present |= x
		m.afterEnter(b, was, block, x)
	}
}

// leave records that object does not have the component any more. Its row was row.
func (m *Manager) leave(b *Block, object, row uint32) {
	was := b.Present
	if b.Present &^= 1 << (object & 63); b.Present == 0 || was|m.heard == full {
		m.afterLeave(b, was, object>>6, 1<<(object&63), row-object)
	}
}

// afterLeave is the rest of leave where a block was full or became empty, or is watched. The rows
// of the objects x were object + base, modulo 2³², and still hold their values.
func (m *Manager) afterLeave(b *Block, was uint64, block uint32, x uint64, base uint32) {
	if b.Present == 0 {
		m.Groups[block>>6].Any &^= 1 << (block & 63)
		m.forgetKind(b, block)
	}
	if was == full {
		m.join(block)
	}
	if m.heard != 0 {
		m.kinds.lose(block, x, b.Present|b.Suspended)
		m.tell(block, x, base)
	}
}

// forgetKind clears the block's bit of the kind if no object has or keeps a row.
func (m *Manager) forgetKind(b *Block, block uint32) {
	if k := &m.kinds; b.Present|b.Suspended == 0 {
		k.words[int(block)*k.stride+k.word] &^= k.bit
	}
}

// leaveAll is leave for the objects x of a block. All must have the component, and none may be odd.
func (m *Manager) leaveAll(b *Block, block uint32, x uint64) {
	if x != 0 {
		was := b.Present
		b.Present &^= x
		m.afterLeave(b, was, block, x, b.Base)
	}
}

// join updates Whole for a block that became or ceased to be full, and for the next block.
func (m *Manager) join(block uint32) {
	for k := block; k <= block+1 && k < uint32(len(m.Blocks)); k++ {
		g, bit := &m.Groups[k>>6], uint64(1)<<(k&63)
		if m.whole(k) {
			g.Whole |= bit
		} else {
			g.Whole &^= bit
		}
	}
}

// whole reports whether all of block k is present in lockstep, and joined to the block before if
// that one is whole too.
func (m *Manager) whole(k uint32) bool {
	b := &m.Blocks[k]
	if b.Present != full || b.Odd != 0 {
		return false
	}
	if k == 0 {
		return true
	}
	before := &m.Blocks[k-1]
	return before.Present != full || before.Odd != 0 || before.Base == b.Base
}
