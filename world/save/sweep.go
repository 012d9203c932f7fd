package save

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	tempPrefix = "."
	tempSuffix = ".saving"
)

var errSwept = errors.New("what is written is being swept all the time")

// createTemp creates a file beside path and locks it, so that [Sweep] leaves it alone.
func createTemp(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	if base == "" {
		return nil, &os.PathError{Op: "save", Path: path, Err: ErrNotFile}
	}
	for range 100 {
		f, err := os.CreateTemp(dirOr(dir), tempPrefix+base+".*"+tempSuffix)
		if err != nil {
			return nil, err
		}
		locked := lock(f)
		info, err := os.Lstat(f.Name())
		if own, statErr := f.Stat(); locked && err == nil && statErr == nil &&
			os.SameFile(info, own) && f.Chmod(0o644) == nil {
			return f, nil
		}
		_ = f.Close() // swept before it was locked
	}
	return nil, &os.PathError{Op: "save", Path: path, Err: errSwept}
}

func dirOr(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// Sweep removes what saves to path have left behind that were killed. One that is under way is left
// alone. [Save] does it before it begins.
func Sweep(path string) error {
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(dirOr(dir))
	if err != nil {
		return fmt.Errorf("save: %w", err)
	}
	var errs []error
	for _, e := range entries {
		name := e.Name()
		middle, begins := strings.CutPrefix(name, tempPrefix+base+".")
		middle, ends := strings.CutSuffix(middle, tempSuffix)
		if !begins || !ends || !isDigits(middle) || !e.Type().IsRegular() {
			continue
		}
		if err := sweep(filepath.Join(dirOr(dir), name)); err != nil && !os.IsNotExist(err) {
			errs = append(errs, fmt.Errorf("save: %w", err))
		}
	}
	return errors.Join(errs...)
}

func sweep(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if lock(f) {
		err = os.Remove(path)
	}
	return errors.Join(err, f.Close())
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
