// Package recorder is a canvas that draws nothing and remembers everything, for tests.
package recorder

import (
	"slices"

	"github.com/flatecs/flatecs/cmd/render"
)

// A Canvas remembers what it was asked to draw. The zero value counts; Keep makes it copy bytes.
type Canvas struct {
	Keep    bool // copy what every call got into Frames
	Frames  []Frame
	Inits   int // calls of Init
	Closed  bool
	Failing error // what End returns

	ledger render.Ledger
}

var _ render.Canvas = (*Canvas)(nil)

// A Frame is what one frame was asked to draw. Without Keep it has its Report alone.
type Frame struct {
	Report  render.Report
	Singles []Single
	Batches []Batch
	Lines   [][]byte
	Sprites []render.Sprite
	Texts   []render.Text
}

// A Single is an object drawn by itself.
type Single struct {
	Object   uint32
	Position []byte
}

// A Batch is a call of DrawInstances, also of one without an instance.
type Batch struct {
	Kind      string
	Positions []byte
}

// Last returns the latest frame. It panics before the first Begin.
func (c *Canvas) Last() *Frame {
	if len(c.Frames) == 0 {
		panic("recorder: no frame yet; call Begin first")
	}
	return &c.Frames[len(c.Frames)-1]
}

// Init implements [render.Canvas].
func (c *Canvas) Init() { c.Inits++ }

// Begin implements [render.Canvas].
func (c *Canvas) Begin() {
	c.ledger.Begin()
	c.Frames = append(c.Frames, Frame{})
}

// DrawOne implements [render.Canvas].
func (c *Canvas) DrawOne(object uint32, position []byte) {
	c.ledger.One()
	if c.Keep {
		f := c.Last()
		f.Singles = append(f.Singles, Single{object, slices.Clone(position)})
	}
}

// DrawInstances implements [render.Canvas].
func (c *Canvas) DrawInstances(kind string, positions []byte) {
	c.ledger.Instances(positions)
	if c.Keep {
		f := c.Last()
		f.Batches = append(f.Batches, Batch{kind, slices.Clone(positions)})
	}
}

// DrawLines implements [render.Canvas].
func (c *Canvas) DrawLines(lines []byte) {
	c.ledger.Lines(lines)
	if c.Keep {
		f := c.Last()
		f.Lines = append(f.Lines, slices.Clone(lines))
	}
}

// DrawSprite implements [render.Canvas].
func (c *Canvas) DrawSprite(sprite render.Sprite) {
	c.ledger.Sprite()
	if c.Keep {
		f := c.Last()
		f.Sprites = append(f.Sprites, sprite)
	}
}

// DrawText implements [render.Canvas].
func (c *Canvas) DrawText(text render.Text) {
	c.ledger.Text(text)
	if c.Keep {
		f := c.Last()
		f.Texts = append(f.Texts, text)
	}
}

// End implements [render.Canvas].
func (c *Canvas) End() (render.Report, error) {
	c.Last().Report = c.ledger.Report()
	return c.ledger.Report(), c.Failing
}

// Close implements [render.Canvas].
func (c *Canvas) Close() error {
	c.Closed = true
	return nil
}
