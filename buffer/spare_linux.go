package buffer

import (
	"bytes"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/flatecs/flatecs/unsafeutil"
)

// pageLists are reused lists with a byte per page.
var pageLists = sync.Pool{New: func() any { return new([]byte) }}

// zeroResident clears the pages of b that have memory, and returns their number of bytes. It
// returns false if these are more than most, if more pages were read than written, or if a page may
// be in swap space. Then b may hold anything.
func zeroResident(b []byte, most int) (resident int, ok bool) {
	size := unix.Getpagesize()
	list := pageLists.Get().(*[]byte)
	defer pageLists.Put(list)
	pages := (len(b) + size - 1) / size
	if cap(*list) < pages {
		*list = make([]byte, pages)
	}
	here := (*list)[:pages]
	if swapped() || !residentPages(b, here) {
		return 0, false
	}
	for _, x := range here {
		resident += int(x&1) * size
	}
	if resident > most {
		return 0, false
	}
	written := 0
	for i, x := range here {
		if x&1 != 0 && !zeroPage(b[i*size:min((i+1)*size, len(b))]) {
			written += size
		}
	}
	return resident, written >= resident/2
}

// residentPages sets the lowest bit of here[i] if page i of b has memory, and clears it otherwise.
func residentPages(b, here []byte) bool {
	_, _, err := unix.Syscall(unix.SYS_MINCORE, unsafeutil.Address(b), uintptr(len(b)),
		unsafeutil.Address(here))
	runtime.KeepAlive(here)
	return err == 0
}

// zeroPage clears a page, and reports whether it was zero before. It does not write to a page of
// zeros, which may have been read only, and have no memory of its own.
func zeroPage(b []byte) bool {
	zero := bytes.Equal(b, zeros[:len(b)])
	if !zero {
		clear(b)
	}
	return zero
}

var zeros [64 << 10]byte // the largest page

// swapped reports whether swap space is in use.
func swapped() bool {
	var info syscall.Sysinfo_t
	return syscall.Sysinfo(&info) != nil || info.Freeswap != info.Totalswap
}
