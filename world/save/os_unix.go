//go:build unix

package save

import (
	"os"
	"syscall"
)

// locks says whether files can be locked, and renamed while they are open.
const locks = true

// lock locks a file until it is closed; false: somebody else has.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

func syncOpened(d *os.File) error { return d.Sync() }
