package buffer

import "syscall"

const madviseHuge = 14 // MADV_HUGEPAGE, Linux's include/uapi/asm-generic/mman-common.h

// adviseHuge asks for huge pages. A kernel without them refuses, and nothing is lost but speed.
func adviseHuge(b []byte) { _ = syscall.Madvise(b, madviseHuge) }

// memory returns the bytes of memory and swap that this machine has.
func memory() int64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return MaxSize
	}
	return int64(info.Totalram+info.Totalswap) * int64(info.Unit)
}
