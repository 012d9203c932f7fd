package failure

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNotFile is the error of a path that leads to anything but a regular file.
var ErrNotFile = errors.New("this is not a regular file")

// Regular returns nil if info describes a regular file. No other can be mapped, or replaced by a
// rename. Commands that write a stream also accept devices and pipes, as those of Go do.
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
	info, err := os.Stat(path)
	if err == nil {
		err = Regular(pkg, info)
	}
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, 0, About(pkg, path, err, fix)
	}
	if now, err := f.Stat(); err == nil { // of a file that was put there meanwhile
		info = now
	}
	return f, info.Size(), nil
}
