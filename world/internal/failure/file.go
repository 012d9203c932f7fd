package failure

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNotFile is the error of a path that leads to anything but a regular file.
var ErrNotFile = errors.New("this is not a regular file")

// Regular returns nil if info describes a regular file. Only a regular file can be mapped, read at
// any place, or replaced by rename. Commands that write a stream also accept devices and pipes, as
// those of Go do.
func Regular(pkg string, info fs.FileInfo) error {
	kind, mode := "a special file", info.Mode()
	switch {
	case mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		return Wrap(pkg, ErrNotFile, "name the file that it leads to", "it is a symbolic link")
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return Wrap(pkg, ErrNotFile, "name a file", "it is %s", kind)
}

// Open opens a regular file for reading, also by a symbolic link. It opens nothing that blocks.
func Open(pkg, path, fix string) (f *os.File, size int64, err error) {
	before, err := os.Stat(path)
	if err == nil {
		err = Regular(pkg, before)
	}
	if err == nil {
		f, err = os.Open(path)
	}
	if err == nil {
		var opened fs.FileInfo
		if opened, err = f.Stat(); err == nil && os.SameFile(before, opened) {
			return f, opened.Size(), nil
		}
		err = errors.Join(err, f.Close(), Wrap(pkg, ErrNotFile, "try again", "it was replaced"))
	}
	return nil, 0, About(pkg, path, err, fix)
}
