package buffer

import (
	"golang.org/x/sys/unix"
)

const (
	noReserve = unix.MAP_NORESERVE
	hugePages = true
)

// adviseSmall asks for pages of 4 KB, so that sparse writes do not take 2 MB each.
func adviseSmall(b []byte) { _ = unix.Madvise(b, unix.MADV_NOHUGEPAGE) }

// adviseHuge asks for huge pages in the aligned part of b. A refusal costs only speed.
func adviseHuge(b []byte) {
	if b = aligned(b, hugePage); len(b) > 0 {
		_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
	}
}

// commitPages commits the pages of bytes [lo, hi) of b. A refusal costs only speed.
func commitPages(b []byte, lo, hi int) {
	size := unix.Getpagesize()
	lo, hi = lo&^(size-1), min((hi+size-1)&^(size-1), len(b))
	_ = unix.Madvise(b[lo:hi], unix.MADV_POPULATE_WRITE)
}

// populate commits every page of b, in one call if the kernel supports it.
func populate(b []byte) {
	if inner := aligned(b, page); len(inner) == 0 ||
		unix.Madvise(inner, unix.MADV_POPULATE_WRITE) != nil {
		touch(b)
	}
}
