package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/flatecs/flatecs/cmd/render/file"
)

// newFile is the path of a file, which need not be there.
type newFile string

// newFolder is the path of a folder, which need not be there.
type newFolder string

// UnmarshalText refuses no name at all, which would be the directory, and folders.
func (f *newFile) UnmarshalText(text []byte) error {
	*f = newFile(text)
	is, err := os.Stat(string(text))
	return checkPath(text, "file", err == nil && is.IsDir(), "a folder")
}

// UnmarshalText refuses no name at all, and what is no folder.
func (f *newFolder) UnmarshalText(text []byte) error {
	*f = newFolder(text)
	_, err := os.Lstat(string(text))
	is, _ := os.Stat(string(text)) // nil at the end of a link that leads nowhere
	return checkPath(text, "folder", err == nil && (is == nil || !is.IsDir()), "none")
}

// checkPath refuses no name at all, and the wrong one of something.
func checkPath(path []byte, want string, wrong bool, is string) error {
	switch {
	case len(path) == 0:
		return errors.New("expected the name of a " + want)
	case wrong:
		return fmt.Errorf("expected the name of a %s, and %q is %s", want, path, is)
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
		return file.Place(a) == file.Place(b)
	}
	return os.SameFile(x, y) && x.Mode().IsRegular()
}
