//go:build js && wasm

package webgl

import (
	"math"
	"sort"
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
)

// A single is an object drawn by itself.
type single struct {
	at    [3]float32
	depth float32
}

// singles are sorted by depth, the farthest first, by package sort, whose code is there once.
type singles []single

func (s *singles) Len() int           { return len(*s) }
func (s *singles) Less(i, k int) bool { return (*s)[i].depth > (*s)[k].depth }
func (s *singles) Swap(i, k int)      { (*s)[i], (*s)[k] = (*s)[k], (*s)[i] }

// An overlay is what is drawn over the light.
type overlay struct {
	singles singles
	lines   []byte
	queue   render.Queue

	single, line, mark       *program
	square, segments, marked js.Value // vertex arrays
	pictures                 pictures
}

func newOverlay(c *Canvas) (o *overlay, err error) {
	o = &overlay{
		square: c.array(c.corners, 2, 0), segments: c.array(c.corners, 2, 2),
		marked: c.array(c.corners, 2, 0), pictures: newPictures(c.context),
	}
	if o.single, err = c.program(singleVertex, singleFragment,
		"view", "pixel", "size", "paint", "dark"); err != nil {
		return nil, err
	}
	if o.line, err = c.program(lineVertex, lineFragment,
		"view", "pixel", "width", "wide", "paint"); err != nil {
		return nil, err
	}
	o.mark, err = c.program(markVertex, markFragment, "place", "turn", "pixel", "paint")
	return o, err
}

func (o *overlay) begin() {
	o.singles, o.lines = o.singles[:0], o.lines[:0]
	o.queue.Reset()
}

// drawLines draws all lines at once.
func (c *Canvas) drawLines() {
	o := c.overlay
	n := len(o.lines) / render.LineBytes
	if n == 0 {
		return
	}
	c.blendFunc.Invoke(one, oneMinusSrcAlpha)
	o.line.use()
	o.line.matrix(&c.view.Matrix)
	o.line.set2("pixel", 2/float32(c.width), 2/float32(c.height))
	half := max(float32(c.height)/1200, .5)
	o.line.set2("width", half, c.middle*1e-3)
	o.line.set1("wide", half)
	o.line.set3("paint", share(c.look.Line))
	c.bindVertexArray.Invoke(o.segments)
	offset := c.columns.upload(o.lines)
	c.attribPointer.Invoke(1, 3, float, false, render.LineBytes, offset)
	c.attribPointer.Invoke(2, 3, float, false, render.LineBytes, offset+render.PositionBytes)
	c.drawArraysInstanced.Invoke(triangleStrip, 0, 4, n)
}

// drawSingles draws one object after the other, those that are near last.
func (c *Canvas) drawSingles() {
	o := c.overlay
	if len(o.singles) == 0 {
		return
	}
	for i := range o.singles {
		_, _, o.singles[i].depth = c.view.Project(o.singles[i].at)
	}
	sort.Stable(&o.singles)
	c.blendFunc.Invoke(one, oneMinusSrcAlpha)
	o.single.use()
	o.single.matrix(&c.view.Matrix)
	o.single.set2("pixel", 2/float32(c.width), 2/float32(c.height))
	o.single.set1("size", c.singleSize())
	o.single.set3("paint", share(c.look.Single.Colour))
	o.single.set3("dark", share(c.look.Sky[1]))
	c.bindVertexArray.Invoke(o.square)
	for i := range o.singles {
		p := &o.singles[i].at
		c.attrib3f.Invoke(1, p[0], p[1], p[2])
		c.drawArrays.Invoke(triangleStrip, 0, 4)
	}
}

// singleSize returns the radius of singles, in pixels at depth 1.
func (c *Canvas) singleSize() float32 {
	if size := c.look.Single.Size; size > 0 {
		return size * c.view.Scale * float32(c.height) / 4
	}
	area := float64(c.width) * float64(c.height) / float64(len(c.overlay.singles))
	return max(min(float32(math.Sqrt(area)/7), float32(c.height)/90), 1.5) * c.middle
}
