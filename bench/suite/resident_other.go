//go:build !linux

package suite

// resident is the heap, where the system is not asked.
func resident() uint64 { return heap() }
