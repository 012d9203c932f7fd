package suite

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// resident is the memory of this process that the system keeps for it, after what is free was
// given back: the second field of /proc/self/statm, in pages.
func resident(World) uint64 {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	check(err)
	pages, err := strconv.ParseUint(strings.Fields(string(text))[1], 10, 64)
	check(err)
	return pages * uint64(os.Getpagesize())
}
