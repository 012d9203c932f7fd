//go:build js && wasm

package webgl

import (
	"errors"
	"image/color"
	"math"
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
)

// A Canvas draws on a canvas of the page. What it needs of the graphics card it gets in New.
type Canvas struct {
	*context
	element       js.Value
	look          render.Look
	ledger        render.Ledger
	width, height int // pixels
	expected      int // instances of the frame before

	view   render.View
	seeing bool    // view is that of this frame
	middle float32 // depth of what the camera looks at

	corners js.Value // of a square: a strip of four
	columns columns
	sky     *program
	light   *light
	cubes   *cubes
	overlay *overlay
}

var _ render.Canvas = (*Canvas)(nil)

// ErrNone is the error of a browser without WebGL2, or with too little of it.
var ErrNone = errors.New("webgl: this browser has no WebGL2")

// Try makes a canvas of its own and throws it away. The error wraps [ErrNone]. An element that New
// has failed on can have no other context, so this is to be asked before.
func Try(heap *Heap) error {
	element := js.Global().Get("document").Call("createElement", "canvas")
	c, err := New(element, heap, render.Look{})
	if err != nil {
		return err
	}
	return c.Close()
}

// New returns a canvas that draws what look declares on an element. The error wraps [ErrNone], or
// has the words of the browser's compiler for shaders.
func New(element js.Value, heap *Heap, look render.Look) (*Canvas, error) {
	look = look.Complete()
	gl := element.Call("getContext", "webgl2", map[string]any{
		"alpha": false, "antialias": hasCubes(&look), "powerPreference": "high-performance",
	})
	if !gl.Truthy() {
		return nil, ErrNone
	}
	c := &Canvas{context: newContext(gl, heap), element: element, look: look}
	// Half floats can be drawn on with either; which one there is depends on the card.
	if !gl.Call("getExtension", "EXT_color_buffer_float").Truthy() &&
		!gl.Call("getExtension", "EXT_color_buffer_half_float").Truthy() {
		return nil, ErrNone
	}
	c.corners = c.vertices([]float32{-1, -1, 1, -1, -1, 1, 1, 1})
	c.columns.context = c.context
	if err := c.compile(); err != nil {
		return nil, err
	}
	if err := c.Resize(element.Get("width").Int(), element.Get("height").Int()); err != nil {
		return nil, err
	}
	return c, nil
}

func hasCubes(look *render.Look) bool {
	for _, style := range look.Styles {
		if style.Shape == render.Cube {
			return true
		}
	}
	return look.Other.Shape == render.Cube
}

func (c *Canvas) compile() (err error) {
	if c.sky, err = c.program(full, skyFragment, "top", "bottom"); err != nil {
		return err
	}
	if c.light, err = newLight(c.context, c.corners); err != nil {
		return err
	}
	if c.cubes, err = newCubes(c.context); err != nil {
		return err
	}
	c.overlay, err = newOverlay(c)
	return err
}

// Resize makes later frames so many pixels large.
func (c *Canvas) Resize(width, height int) error {
	c.width, c.height = max(width, 1), max(height, 1)
	c.element.Set("width", c.width)
	c.element.Set("height", c.height)
	return c.light.resize(c.width, c.height)
}

// Look returns what the canvas draws, complete.
func (c *Canvas) Look() *render.Look { return &c.look }

// Problem returns WebGL's number of what went wrong since it was last asked, or 0.
func (c *Canvas) Problem() int { return c.Call("getError").Int() }

// Init implements [render.Canvas].
func (c *Canvas) Init() {}

// Begin implements [render.Canvas].
func (c *Canvas) Begin() {
	c.expected = c.ledger.Report().Instances
	c.ledger.Begin()
	c.seeing = false
	c.columns.begin()
	c.overlay.begin()
	c.light.lit = false
	c.toScreen()
	c.disable.Invoke(blend)
	c.disable.Invoke(depthTest)
	c.sky.use()
	c.sky.set3("top", share(c.look.Sky[0]))
	c.sky.set3("bottom", share(c.look.Sky[1]))
	c.drawArrays.Invoke(triangles, 0, 3)
	c.cubes.drawn = false
}

