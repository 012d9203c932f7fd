package buffer

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

const (
	runtimeRoom = 128 << 20 // addresses that Go's heap needs in addition to n, in bytes
	addressed   = 3 << 30   // by a program with 32 bits for an address; the rest is the kernel's
)

// Memory returns the number of bytes that this program may use: memory and swap of the machine, or
// less if the program or its control group has a limit. Memory already in use is subtracted from
// the limits only.
func Memory() int64 {
	most := int64(MaxSize)
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		units := uint64(info.Totalram + info.Totalswap) //nolint:unconvert // 32 bits wide on 386
		most = int64(units * uint64(info.Unit))
	}
	addresses, resident := has()
	if scarce {
		most = min(most, addressed-addresses-runtimeRoom)
	}
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) == nil && limit.Cur < 1<<62 {
		most = min(most, int64(limit.Cur)-addresses-runtimeRoom)
	}
	if group := groupLimit("/proc/self/cgroup", "/sys/fs/cgroup"); group < 1<<62 {
		most = min(most, group-resident)
	}
	return max(most, 0)
}

// addressable reports whether there are n addresses besides those that Go's heap needs.
func addressable(n int) bool {
	if !scarce {
		return true
	}
	addresses, _ := has()
	return int64(n) <= addressed-addresses-runtimeRoom
}

// has returns how many bytes of addresses and of memory the program uses.
func has() (addresses, resident int64) {
	text, _ := os.ReadFile("/proc/self/statm")
	page := int64(os.Getpagesize())
	for i, field := range strings.Fields(string(text)) {
		n, _ := strconv.ParseInt(field, 10, 64)
		switch i {
		case 0:
			addresses = n * page
		case 1:
			resident = n * page
		}
	}
	if scarce { // statm counts the addresses of an emulator, too
		text, _ = os.ReadFile("/proc/self/maps")
		addresses = sizeOf(string(text))
	}
	return addresses, resident
}

// sizeOf returns the bytes of all mappings in a text like /proc/self/maps.
func sizeOf(maps string) (n int64) {
	for line := range strings.Lines(maps) {
		from, rest, _ := strings.Cut(line, "-")
		to, _, _ := strings.Cut(rest, " ")
		first, _ := strconv.ParseInt(from, 16, 64)
		end, _ := strconv.ParseInt(to, 16, 64)
		n += end - first
	}
	return n
}

// groupLimit returns the memory limit of the program's control groups, of either version: the
// program's own group and its visible ancestors.
func groupLimit(groups, root string) int64 {
	most := int64(MaxSize)
	text, _ := os.ReadFile(groups)
	for line := range bytes.Lines(text) {
		_, rest, _ := strings.Cut(strings.TrimSpace(string(line)), ":")
		of, dir, _ := strings.Cut(rest, ":")
		name := "memory.max"
		at := root
		switch of {
		case "":
		case "memory":
			name, at = "memory.limit_in_bytes", root+"/memory"
		default:
			continue
		}
		for ; ; dir = path.Dir(dir) {
			if limit, err := os.ReadFile(path.Join(at, dir, name)); err == nil {
				n, err := strconv.ParseInt(strings.TrimSpace(string(limit)), 10, 64)
				if err == nil { // not "max"
					most = min(most, n)
				}
			}
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	return most
}
