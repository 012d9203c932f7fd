package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// newFile is the path of a file, which need not be there.
type newFile string

// newFolder is the path of a folder, which need not be there.
type newFolder string

// UnmarshalText refuses no name at all, which would be the directory, and folders.
func (f *newFile) UnmarshalText(text []byte) (err error) {
	*f, err = newFile(text), checkPath(string(text), "file", "folder")
	return err
}

// UnmarshalText refuses no name at all, and files.
func (f *newFolder) UnmarshalText(text []byte) (err error) {
	*f, err = newFolder(text), checkPath(string(text), "folder", "file")
	return err
}

// checkPath refuses the path of a file where a folder is wanted, or of a folder for a file.
func checkPath(path, want, other string) error {
	is, err := os.Stat(path)
	switch {
	case path == "":
		return errors.New("expected the name of a " + want)
	case err == nil && is.IsDir() != (want == "folder"):
		return fmt.Errorf("expected the name of a %s, and %q is a %s", want, path, other)
	}
	return nil
}

// A flagFile is a file and the flag that names it.
type flagFile struct{ flag, path string }

// sameFile reports whether what is written to one path would be written over by the other. Devices
// take both.
func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA != nil || errB != nil {
		return place(a) == place(b)
	}
	return os.SameFile(x, y) && x.Mode().IsRegular()
}

// place returns where a path leads by its links, also where there is no file yet.
func place(path string) string {
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
