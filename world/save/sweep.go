package save

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/flatecs/flatecs/world/internal/failure"
)

const (
	tempPrefix = "."
	tempSuffix = ".saving"
	readable   = "give the path of a file that can be read"
)

var errSwept = errors.New("save: sweeps keep removing the file being written; sweep less often")

// createTemp creates a file beside path and locks it, so that [Sweep] leaves it alone. It takes the
// permissions of old, the file at path, or otherwise of the umask.
func createTemp(path string, old os.FileInfo) (*os.File, error) {
	dir, base := filepath.Split(path)
	if base == "" {
		return nil, wrap(ErrNotFile, "a path ends in the name of a file; give one")
	}
	mode := os.FileMode(0o666)
	if old != nil {
		mode = 0o600 // until it has the permissions of old
	}
	for range 100 {
		number := rand.Uint32() //nolint:forbidigo // for a temporary file's name
		name := fmt.Sprint(tempPrefix, shortened(base), ".", number, tempSuffix)
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		locked := lock(f)
		info, err := os.Lstat(f.Name())
		if own, statErr := f.Stat(); locked && err == nil && statErr == nil &&
			os.SameFile(info, own) {
			return f, alike(f, own, old)
		}
		_ = f.Close() // swept before the lock was taken
	}
	return nil, errSwept
}

// shortened returns a prefix of a file's name for temporary files, because file systems limit names
// to 255 bytes. Two long names may share a prefix; their files are distinguished by locks.
func shortened(base string) string {
	const most = 200
	return strings.ToValidUTF8(base[:min(len(base), most)], "")
}

// alike gives a file the permissions of another one. If it cannot have the same group, the group
// gets no more rights than all others.
func alike(f *os.File, own, old os.FileInfo) error {
	if old == nil {
		return nil
	}
	mode := old.Mode().Perm()
	if !sameGroup(f, own, old) {
		mode &= 0o707 | mode&0o007<<3
	}
	if mode == own.Mode().Perm() {
		return nil
	}
	return f.Chmod(mode)
}

// Sweep removes temporary files left by killed saves to path, but not those of running saves.
// [Save] calls it first. The error wraps [ErrNotFile] if Save cannot replace what is at path.
func Sweep(path string) error {
	if old, err := os.Lstat(path); err == nil {
		if err = failure.Regular("save", old); err != nil {
			return unsaved(path, err)
		}
	}
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return failure.About("save", path, err, "save in a folder that is there")
	}
	var errs []error
	for _, e := range entries {
		name := e.Name()
		middle, begins := strings.CutPrefix(name, tempPrefix+shortened(base)+".")
		middle, ends := strings.CutSuffix(middle, tempSuffix)
		number := middle != "" && strings.Trim(middle, "0123456789") == ""
		if !begins || !ends || !number || !e.Type().IsRegular() {
			continue
		}
		if err := sweep(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			errs = append(errs, failure.About("save", name, err, "remove it"))
		}
	}
	return errors.Join(errs...)
}

func sweep(path string) error {
	f, err := os.OpenFile(path, openQuietly, 0)
	if err != nil {
		return err
	}
	if lock(f) {
		err = os.Remove(path)
	}
	return errors.Join(err, f.Close())
}
