//go:build !ecsdebug

package manager

// A freed finds, under -tags ecsdebug, writes through pointers that were kept.
type freed struct{}

func (m *Manager) noteFreed(_, _ uint32) { _ = m.freed }

func (*Manager) checkFresh(_, _ uint32) {}

func (*Manager) checkKept(uint32, uint64) {}

// CheckFreed panics, under -tags ecsdebug, if a free row was written.
func (*Arena) CheckFreed() {}
