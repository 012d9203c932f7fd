//go:build linux || darwin || netbsd || freebsd || openbsd || dragonfly

package buffer

import "golang.org/x/sys/unix"

const mappable = true

// mapBytes reserves n bytes of addresses.
func mapBytes(n int) ([]byte, bool) {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE|noReserve)
	if err != nil {
		return nil, false
	}
	adviseSmall(b)
	return b, true
}

func unmapBytes(b []byte) { _ = unix.Munmap(b) }

// commitBytes does nothing: the system commits pages as they are written.
func commitBytes(b []byte, _ int) int { return len(b) }
