//go:build js && wasm

package webgl

import (
	"errors"
	"image/color"
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
)

// A Canvas draws on a canvas element of the page. New allocates its resources on the GPU.
type Canvas struct {
	*context
	render.Frame
	element js.Value

	corners js.Value // corners of a square: a strip of four
	columns columns
	sky     *program
	light   *light
	cubes   *cubes
	overlay *overlay
}

var _ render.Canvas = (*Canvas)(nil)

// ErrNone is the error of a browser without WebGL2, or without the required features.
var ErrNone = errors.New("webgl: this browser has no WebGL2")

// Try creates a canvas and discards it. It returns [ErrNone], wrapped. Call it before New, because
// an element on which New has failed cannot have another context.
func Try(heap *Heap) error {
	element := js.Global().Get("document").Call("createElement", "canvas")
	c, err := New(element, heap, render.Look{})
	if err != nil {
		return err
	}
	return c.Close()
}

// New returns a canvas that draws look on an element. It returns [ErrNone], wrapped, or an error
// with the message of the browser's shader compiler.
func New(element js.Value, heap *Heap, look render.Look) (*Canvas, error) {
	f := render.NewFrame(look)
	gl := element.Call("getContext", "webgl2", map[string]any{
		"alpha": false, "antialias": f.Look().HasCubes(), "powerPreference": "high-performance",
	})
	if !gl.Truthy() {
		return nil, ErrNone
	}
	c := &Canvas{context: newContext(gl, heap), Frame: f, element: element}
	// Either extension allows drawing on half floats; the GPU determines which one exists.
	if !gl.Call("getExtension", "EXT_color_buffer_float").Truthy() &&
		!gl.Call("getExtension", "EXT_color_buffer_half_float").Truthy() {
		return nil, ErrNone
	}
	c.corners = c.vertices([]float32{-1, -1, 1, -1, -1, 1, 1, 1})
	c.columns.context = c.context
	c.sky = c.program(full, skyFragment, "top", "bottom")
	c.light = newLight(c.context, c.corners)
	c.cubes = newCubes(c.context)
	c.overlay = newOverlay(c)
	return c, c.Resize(element.Get("width").Int(), element.Get("height").Int())
}

// Resize sets the size of later frames in pixels.
func (c *Canvas) Resize(width, height int) error {
	c.Width, c.Height = max(width, 1), max(height, 1)
	c.element.Set("width", c.Width)
	c.element.Set("height", c.Height)
	c.light.resize(c.Width, c.Height)
	err := c.failed
	c.failed = nil
	return err
}

// Problem returns the number of the last WebGL error since the previous call, or 0.
func (c *Canvas) Problem() int { return c.Call("getError").Int() }

// Begin implements [render.Canvas].
func (c *Canvas) Begin() {
	c.Frame.Begin()
	c.columns.begin()
	c.light.lit = false
	c.toScreen()
	c.disable.Invoke(blend)
	c.disable.Invoke(depthTest)
	c.sky.use()
	c.sky.set3("top", share(c.Look().Sky[0]))
	c.sky.set3("bottom", share(c.Look().Sky[1]))
	c.drawArrays.Invoke(triangles, 0, 3)
	c.cubes.drawn = false
}

// toScreen selects the element for drawing.
func (c *Canvas) toScreen() {
	c.bindFramebuffer.Invoke(framebuffer, nil)
	c.viewport.Invoke(0, 0, c.Width, c.Height)
}

// DrawInstances implements [render.Canvas].
func (c *Canvas) DrawInstances(kind string, positions []byte) {
	n := c.Instances(kind, positions)
	if n == 0 {
		return
	}
	if style := c.Look().Style(kind); style.Shape == render.Cube {
		c.drawCubes(style, positions, n)
	} else {
		c.drawDots(style, positions, n)
	}
}

// End implements [render.Canvas].
func (c *Canvas) End() (render.Report, error) {
	c.Focus()
	c.toScreen()
	c.disable.Invoke(depthTest)
	c.enable.Invoke(blend)
	if c.light.lit {
		c.light.develop(c)
	}
	c.drawLines()
	c.drawSingles()
	c.drawMarks()
	return c.Report(), nil
}

// Close releases the GPU's memory.
func (c *Canvas) Close() error {
	if lose := c.Call("getExtension", "WEBGL_lose_context"); lose.Truthy() {
		lose.Call("loseContext")
	}
	return nil
}

// aim sets the uniforms for the view and a style's colours.
func (c *Canvas) aim(p *program, style render.Style) {
	p.use()
	p.matrix(&c.View.Matrix)
	at := c.View.Centre
	p.set4("centre", at[0], at[1], at[2], 1/(c.View.Radius*c.View.Radius))
	p.set3("colour", render.Light(style.Colour))
	p.set3("rim", render.Light(style.Rim))
}

// share returns a colour with components from 0 to 1.
func share(c color.RGBA) [3]float32 {
	return [3]float32{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255}
}
