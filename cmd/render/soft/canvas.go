package soft

import (
	"image"
	"runtime"

	"github.com/flatecs/flatecs/cmd/render"
)

// Options say how a canvas draws.
type Options struct {
	Width, Height int // pixels; at least 1
	Bands         int // goroutines that draw; 0: as many as Go runs at once
}

// A Canvas draws pictures. After set-up, and once lists have the room they need, its frames
// allocate nothing.
type Canvas struct {
	look          render.Look
	width, height int
	picture       *image.RGBA
	crew          *crew
	ledger        render.Ledger
	expected      int // instances of the frame before

	view   render.View
	seeing bool    // view is that of this frame
	middle float32 // depth of what the camera looks at

	light    light
	exposure exposure
	tone     *toneCurve
	solid    solid
	cubes    bool // some style asks for them
	singles  [][3]float32
	lines    []byte
	orbs     orbs
	segments []segment
	queue    render.Queue
	plane    struct{ scale, left, top float32 } // of sprites and texts, in pixels
	pyramids []pyramid
	marks    []mark
	settings []setting
	masks    map[face]*image.Alpha

	batch  batch // the instances being drawn
	passes passes
}

var _ render.Canvas = (*Canvas)(nil)

// passes are the canvas's methods that a crew works on, bound once.
type passes struct{ clear, dots, cubes, sum, develop, overlay func(band int) }

// New returns a canvas that draws what look declares.
func New(look render.Look, options Options) *Canvas {
	bands := options.Bands
	if bands <= 0 {
		bands = runtime.GOMAXPROCS(0)
	}
	c := &Canvas{look: look.Complete(), crew: newCrew(bands), tone: newToneCurve()}
	c.passes = passes{
		clear: c.clearBand, dots: c.dotsBand, cubes: c.cubesBand, sum: c.sumBand,
		develop: c.developBand,
		overlay: c.overlayBand,
	}
	c.cubes = c.look.Other.Shape == render.Cube
	for _, style := range c.look.Styles {
		c.cubes = c.cubes || style.Shape == render.Cube
	}
	c.masks = map[face]*image.Alpha{}
	for _, source := range c.look.Images {
		c.pyramids = append(c.pyramids, newPyramid(source))
	}
	c.Resize(options.Width, options.Height)
	return c
}

// Resize makes later frames so many pixels large. It allocates.
func (c *Canvas) Resize(width, height int) {
	c.width, c.height = max(width, 1), max(height, 1)
	c.picture = image.NewRGBA(image.Rect(0, 0, c.width, c.height))
	c.light.resize(c.width, c.height)
	c.exposure.resize(c.width, c.height)
	if c.cubes {
		c.solid.resize(c.width, c.height)
	}
}

// Image returns the picture, which is that of the latest frame between End and Begin.
func (c *Canvas) Image() *image.RGBA { return c.picture }

// Look returns what the canvas draws, complete.
func (c *Canvas) Look() *render.Look { return &c.look }

// Init implements [render.Canvas].
func (c *Canvas) Init() {}

// Begin implements [render.Canvas].
func (c *Canvas) Begin() {
	c.expected = c.ledger.Report().Instances
	c.ledger.Begin()
	c.seeing = false
	c.singles, c.lines = c.singles[:0], c.lines[:0]
	c.queue.Reset()
	c.light.lit, c.solid.drawn = false, false
}

// DrawOne implements [render.Canvas].
func (c *Canvas) DrawOne(_ uint32, position []byte) {
	c.ledger.One()
	c.look.Camera.See(position)
	c.singles = append(c.singles, render.PositionAt(position, 0))
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
	c.batch = batch{positions: positions, n: n}
	if style := c.look.Style(kind); style.Shape == render.Cube {
		c.drawCubes(style)
	} else {
		c.drawDots(style)
	}
	c.batch.positions = nil
}

// DrawLines implements [render.Canvas].
func (c *Canvas) DrawLines(lines []byte) {
	c.ledger.Lines(lines)
	c.lines = append(c.lines, lines[:len(lines)/render.LineBytes*render.LineBytes]...)
}

// DrawSprite implements [render.Canvas].
func (c *Canvas) DrawSprite(sprite render.Sprite) {
	c.ledger.Sprite()
	c.queue.Sprite(sprite)
}

// DrawText implements [render.Canvas].
func (c *Canvas) DrawText(text render.Text) {
	c.ledger.Text(text)
	c.queue.Text(text)
}

// End implements [render.Canvas].
func (c *Canvas) End() (render.Report, error) {
	c.see()
	c.develop()
	c.prepareMarks()
	c.crew.run(c.passes.overlay)
	return c.ledger.Report(), nil
}

// Close ends the goroutines.
func (c *Canvas) Close() error {
	if c.crew != nil {
		c.crew.close()
		c.crew = nil
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

// CountText counts a text that a canvas built on this one draws itself.
func (c *Canvas) CountText(text render.Text) { c.ledger.Text(text) }
