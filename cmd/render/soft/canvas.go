package soft

import (
	"image"
	"runtime"

	"github.com/flatecs/flatecs/cmd/render"
)

// Options configure a canvas.
type Options struct {
	Width, Height int // pixels; at least 1
	Bands         int // goroutines that draw; 0: GOMAXPROCS
}

// A Canvas draws pictures. Once its lists have grown, frames allocate nothing.
type Canvas struct {
	render.Frame
	picture *image.RGBA
	crew    *crew

	light    light
	exposure exposure
	tone     *toneCurve
	solid    solid
	cubes    bool // a style has cubes
	orbs     []orb
	segments []segment
	plane    render.Plane
	pyramids []pyramid
	marks    []mark
	settings []setting
	masks    map[render.Face]*image.Alpha

	batch batch // the instances being drawn
}

var _ render.Canvas = (*Canvas)(nil)

// New returns a canvas that draws what look declares.
func New(look render.Look, options Options) *Canvas {
	bands := options.Bands
	if bands <= 0 {
		bands = runtime.GOMAXPROCS(0)
	}
	c := &Canvas{Frame: render.NewFrame(look), tone: newToneCurve()}
	c.crew = newCrew(c, bands)
	c.cubes = c.Look().HasCubes()
	c.masks = map[render.Face]*image.Alpha{}
	for _, source := range c.Look().Images {
		c.pyramids = append(c.pyramids, newPyramid(source))
	}
	c.Resize(options.Width, options.Height)
	return c
}

// Resize sets the size of later frames in pixels. It allocates.
func (c *Canvas) Resize(width, height int) {
	c.Width, c.Height = max(width, 1), max(height, 1)
	c.picture = image.NewRGBA(image.Rect(0, 0, c.Width, c.Height))
	c.light.resize(c.Width, c.Height)
	c.exposure.resize(c.Width, c.Height)
	if c.cubes {
		c.solid.resize(c.Width, c.Height)
	}
}

// Image returns the picture, which contains the latest frame between End and Begin.
func (c *Canvas) Image() *image.RGBA { return c.picture }

// Begin implements [render.Canvas].
func (c *Canvas) Begin() {
	c.Frame.Begin()
	c.light.lit, c.solid.drawn = false, false
}

// DrawInstances implements [render.Canvas].
func (c *Canvas) DrawInstances(kind string, positions []byte) {
	n := c.Instances(kind, positions)
	if n == 0 {
		return
	}
	c.batch = batch{positions: positions, n: n}
	if style := c.Look().Style(kind); style.Shape == render.Cube {
		c.drawCubes(style)
	} else {
		c.drawDots(style)
	}
	c.batch.positions = nil
}

// End implements [render.Canvas].
func (c *Canvas) End() (render.Report, error) {
	c.Focus()
	c.develop()
	c.prepareMarks()
	c.crew.run((*Canvas).overlayBand)
	return c.Report(), nil
}

// Close ends the goroutines.
func (c *Canvas) Close() error {
	if c.crew != nil {
		c.crew.close()
		c.crew = nil
	}
	return nil
}
