// Package file writes files that are there whole or not at all.
package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A File takes writes beside its place and moves there on Commit. What is no regular file, a device
// or a pipe, is written directly.
type File struct {
	*os.File
	path   string // where it will be; empty if it is written directly
	failed error  // the first error of writing
}

// Create begins a file. Its directory must exist.
func Create(path string) (*File, error) {
	mode := fs.FileMode(0o666)
	if status, err := os.Stat(path); err == nil {
		if status.IsDir() {
			return nil, fmt.Errorf("file: %s is a directory; name a file in it", path)
		}
		if !status.Mode().IsRegular() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			return &File{File: f}, err
		}
		mode = status.Mode().Perm()
	}
	for n := range 100 {
		name := filepath.Base(path)
		name = strings.ToValidUTF8(name[:min(len(name), 200)], "") // of 255 bytes, at most
		name = fmt.Sprintf(".%s.%d-%d", name, os.Getpid(), n)
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name),
			os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if refused, ok := errors.AsType[*fs.PathError](err); ok {
			refused.Path = path // what was asked for
		}
		if !errors.Is(err, fs.ErrExist) {
			return &File{File: f, path: path}, err
		}
	}
	return nil, fmt.Errorf("file: %s: too many unfinished files beside it; remove them", path)
}

// Direct reports whether what is at the place is no regular file, and is written directly.
func (f *File) Direct() bool { return f.path == "" }

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.failed = errors.Join(f.failed, err)
	return n, err
}

// Commit puts the file in its place, where it replaces one that was there. If anything has failed,
// the file is removed, and what was there before stays.
func (f *File) Commit() error {
	if err := f.finish(); err != nil || f.path == "" {
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func (f *File) finish() error {
	err := f.failed
	if f.path != "" && err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil && f.path != "" {
		_ = os.Remove(f.Name())
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
