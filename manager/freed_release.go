//go:build !ecsdebug

package manager

// A freed detects, under -tags ecsdebug, writes through stale pointers.
type freed struct{}

func noteFreed(m *Manager, _, _ uint32) { _ = m.freed }

func checkFresh(_ *Manager, _, _ uint32) {}

func checkKept(*Manager, uint32, uint64) {}

// CheckFreed panics, under -tags ecsdebug, if a free row was written.
func (*Arena) CheckFreed() {}
