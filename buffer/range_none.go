//go:build !linux && !darwin && !netbsd && !freebsd && !openbsd && !dragonfly && !windows

package buffer

// All bytes are Go's.
const (
	mappable  = false
	hugePages = false
)

func mapBytes(int) ([]byte, bool) { return nil, false }

func unmapBytes([]byte) {}

func commitBytes(b []byte, _ int) int { return len(b) }

func adviseHuge([]byte) {}

func populate([]byte) {}
