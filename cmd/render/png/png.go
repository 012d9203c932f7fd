// Package png writes frames as PNG pictures.
package png

import (
	"bufio"
	"fmt"
	"image"
	"image/png"
	"regexp"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

// number is where a path takes the number of a frame.
var number = regexp.MustCompile(`^[^%]*%(0?[1-9])?d[^%]*$`)

// A Canvas draws with a soft canvas and writes pictures.
type Canvas struct {
	*soft.Canvas
	path     string
	numbered bool
	frames   int // drawn
	pending  bool
}

var _ render.Canvas = (*Canvas)(nil)

// New returns a canvas that writes to path: the last frame, when it is closed; or, if path has a
// number in it as fmt writes it (frame%04d.png), every frame, numbered from 0.
func New(path string, canvas *soft.Canvas) *Canvas {
	return &Canvas{Canvas: canvas, path: path, numbered: number.MatchString(path)}
}

// End implements [render.Canvas].
func (c *Canvas) End() (render.Report, error) {
	report, err := c.Canvas.End()
	c.pending = true
	if c.numbered && err == nil {
		err = c.write(fmt.Sprintf(c.path, c.frames))
	}
	c.frames++
	return report, err
}

// Close writes the last frame, if there is one and it is not written yet.
func (c *Canvas) Close() error {
	var err error
	if c.pending && !c.numbered {
		err = c.write(c.path)
	}
	c.pending = false
	if closing := c.Canvas.Close(); err == nil {
		err = closing
	}
	return err
}

func (c *Canvas) write(path string) error {
	c.pending = false
	if err := Write(path, c.Image()); err != nil {
		return fmt.Errorf("png: %s could not be written: %w", path, err)
	}
	return nil
}

// Write writes one picture. The file is there whole or not at all.
func Write(path string, picture image.Image) error {
	f, err := file.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<16)
	if err = png.Encode(out, picture); err == nil {
		err = out.Flush()
	}
	if err != nil {
		f.Discard()
		return err
	}
	return f.Commit()
}
