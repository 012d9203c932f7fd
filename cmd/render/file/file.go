// Package file writes files that are there whole or not at all.
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

// A File takes writes beside its place and moves there on Commit. What is no regular file, a device
// or a pipe, is written directly.
type File struct {
	*os.File
	path   string // where it will be; empty if it is written directly
	failed error  // the first error of writing
}

// Open opens a file, a device or a pipe for reading, such as what a shell calls <(command). It does
// not wait for a program that writes a named pipe: without one, the pipe is empty.
func Open(path string) (*os.File, error) { return open(path, os.O_RDONLY) }

// Stream begins a file that is written directly. Devices and pipes are written too, as by the
// commands of Go: go test -cpuprofile=/dev/null. A named pipe that no program reads is refused.
func Stream(path string) (*File, error) {
	f, err := open(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	return &File{File: f}, err
}

// open opens what is at a path, and does not wait for the other end of a pipe.
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

// Create begins a file, that to which the path's links lead. Its directory must exist.
func Create(path string) (*File, error) {
	mode := fs.FileMode(0o666)
	switch status, err := os.Stat(path); {
	case err == nil && !status.Mode().IsRegular():
		return Stream(path)
	case err == nil:
		mode = status.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist): // such as too long a name
		return nil, err
	}
	path = Place(path)
	for n := range 100 {
		name := filepath.Base(path)
		name = strings.ToValidUTF8(name[:min(len(name), 200)], "") // of 255 bytes, at most
		name = fmt.Sprintf(".%s.%d-%d", name, os.Getpid(), n)
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name),
			os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		setPath(err, path) // what was asked for
		if !errors.Is(err, fs.ErrExist) {
			return &File{File: f, path: path}, err
		}
	}
	return nil, fmt.Errorf("file: %s: too many unfinished files beside it; remove them", path)
}

// setPath has an error of a file name a path.
func setPath(err error, path string) {
	if refused, ok := errors.AsType[*fs.PathError](err); ok {
		refused.Path = path
	}
}

// Direct reports whether what is at the place is no regular file, and is written directly.
func (f *File) Direct() bool { return f.path == "" }

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if f.path != "" {
		setPath(err, f.path) // where it will be, not where it is until then
	}
	if f.failed == nil {
		f.failed = err
	}
	return n, err
}

// Commit puts the file in its place, where it replaces one that was there. If anything has failed,
// the file is removed, and what was there before stays.
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

// Settle puts the file in its place now, as Commit does; what is written from then on is added to
// it there.
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

// Discard removes what was written.
func (f *File) Discard() {
	_ = f.Close()
	if f.path != "" {
		_ = os.Remove(f.Name())
	}
}

// Place returns where a path leads by its links, also where there is no file yet.
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
