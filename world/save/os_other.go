//go:build !unix

package save

import "os"

// locks says whether files can be locked, and renamed while they are open.
const locks = false

// lock does nothing: on these hosts, only one program at a time may save to a path.
func lock(*os.File) bool { return true }

// syncOpened does nothing: these hosts cannot sync folders.
func syncOpened(*os.File) error { return nil }

// openQuietly opens a file for reading.
const openQuietly = os.O_RDONLY

// sameGroup returns true: these hosts have no groups.
func sameGroup(*os.File, os.FileInfo, os.FileInfo) bool { return true }

// mapFile reads the file: these hosts map nothing.
func mapFile(f *os.File, size int64) (b []byte, unmap func() error, err error) {
	return readAll(f, size)
}
