package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/flatecs/flatecs/world/internal/failure"
)

// An output is the destination of blocks: a writer, or a folder with a file for the head and a file
// per segment.
type output struct {
	to     io.Writer // the current file, for a folder
	folder string    // "": none
}

const headName = "head.flrec"

func segmentName(n int) string { return fmt.Sprintf("%08d.flrec", n) }

// newFolder creates a folder and the file of its head.
func newFolder(path string) (*output, error) {
	o := &output{folder: path}
	err := os.MkdirAll(path, 0o755)
	if err == nil {
		err = o.create(headName)
	}
	return o, failure.About("record", path, err, "record into another folder")
}

// create creates a file in the folder; later blocks go there.
func (o *output) create(name string) error {
	f, err := os.OpenFile(filepath.Join(o.folder, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err == nil {
		o.to = f
	}
	return err
}

// next creates the file of a segment.
func (o *output) next(segment int) error {
	if o.folder == "" {
		return nil
	}
	return errors.Join(o.close(), o.create(segmentName(segment)))
}

// remove removes the file of a segment.
func (o *output) remove(segment int) error {
	return os.Remove(filepath.Join(o.folder, segmentName(segment)))
}

func (o *output) write(blocks []byte, sync bool) error {
	_, err := o.to.Write(blocks)
	if f, ok := o.to.(interface{ Sync() error }); ok && err == nil && sync {
		err = f.Sync()
	}
	return err
}

// close closes the file of a folder. It does not close a writer.
func (o *output) close() error {
	if f, ok := o.to.(*os.File); ok && o.folder != "" {
		return f.Close()
	}
	return nil
}
