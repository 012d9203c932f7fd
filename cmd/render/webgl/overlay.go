//go:build js && wasm

package webgl

import (
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
)

// An overlay draws everything that covers the light.
type overlay struct {
	single, line, mark       *program
	square, segments, marked js.Value // vertex arrays
	pictures                 pictures
}

func newOverlay(c *Canvas) *overlay {
	return &overlay{
		square: c.array(c.corners, 2, 0), segments: c.array(c.corners, 2, 2),
		marked: c.array(c.corners, 2, 0), pictures: newPictures(c.context),
		single: c.program(singleVertex, singleFragment, "view", "pixel", "size", "paint", "dark"),
		line:   c.program(lineVertex, lineFragment, "view", "pixel", "width", "wide", "paint"),
		mark:   c.program(markVertex, markFragment, "place", "turn", "pixel", "paint"),
	}
}

// drawLines draws all lines in one call.
func (c *Canvas) drawLines() {
	o := c.overlay
	n := len(c.Lines) / render.LineBytes
	if n == 0 {
		return
	}
	c.blendFunc.Invoke(one, oneMinusSrcAlpha)
	o.line.use()
	o.line.matrix(&c.View.Matrix)
	o.line.set2("pixel", 2/float32(c.Width), 2/float32(c.Height))
	half := max(float32(c.Height)/1200, .5)
	o.line.set2("width", half, c.Middle*1e-3)
	o.line.set1("wide", half)
	o.line.set3("paint", share(c.Look().Line))
	c.drawColumns(o.segments, 4, n, 2, c.Lines)
}

// drawSingles draws single objects one by one, the nearest last.
func (c *Canvas) drawSingles() {
	o := c.overlay
	if len(c.Singles) == 0 {
		return
	}
	size := c.SingleSize()
	c.SortSingles()
	c.blendFunc.Invoke(one, oneMinusSrcAlpha)
	o.single.use()
	o.single.matrix(&c.View.Matrix)
	o.single.set2("pixel", 2/float32(c.Width), 2/float32(c.Height))
	o.single.set1("size", size)
	o.single.set3("paint", share(c.Look().Single.Colour))
	o.single.set3("dark", share(c.Look().Sky[1]))
	c.bindVertexArray.Invoke(o.square)
	for i := range c.Singles {
		p := &c.Singles[i].At
		c.attrib3f.Invoke(1, p[0], p[1], p[2])
		c.drawArrays.Invoke(triangleStrip, 0, 4)
	}
}
