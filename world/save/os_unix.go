//go:build unix

package save

import (
	"os"
	"syscall"
)

// locks says whether files can be locked, and renamed while they are open.
const locks = true

// lock locks a file until it is closed. It returns false if another program holds the lock.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

func syncOpened(d *os.File) error { return d.Sync() }

// openQuietly opens a file for reading, without waiting for a pipe or following a link.
const openQuietly = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOFOLLOW

// sameGroup sets the group of f to the group of old, and tries to set the owner. It returns false
// if that is not allowed.
func sameGroup(f *os.File, own, old os.FileInfo) bool {
	is, okIs := own.Sys().(*syscall.Stat_t)
	was, okWas := old.Sys().(*syscall.Stat_t)
	if !okIs || !okWas || is.Uid == was.Uid && is.Gid == was.Gid {
		return true
	}
	return f.Chown(int(was.Uid), int(was.Gid)) == nil || is.Gid == was.Gid ||
		f.Chown(-1, int(was.Gid)) == nil
}

// mapFile maps a file of size bytes privately: writes stay in this program.
func mapFile(f *os.File, size int64) (b []byte, unmap func() error, err error) {
	if size < fixedSize || int64(int(size)) != size {
		return readAll(f, size)
	}
	b, err = syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE)
	if err != nil {
		return readAll(f, size) // the file system cannot map files
	}
	return b, func() error { return syscall.Munmap(b) }, nil
}
