// Package recorder is a canvas that keeps what it is asked to draw, for tests.
package recorder

import (
	"slices"

	"github.com/flatecs/flatecs/cmd/render"
)

// A Canvas keeps copies of what a frame draws, until the next begins.
type Canvas struct {
	render.Ledger
	Singles []Single
	Batches []Batch
	Lines   [][]byte
	Sprites []render.Sprite
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

// Begin implements [render.Canvas].
func (c *Canvas) Begin() { *c = Canvas{} }

// DrawOne implements [render.Canvas].
func (c *Canvas) DrawOne(object uint32, position []byte) {
	c.Ledger.DrawOne(object, position)
	c.Singles = append(c.Singles, Single{object, slices.Clone(position)})
}

// DrawInstances implements [render.Canvas].
func (c *Canvas) DrawInstances(kind string, positions []byte) {
	c.Ledger.DrawInstances(kind, positions)
	c.Batches = append(c.Batches, Batch{kind, slices.Clone(positions)})
}

// DrawLines implements [render.Canvas].
func (c *Canvas) DrawLines(lines []byte) {
	c.Ledger.DrawLines(lines)
	c.Lines = append(c.Lines, slices.Clone(lines))
}

// DrawSprite implements [render.Canvas].
func (c *Canvas) DrawSprite(sprite render.Sprite) {
	c.Ledger.DrawSprite(sprite)
	c.Sprites = append(c.Sprites, sprite)
}
