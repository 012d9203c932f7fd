//go:build !unix

package save

import "os"

// locks says whether files can be locked, and renamed while they are open.
const locks = false

// lock does nothing: there may be one who saves to a path at a time.
func lock(*os.File) bool { return true }

// syncOpened does nothing: there, folders cannot be synced.
func syncOpened(*os.File) error { return nil }

// openQuietly opens what is there.
const openQuietly = os.O_RDONLY

// sameGroup is true where there are no groups.
func sameGroup(*os.File, os.FileInfo, os.FileInfo) bool { return true }

// mapFile reads the file: nothing is mapped here.
func mapFile(f *os.File, size int64) (b []byte, unmap func() error, err error) {
	return readAll(f, size)
}
