//go:build !unix

package save

import "os"

// mapFile reads the file: nothing is mapped here.
func mapFile(f *os.File, size int64) (b []byte, unmap func() error, err error) {
	return readAll(f, size)
}
