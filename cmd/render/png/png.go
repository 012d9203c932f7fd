// Package png writes frames as PNG pictures.
package png

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"image/png"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

// A Canvas draws with a soft canvas and writes the last frame.
type Canvas struct {
	*soft.Canvas
	path    string
	pending bool
}

var _ render.Canvas = (*Canvas)(nil)

// New returns a canvas that writes to path when it is closed.
func New(path string, canvas *soft.Canvas) *Canvas { return &Canvas{Canvas: canvas, path: path} }

// End implements [render.Canvas].
func (c *Canvas) End() (render.Report, error) {
	c.pending = true
	return c.Canvas.End()
}

// Close writes the last frame, unless there is none or it is written. The file is complete or
// absent.
func (c *Canvas) Close() (err error) {
	if c.pending {
		if err = c.write(); err != nil {
			err = fmt.Errorf("png: %s could not be written: %w", c.path, err)
		}
	}
	c.pending = false
	return errors.Join(err, c.Canvas.Close())
}

func (c *Canvas) write() error {
	f, err := file.Create(c.path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<16)
	if err := cmp.Or(png.Encode(out, c.Image()), out.Flush()); err != nil {
		f.Discard()
		return err
	}
	return f.Commit()
}
