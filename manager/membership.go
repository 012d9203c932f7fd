package manager

// What changes who has the component: Present of blocks is written here, by copies on hot paths,
// and by [Manager.Rebuild].

// afterEnter is the rest of enter where a block became full or ceased to be empty, or is watched.
func (m *Manager) afterEnter(b *blockRecord, was uint64, block uint32, x uint64) {
	if was == 0 {
		m.Blocks.noteKind(block)
	}
	if b.held() == full {
		m.Blocks.join(block)
	}
	if m.heard != 0 && x != 0 {
		m.Blocks.kinds.gain(block, x)
		tell(m, block, x, 0)
	}
}

// enterAll is enter for the objects x of a block, none of which may have the component.
func (m *Manager) enterAll(b *blockRecord, block uint32, x uint64) {
	if x != 0 {
		was := b.held()
		b.Present |= x
		m.afterEnter(b, was, block, x)
	}
}

// afterLeave is the rest of leave where a block was full or became empty, or is watched. The rows
// of the objects x were object + base, modulo 2³², and still hold their values.
func (m *Manager) afterLeave(was uint64, block uint32, x uint64, base uint32) {
	if !standsBy(m, block) {
		m.Blocks.forgetKind(block)
	}
	if was == full {
		m.Blocks.join(block)
	}
	if m.heard != 0 && x != 0 {
		m.Blocks.kinds.lose(block, x, m.Blocks.Holds(block))
		tell(m, block, x, base)
	}
}

// leaveAll is leave for the objects x of a block. All must have the component, and none may be odd.
func (m *Manager) leaveAll(b *blockRecord, block uint32, x uint64) {
	if x != 0 {
		was := b.held()
		b.Present &^= x
		b.Kept &^= x
		m.afterLeave(was, block, x, b.row(0))
	}
}
