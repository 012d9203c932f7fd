package main

import (
	"fmt"

	"github.com/flatecs/flatecs/cmd/render"
)

// A logCanvas draws nothing, and says in a line for each frame what there was to draw.
type logCanvas struct {
	render.Ledger
	out    *lineWriter
	frames int
}

var _ render.Canvas = (*logCanvas)(nil)

func (c *logCanvas) Close() error { return c.out.Flush() }

func (c *logCanvas) End() (render.Report, error) {
	c.frames++
	r := c.Report()
	_, _ = fmt.Fprintf(c.out, "draw frame=%d calls=%d batches=%d instances=%d singles=%d "+
		"lines=%d sprites=%d texts=%d bytes=%d\n", c.frames, r.DrawCalls, r.Batches, r.Instances,
		r.Singles, r.Lines, r.Sprites, r.Texts, r.Bytes)
	return r, c.out.flushNowAndThen()
}
