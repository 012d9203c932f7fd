package soft

import (
	"image/color"
	"math"

	"github.com/flatecs/flatecs/cmd/render"
)

// An orb is a single object in pixels.
type orb struct{ x, y, radius float32 }

// A segment is a line in pixels, on the picture or within a pixel of it.
type segment struct{ x0, y0, x1, y1 float32 }

// A mark is a sprite or a text in pixels.
type mark struct {
	stamp       stamp
	text        *render.Text // nil: a sprite
	first, last int          // its letters in the settings
}

const (
	haloReach = 3.2 // radii
	lineAlpha = .85
)

// prepareMarks computes what the overlay's bands share: places in pixels, and letters.
func (c *Canvas) prepareMarks() {
	c.placeOrbs()
	c.segments = c.segments[:0]
	for at := 0; at < len(c.Lines); at += render.LineBytes {
		ends := c.Lines[at:][:render.LineBytes]
		c.placeLine(render.PositionAt(ends, 0), render.PositionAt(ends, 1))
	}
	c.placeMarks()
}

// placeMarks converts sprites and texts to pixels, in drawing order.
func (c *Canvas) placeMarks() {
	c.plane = c.Look().Plane(c.Width, c.Height)
	c.marks, c.settings = c.marks[:0], c.settings[:0]
	for i := range c.Over.Marks() {
		m := &c.Over.Marks()[i]
		if m.Text.Text != "" {
			first, last := c.set(&m.Text)
			c.marks = append(c.marks, mark{text: &m.Text, first: first, last: last})
		} else if t, ok := c.place(&m.Sprite); ok {
			c.marks = append(c.marks, mark{stamp: t})
		}
	}
}

// overlayBand paints a band's rows of everything that covers the light.
func (c *Canvas) overlayBand(band int) {
	from, to := c.crew.rows(band, c.Height)
	for i := range c.segments {
		c.paintLine(&c.segments[i], from, to)
	}
	for i := range c.orbs {
		c.paintOrb(&c.orbs[i], from, to)
	}
	for y := from; y < to && c.Look().Margin.A > 0; y++ {
		c.paintMargin(c.picture.Pix[y*c.picture.Stride:][:c.Width*4], y)
	}
	for i := range c.marks {
		m := &c.marks[i]
		if m.text == nil {
			c.paintStamp(&m.stamp, from, to)
		}
		for j := m.first; j < m.last; j++ {
			c.paintLetter(&c.settings[j], from, to)
		}
	}
}

// placeOrbs projects the single objects.
func (c *Canvas) placeOrbs() {
	c.orbs = c.orbs[:0]
	halfW, halfH := float32(c.Width)/2, float32(c.Height)/2
	size := c.SingleSize()
	c.SortSingles()
	for _, s := range c.Singles {
		x, y, w := c.View.Project(s.At)
		o := orb{(x/w + 1) * halfW, (1 - y/w) * halfH, max(size/w, .5)}
		if c.shows(&o) {
			c.orbs = append(c.orbs, o)
		}
	}
}

// shows reports whether an orb may be visible.
func (c *Canvas) shows(o *orb) bool {
	reach := o.radius * haloReach
	return o.x+reach > 0 && o.x-reach < float32(c.Width) &&
		o.y+reach > 0 && o.y-reach < float32(c.Height) && o.radius < float32(c.Width+c.Height)
}

// paintOrb paints a bright ball with a halo, and with a dark rim that separates it from a bright
// background.
func (c *Canvas) paintOrb(o *orb, from, to int) {
	reach := o.radius * haloReach
	left, right := max(int(o.x-reach), 0), min(int(o.x+reach)+1, c.Width)
	for y := max(int(o.y-reach), from); y < min(int(o.y+reach)+1, to); y++ {
		dy := float32(y) + .5 - o.y
		row := c.picture.Pix[y*c.picture.Stride:][:c.Width*4]
		for x := left; x < right; x++ {
			dx := float32(x) + .5 - o.x
			if square := float32(dx*dx) + float32(dy*dy); square < reach*reach {
				c.paintOrbAt(row[x*4:x*4+4:x*4+4], o, float32(math.Sqrt(float64(square))))
			}
		}
	}
}

// paintOrbAt paints a pixel of an orb at a distance from its middle.
func (c *Canvas) paintOrbAt(p []uint8, o *orb, far float32) {
	colour := c.Look().Single.Colour
	rim := o.radius + max(o.radius*.3, min(o.radius, 1))
	ball := clamp(o.radius + .5 - far)
	if ball < 1 {
		halo := 1 - far/(o.radius*haloReach)
		screen(p, colour, float32(halo*halo)*.55)
		if far < rim+.5 {
			blend(p, c.Look().Sky[1], .7*(clamp(rim+.5-far)-ball))
		}
	}
	if ball > 0 {
		q := far / o.radius
		blend(p, whiter(colour, .85*clamp(1-float32(q*q))), ball)
	}
}

// whiter returns a colour nearer to white.
func whiter(c color.RGBA, t float32) color.RGBA {
	mix := func(a uint8) uint8 { return a + uint8(float32(255-a)*t) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// blend paints a colour over a pixel; alpha from 0 to 1.
func blend(p []uint8, c color.RGBA, alpha float32) {
	a := int(alpha * 256)
	p[0] += uint8((int(c.R) - int(p[0])) * a >> 8)
	p[1] += uint8((int(c.G) - int(p[1])) * a >> 8)
	p[2] += uint8((int(c.B) - int(p[2])) * a >> 8)
}

// screen adds a colour to a pixel, up to white.
func screen(p []uint8, c color.RGBA, alpha float32) {
	a := int(alpha * 256)
	p[0] += uint8((255 - int(p[0])) * int(c.R) * a >> 16)
	p[1] += uint8((255 - int(p[1])) * int(c.G) * a >> 16)
	p[2] += uint8((255 - int(p[2])) * int(c.B) * a >> 16)
}

func clamp(x float32) float32 { return max(min(x, 1), 0) }
