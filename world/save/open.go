package save

import (
	"io"
	"os"
)

// openFile opens a regular file to be read, also by a symbolic link, and nothing that blocks.
func openFile(path string) (f *os.File, size int64, err error) {
	before, err := os.Stat(path)
	if err == nil {
		err = regular(before)
	}
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, 0, inFile(path, err)
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(before, opened) {
		err = wrap(ErrNotFile, "it was replaced while it was opened; try again")
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, inFile(path, err)
	}
	return f, opened.Size(), nil
}

// regular returns nil if info is of a regular file.
func regular(info os.FileInfo) error {
	switch {
	case info.Mode()&os.ModeSymlink != 0:
		return wrap(ErrNotFile, "it is a symbolic link; name the file that it leads to")
	case !info.Mode().IsRegular():
		return wrap(ErrNotFile, "it is %s; name a file", kindOf(info.Mode()))
	}
	return nil
}

// kindOf says what something is that is no file.
func kindOf(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	case mode&os.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// readAll is mapFile where nothing can be mapped.
func readAll(f *os.File, size int64) (b []byte, unmap func() error, err error) {
	b = make([]byte, size)
	_, err = io.ReadFull(f, b)
	return b, func() error { return nil }, err
}
