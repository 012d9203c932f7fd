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
// last one wins. The file keeps its permissions; a new one gets those of the umask. The error wraps
// those of [Write], or is that of the file system.
func Save(path string, s systems.State, o Options) error {
	f, err := newFile(s, &o)
	if err != nil {
		return err
	}
	return replace(path, f.writeTo)
}

// Copy writes what r reads, which is a save file, to a file as [Save] writes a world. It checks the
// header, and that the size is the one in it: the previous file is not replaced by any other bytes.
func Copy(path string, r io.Reader) error {
	if r == nil {
		panic("save: Copy from a nil io.Reader; give one of a save file")
	}
	return replace(path, func(t *os.File) error {
		n, err := io.Copy(t, r)
		if err == nil {
			_, err = readHeader(t, n)
		}
		return err //nolint:wrapcheck // of the reader, or of the file system
	})
}

// replace writes beside path, and renames that to path.
func replace(path string, writeTo func(t *os.File) error) error {
	left := Sweep(path) // of no matter, unless there is no room beside it
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
	if !locks { // where a file that is open cannot be renamed
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
	w := bufio.NewWriterSize(t, 1<<20) // small parts in one call; large ones go around it
	err := f.write(w)
	if err == nil {
		err = w.Flush()
	}
	return failure.Sized(err, f.size)
}

// syncFolder makes a rename in a folder last.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(syncOpened(d), d.Close())
}
