//go:build !ecsdebug

package manager

// CheckCopy does nothing; see the one for -tags ecsdebug.
func CheckCopy(_, _ *Arena) {}

// A seen compares, under -tags ecsdebug, a world with what it held before.
type seen struct{}

// Watch does nothing without -tags ecsdebug.
func (p *Past) Watch(*Arena) { _ = p.seen }

// Unwatch does nothing without -tags ecsdebug.
func (*Past) Unwatch() {}

// Compare panics, under -tags ecsdebug, where a world was written and no stamp tells.
func (*Past) Compare(*Arena) {}

// Called does nothing without -tags ecsdebug.
func (*Past) Called() {}

// CheckStamps panics, under -tags ecsdebug, where a copy differs and no stamp tells.
func (*Past) CheckStamps(_, _ *Arena, _ uint64) {}
