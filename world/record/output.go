package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/flatecs/flatecs/world/internal/failure"
)

// An output is where blocks go.
type output interface {
	next(segment int) error // the blocks that come are of this segment
	write(blocks []byte, sync bool) error
	remove(segment int) error
	close() error
}

// A stream is one file.
type stream struct{ w io.Writer }

func (s *stream) next(int) error   { return nil }
func (s *stream) remove(int) error { return nil }
func (s *stream) close() error     { return nil }

func (s *stream) write(blocks []byte, sync bool) error {
	_, err := s.w.Write(blocks)
	if f, ok := s.w.(interface{ Sync() error }); ok && err == nil && sync {
		err = f.Sync()
	}
	return err
}

// A folder has a file with the head, and one per segment.
type folder struct {
	path string
	file *os.File
}

const headName = "head.flrec"

func segmentName(n int) string { return fmt.Sprintf("%08d.flrec", n) }

// newFolder makes a folder, and the file of its head.
func newFolder(path string) (*folder, error) {
	f := &folder{path: path}
	err := os.MkdirAll(path, 0o755)
	if err == nil {
		err = f.create(headName)
	}
	return f, failure.About("record", path, err, "record into another folder")
}

func (f *folder) create(name string) (err error) {
	f.file, err = os.OpenFile(filepath.Join(f.path, name),
		os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	return err
}

func (f *folder) next(segment int) error {
	return errors.Join(f.file.Close(), f.create(segmentName(segment)))
}

func (f *folder) write(blocks []byte, sync bool) error {
	return (&stream{f.file}).write(blocks, sync)
}

func (f *folder) remove(segment int) error {
	return os.Remove(filepath.Join(f.path, segmentName(segment)))
}

func (f *folder) close() error { return f.file.Close() }
