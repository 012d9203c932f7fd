package harness

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// Resident returns the bytes of this process that the system keeps in memory, after what is free
// was given back: the second field of /proc/self/statm.
func Resident() uint64 {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * uint64(os.Getpagesize())
}
