//go:build unix

package save

import (
	"os"
	"syscall"
)

// mapFile maps a file of size bytes so that writes stay in this program.
func mapFile(f *os.File, size int64) (b []byte, unmap func() error, err error) {
	if size < fixedSize || int64(int(size)) != size {
		return readAll(f, size)
	}
	b, err = syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE)
	if err != nil {
		return readAll(f, size) // a file system that maps nothing
	}
	return b, func() error { return syscall.Munmap(b) }, nil
}
