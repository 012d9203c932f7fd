package save

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// Save writes a world to a file, like [Write], and then replaces the previous file: after a crash,
// or if the disk is full, the previous one is still complete. When Save returns nil, the file is on
// the disk. Programs that save to the same path at the same time do not disturb each other; the
// last one wins. The file keeps its permissions; a new file gets its permissions from the umask.
// Save returns the errors of [Write] and of the file system.
func Save(path string, s systems.State, o Options) error {
	f, err := newFile(s, &o)
	if err != nil {
		return err
	}
	return replace(path, f.writeTo)
}

// Copy copies a save file from r to a file, with the guarantees of [Save]. It checks the header,
// and that the size is the one in the header; otherwise it leaves the previous file as it is.
func Copy(path string, r io.Reader) error {
	if r == nil {
		panic("save: Copy from a nil io.Reader; give one of a save file")
	}
	return replace(path, func(t *os.File) error {
		n, err := io.Copy(t, r)
		if err == nil {
			_, err = readHeader(t, n)
		}
		return err //nolint:wrapcheck // from the reader or the file system
	})
}

// replace writes a temporary file beside path, and renames it to path.
func replace(path string, writeTo func(t *os.File) error) error {
	left := Sweep(path) // its error matters only if there is no room beside it
	if errors.Is(left, ErrNotFile) {
		return left
	}
	old, _ := os.Lstat(path)
	t, err := createTemp(path, old)
	if t == nil {
		return errors.Join(unsaved(path, err), left)
	}
	if err == nil {
		err = writeTo(t)
	}
	if err == nil {
		err = t.Sync()
	}
	if !locks { // an open file cannot be renamed
		err = errors.Join(err, t.Close())
	}
	if err == nil {
		err = os.Rename(t.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(t.Name()))
	}
	if locks {
		err = errors.Join(err, t.Close())
	}
	if err != nil {
		return errors.Join(unsaved(path, err), left)
	}
	return unsaved(path, syncFolder(filepath.Dir(path)))
}

func (f *file) writeTo(t *os.File) error {
	w := bufio.NewWriterSize(t, 1<<20) // collects small parts in one call; large parts bypass it
	err := f.write(w)
	if err == nil {
		err = w.Flush()
	}
	return failure.Sized(err, f.size)
}

// syncFolder syncs a folder, so that a rename in it survives a crash.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(syncOpened(d), d.Close())
}
