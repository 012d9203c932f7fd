//go:build !ecsdebug

package manager

// CheckCopy does nothing without -tags ecsdebug.
func CheckCopy(_, _ *Arena) {}

// A seen holds, under -tags ecsdebug, the copy that a world is compared with.
type seen struct{}

// Watch does nothing without -tags ecsdebug.
func (p *Past) Watch(*Arena) { _ = p.seen }

// Unwatch does nothing without -tags ecsdebug.
func (*Past) Unwatch() {}

// Compare panics, under -tags ecsdebug, if a world was written without a stamp.
func (*Past) Compare(*Arena) {}

// Called does nothing without -tags ecsdebug.
func (*Past) Called() {}

// CheckStamps panics, under -tags ecsdebug, if a copy differs and no stamp says so.
func (*Past) CheckStamps(_, _ *Arena, _ uint64) {}
