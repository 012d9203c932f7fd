package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/flatecs/flatecs/cmd/render/file"
)

// newFile is the path of a file, which may not exist yet.
type newFile string

// UnmarshalText refuses folders and the empty name, which would mean the current folder.
func (f *newFile) UnmarshalText(text []byte) error {
	*f = newFile(text)
	is, err := os.Stat(string(text))
	switch {
	case len(text) == 0:
		return errors.New("expected the name of a file")
	case err == nil && is.IsDir():
		return fmt.Errorf("expected the name of a file, and %q is a folder", text)
	}
	return nil
}

// A flagFile is a file and the flag that names it.
type flagFile struct{ flag, path string }

// sameFile reports whether two paths lead to the same file, so that one output would overwrite the
// other. Devices accept both.
func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA != nil || errB != nil {
		return file.Place(a) == file.Place(b)
	}
	return os.SameFile(x, y) && x.Mode().IsRegular()
}
