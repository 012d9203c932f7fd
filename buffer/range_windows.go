package buffer

import (
	"fmt"

	"golang.org/x/sys/windows"

	"github.com/flatecs/flatecs/unsafeutil"
)

const (
	mappable  = true
	hugePages = false
	chunkStep = 1 << 20 // bytes that are committed at a time
)

// mapBytes reserves n bytes of addresses. They must not be touched before commitBytes.
func mapBytes(n int) ([]byte, bool) {
	at, err := windows.VirtualAlloc(0, uintptr(n), windows.MEM_RESERVE, windows.PAGE_READWRITE)
	if err != nil {
		return nil, false
	}
	return unsafeutil.Foreign(at, n), true
}

func unmapBytes(b []byte) {
	_ = windows.VirtualFree(unsafeutil.Address(b), 0, windows.MEM_RELEASE)
}

// commitBytes commits at least the first used bytes of b, and returns how many. It panics if the
// machine has no memory left.
func commitBytes(b []byte, used int) int {
	n := min(len(b), (used+chunkStep-1)&^(chunkStep-1))
	if n == 0 {
		return 0
	}
	_, err := windows.VirtualAlloc(unsafeutil.Address(b), uintptr(n), windows.MEM_COMMIT,
		windows.PAGE_READWRITE)
	if err != nil {
		panic(fmt.Sprintf("flatecs: Windows has no memory for %d more bytes of a world (%v); "+
			"count its kinds, so that what it may take is known when it is made", n, err))
	}
	return n
}

func adviseHuge([]byte) {}

func populate(b []byte) { touch(b) }

func commitPages([]byte, int, int) {}

func adviseSmall([]byte) {}
