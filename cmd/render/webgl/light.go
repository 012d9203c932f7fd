//go:build js && wasm

package webgl

import (
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
)

const (
	measuredWidth, measuredHeight = 64, 36

	largestDot = 48  // diameter, pixels
	adapt      = .15 // fraction of the way to a new exposure, per frame
)

// A light is the sum of all dots, and its exposure.
type light struct {
	*context
	sum, measured, exposure target
	dots                    *program
	measure, expose, look   *program
	array, nothing          js.Value
	lit                     bool // something was added this frame
	settled                 bool // there is an exposure
}

func newLight(c *context, corners js.Value) *light {
	l := &light{
		context: c, array: c.array(corners, 2, 1), nothing: c.Call("createVertexArray"),
		dots:    c.program(dotVertex, dotFragment, "view", "pixel", "centre", "size", "colour", "rim"),
		measure: c.program(full, measureFragment, "light", "pixel"),
		expose:  c.program(full, exposeFragment, "measured"),
		look:    c.program(full, seeFragment, "light", "exposure"),
	}
	for _, t := range []*target{&l.sum, &l.measured, &l.exposure} {
		t.context = c
	}
	l.look.use()
	c.Call("uniform1i", l.look.places["exposure"], 1)
	c.Call("blendColor", 0, 0, 0, adapt)
	c.Call("clearColor", 0, 0, 0, 0)
	l.measured.resize(measuredWidth, measuredHeight, nearest)
	l.exposure.resize(1, 1, nearest)
	return l
}

func (l *light) resize(width, height int) {
	l.settled = false
	l.sum.resize(width, height, linear)
}

// drawDots adds instances to the light.
func (c *Canvas) drawDots(style render.Style, positions []byte, n int) {
	l := c.light
	l.sum.bind()
	if !l.lit {
		l.lit = true
		c.Call("clear", colourBit)
	}
	c.disable.Invoke(depthTest)
	c.enable.Invoke(blend)
	c.blendFunc.Invoke(one, one)
	c.aim(l.dots, style)
	l.dots.set2("pixel", 2/float32(c.Width), 2/float32(c.Height))
	l.dots.set2("size", c.Size(style, n), largestDot)
	c.drawColumns(l.array, 4, n, 1, positions)
}

// develop adjusts the exposure, and draws the light on the element over the existing content.
func (l *light) develop(c *Canvas) {
	c.bindVertexArray.Invoke(l.nothing)
	c.disable.Invoke(blend)
	l.measured.bind()
	l.measure.use()
	c.bindTexture.Invoke(texture2D, l.sum.texture)
	l.measure.set2("pixel", 1/float32(c.Width), 1/float32(c.Height))
	c.drawArrays.Invoke(triangles, 0, 3)

	l.exposure.bind()
	if l.settled {
		c.enable.Invoke(blend)
		c.blendFunc.Invoke(constantAlpha, oneMinusConstantAlpha)
	}
	l.settled = true
	l.expose.use()
	c.bindTexture.Invoke(texture2D, l.measured.texture)
	c.drawArrays.Invoke(triangles, 0, 3)

	c.toScreen()
	c.enable.Invoke(blend)
	c.blendFunc.Invoke(one, oneMinusSrcColour)
	l.look.use()
	c.Call("activeTexture", texture0+1)
	c.bindTexture.Invoke(texture2D, l.exposure.texture)
	c.Call("activeTexture", texture0)
	c.bindTexture.Invoke(texture2D, l.sum.texture)
	c.drawArrays.Invoke(triangles, 0, 3)
}