// toScreen draws on the element from now on.
func (c *Canvas) toScreen() {
	c.bindFramebuffer.Invoke(framebuffer, nil)
	c.viewport.Invoke(0, 0, c.width, c.height)
}

// DrawOne implements [render.Canvas].
func (c *Canvas) DrawOne(_ uint32, position []byte) {
	c.ledger.One()
	c.look.Camera.See(position)
	c.overlay.singles = append(c.overlay.singles, single{at: render.PositionAt(position, 0)})
}

// DrawInstances implements [render.Canvas].
func (c *Canvas) DrawInstances(kind string, positions []byte) {
	c.ledger.Instances(positions)
	n := len(positions) / render.PositionBytes
	if n == 0 {
		return
	}
	c.look.Camera.See(positions)
	c.see()
	style := c.look.Style(kind)
	if style.Shape == render.Cube {
		c.drawCubes(style, positions, n)
	} else {
		c.drawDots(style, positions, n)
	}
}

// DrawLines implements [render.Canvas].
func (c *Canvas) DrawLines(lines []byte) {
	c.ledger.Lines(lines)
	whole := len(lines) / render.LineBytes * render.LineBytes
	c.overlay.lines = append(c.overlay.lines, lines[:whole]...)
}

// DrawSprite implements [render.Canvas].
func (c *Canvas) DrawSprite(sprite render.Sprite) {
	c.ledger.Sprite()
	c.overlay.queue.Sprite(sprite)
}

// DrawText implements [render.Canvas].
func (c *Canvas) DrawText(text render.Text) {
	c.ledger.Text(text)
	c.overlay.queue.Text(text)
}

// End implements [render.Canvas].
func (c *Canvas) End() (render.Report, error) {
	c.see()
	c.toScreen()
	c.disable.Invoke(depthTest)
	c.enable.Invoke(blend)
	if c.light.lit {
		c.light.develop(c)
	}
	c.drawLines()
	c.drawSingles()
	c.drawMarks()
	return c.ledger.Report(), nil
}

// Close gives the graphics card's memory back.
func (c *Canvas) Close() error {
	if lose := c.Call("getExtension", "WEBGL_lose_context"); lose.Truthy() {
		lose.Call("loseContext")
	}
	return nil
}

// see asks the camera for the frame's view, once.
func (c *Canvas) see() {
	if c.seeing {
		return
	}
	c.seeing = true
	c.view = c.look.Camera.View(c.width, c.height)
	_, _, c.middle = c.view.Project(c.view.Centre)
}

// size returns the size in pixels at depth 1 that instances of a style have, n of them.
func (c *Canvas) size(style render.Style, n int) float32 {
	if style.Size > 0 {
		return style.Size * c.view.Scale * float32(c.height) / 2
	}
	area := float64(c.width) * float64(c.height) / float64(max(n, c.expected))
	dot := max(min(float32(math.Sqrt(area)*.45), float32(c.height)/70), 1)
	if style.Shape == render.Cube {
		dot *= 2
	}
	return dot * c.middle
}

// aim gives a program the view and a style's colours.
func (c *Canvas) aim(p *program, style render.Style) {
	p.use()
	p.matrix(&c.view.Matrix)
	at := c.view.Centre
	p.set4("centre", at[0], at[1], at[2], 1/(c.view.Radius*c.view.Radius))
	p.set3("colour", asLight(style.Colour))
	p.set3("rim", asLight(style.Rim))
}

// A tint is red, green and blue.
type tint [3]float32

// share returns a colour as parts of 1.
func share(c color.RGBA) tint {
	return tint{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255}
}

// asLight returns a colour as light; 1 is white.
func asLight(c color.RGBA) tint {
	t := share(c)
	for i, x := range t {
		t[i] = float32(math.Pow(float64(x), 2.2))
	}
	return t
}
