package soft

import (
	"image"
	"image/color"
	"math"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/glyph"
)

const shifts = 4 // places within a pixel that letters are drawn at

// A face is what a drawn letter depends on.
type face struct {
	letter        rune
	size, stretch uint16 // quarters of a pixel; 1/64
	shift         uint8
	more          uint8 // quarters of a pixel, that strokes are wider to each side
}

// A setting is a letter of a text at its place.
type setting struct {
	mask   *image.Alpha
	x, y   int // pixels
	colour color.RGBA
}

// set lays out a text, and draws letters that were not drawn before.
func (c *Canvas) set(t *render.Text) (first, last int) {
	first = len(c.settings)
	size := float32(t.Size * c.plane.scale)
	if !(size >= 1) || size > float32(4*c.height) {
		return first, first
	}
	stretch := float32(1)
	if wide := glyph.Width(t.Text) * t.Size; t.MaxWidth > 0 && wide > t.MaxWidth {
		stretch = t.MaxWidth / wide
	}
	if t.Outline.A > 0 {
		c.setIn(t, size, stretch, t.Outline, uint8(min(size*4*render.OutlineWidth+1, 255)))
	}
	c.setIn(t, size, stretch, t.Colour, 0)
	return first, len(c.settings)
}

// setIn lays out a text in a colour, with strokes as much wider as faces tell.
func (c *Canvas) setIn(t *render.Text, size, stretch float32, colour color.RGBA, more uint8) {
	x, y := c.plane.left+float32(t.X*c.plane.scale), round(c.plane.top+float32(t.Y*c.plane.scale))
	for _, r := range t.Text {
		whole := float32(math.Floor(float64(x)))
		c.settings = append(c.settings, setting{c.mask(face{
			r, uint16(size * 4), uint16(stretch * 64), uint8((x - whole) * shifts), more,
		}), int(whole), int(y), colour})
		x += glyph.Advance(r) * size * stretch
	}
}

// mask returns a drawn letter.
func (c *Canvas) mask(f face) *image.Alpha {
	m, ok := c.masks[f]
	if !ok {
		m = glyph.Draw(f.letter, float32(f.size)/4, float32(f.stretch)/64,
			(float32(f.shift)+.5)/shifts, float32(f.more)/4)
		c.masks[f] = m
	}
	return m
}

// paintLetter paints what of a letter lies in rows from to to.
func (c *Canvas) paintLetter(s *setting, from, to int) {
	area := s.mask.Rect.Add(image.Pt(s.x, s.y)).Intersect(image.Rect(0, from, c.width, to))
	for y := area.Min.Y; y < area.Max.Y; y++ {
		dark := s.mask.Pix[s.mask.PixOffset(area.Min.X-s.x, y-s.y):][:area.Dx()]
		row := c.picture.Pix[y*c.picture.Stride+area.Min.X*4:][:area.Dx()*4]
		for i, a := range dark {
			if a > 0 {
				alpha := float32(int(a)*int(s.colour.A)) / (255 * 255)
				blend(row[i*4:i*4+4], s.colour, alpha)
			}
		}
	}
}
