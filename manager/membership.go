package manager

// The functions that change which objects have the component: they write Present of blocks, as do
// inlined copies of them on hot paths and [Manager.Rebuild].

// afterEnter is the rest of enter for a block that became full or is empty no longer, or is
// watched.
func (m *Manager) afterEnter(b *blockRecord, was uint64, block uint32, x uint64) {
	if was == 0 {
		m.Blocks.noteKind(block)
	}
	if b.held() == full {
		m.Blocks.join(block)
	}
	if m.heard != 0 {
		m.Blocks.kinds.gain(block, x)
		tell(m, block, x, 0)
	}
}

// enterAll is enter for the objects x of a block, which must not have the component.
func (m *Manager) enterAll(b *blockRecord, block uint32, x uint64) {
	was := b.held()
	b.Present |= x
	m.afterEnter(b, was, block, x)
}

// afterLeave is the rest of leave for a block that was full, became empty, or is watched. The rows
// of the objects x were object + base, modulo 2³², and still hold their values.
func (m *Manager) afterLeave(was uint64, block uint32, x uint64, base uint32) {
	if !standsBy(m, block) {
		m.Blocks.forgetKind(block)
	}
	if was == full {
		m.Blocks.join(block)
	}
	if m.heard != 0 {
		m.Blocks.kinds.lose(block, x, m.Blocks.Holds(block))
		tell(m, block, x, base)
	}
}

// leaveAll is leave for the objects x of a block. All must have the component, and none may be odd.
func (m *Manager) leaveAll(b *blockRecord, block uint32, x uint64) {
	was := b.held()
	b.Present &^= x
	b.Kept &^= x
	m.afterLeave(was, block, x, b.row(0))
}
