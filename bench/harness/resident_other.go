//go:build !linux

package harness

import "runtime"

// Resident returns the bytes that Go has of the system, where the system itself is not asked.
func Resident() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}
