// Package file writes files atomically: a file is complete or absent.
package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A File writes a temporary file and renames it on Commit. It writes devices and pipes directly.
type File struct {
	*os.File
	path   string // the final path; empty if written directly
	failed error  // the first write error
}

// Open opens a file, a device or a pipe for reading, such as the <(command) of a shell. It does not
// wait for the writer of a named pipe: without a writer, the pipe is empty.
func Open(path string) (*os.File, error) { return open(path, os.O_RDONLY) }

// Stream starts a file that is written directly. It also writes devices and pipes, as Go's commands
// do: go test -cpuprofile=/dev/null. It refuses a named pipe without a reader.
func Stream(path string) (*File, error) {
	f, err := open(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	return &File{File: f}, err
}

// open opens a path without waiting for the other end of a pipe.
func open(path string, flags int) (*os.File, error) {
	if status, err := os.Stat(path); err == nil && status.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file", path)
	}
	f, err := os.OpenFile(path, flags|nonblock, 0o666)
	if errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("%s: no program reads this pipe; start one first", path)
	}
	return f, err
}

// Create starts a file at a path, following links. The directory must exist.
func Create(path string) (*File, error) {
	mode := fs.FileMode(0o666)
	switch status, err := os.Stat(path); {
	case err == nil && !status.Mode().IsRegular():
		return Stream(path)
	case err == nil:
		mode = status.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist): // for example a name that is too long
		return nil, err
	}
	path = Place(path)
	for n := range 100 {
		name := filepath.Base(path)
		name = strings.ToValidUTF8(name[:min(len(name), 200)], "") // limit: 255 bytes
		name = fmt.Sprintf(".%s.%d-%d", name, os.Getpid(), n)
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name),
			os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		setPath(err, path) // the requested path
		if !errors.Is(err, fs.ErrExist) {
			return &File{File: f, path: path}, err
		}
	}
	return nil, fmt.Errorf("file: %s: too many unfinished files beside it; remove them", path)
}

// setPath sets the path in a file error.
func setPath(err error, path string) {
	if refused, ok := errors.AsType[*fs.PathError](err); ok {
		refused.Path = path
	}
}

// Direct reports whether the destination is a device or a pipe, which is written directly.
func (f *File) Direct() bool { return f.path == "" }

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if f.path != "" {
		setPath(err, f.path) // the final path, not the temporary one
	}
	if f.failed == nil {
		f.failed = err
	}
	return n, err
}

// Commit moves the file to its path, replacing any existing file. After an error it removes the
// temporary file, and the existing file stays.
func (f *File) Commit() error {
	err := f.failed
	if f.path != "" && err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if f.path == "" {
		return err
	}
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Settle moves the file to its path now, like Commit; later writes append to it there.
func (f *File) Settle() error {
	if f.path == "" {
		return nil
	}
	err := os.Rename(f.Name(), f.path)
	if err == nil {
		f.path = ""
	}
	return err
}

// Discard removes the temporary file.
func (f *File) Discard() {
	_ = f.Close()
	if f.path != "" {
		_ = os.Remove(f.Name())
	}
}

// Place resolves the links of a path, even if no file exists there yet.
func Place(path string) string {
	const mostLinks = 40
	for range mostLinks {
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if path = filepath.Join(filepath.Dir(path), to); filepath.IsAbs(to) {
			path = to
		}
	}
	return path
}
