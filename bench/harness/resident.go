package harness

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// Resident returns the bytes of this process that the system keeps in memory, after what is free
// was given back: the second field of /proc/self/statm or, where there is none, what Go has of the
// system.
func Resident() uint64 {
	debug.FreeOSMemory()
	var all, resident uint64
	text, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		_, err = fmt.Sscan(string(text), &all, &resident)
	}
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.Sys - m.HeapReleased
	}
	return resident * uint64(os.Getpagesize())
}
