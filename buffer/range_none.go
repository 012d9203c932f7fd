//go:build !linux && !darwin && !netbsd && !freebsd && !openbsd && !dragonfly && !windows

package buffer

// On these systems all bytes are in Go's heap.
const (
	mappable  = false
	hugePages = false
)

func mapBytes(int) ([]byte, bool) { return nil, false }

func unmapBytes([]byte) {}

func commitBytes(b []byte, _ int) int { return len(b) }

func adviseHuge([]byte) {}

func populate([]byte) {}

func commitPages([]byte, int, int) {}

func adviseSmall([]byte) {}
