package buffer

import (
	"golang.org/x/sys/unix"
)

const (
	noReserve = unix.MAP_NORESERVE
	hugePages = true
)

// adviseSmall asks for pages of 4 KB, so that a byte here and there does not take 2 MB each.
func adviseSmall(b []byte) { _ = unix.Madvise(b, unix.MADV_NOHUGEPAGE) }

// adviseHuge asks for huge pages where b has whole ones. A kernel without them refuses, and nothing
// is lost but speed.
func adviseHuge(b []byte) {
	if b = aligned(b, hugePage); len(b) > 0 {
		_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
	}
}

// populate gives every page of b its memory, at once where the kernel can.
func populate(b []byte) {
	if inner := aligned(b, page); len(inner) == 0 ||
		unix.Madvise(inner, unix.MADV_POPULATE_WRITE) != nil {
		touch(b)
	}
}
