package soft

import (
	"image"
	"image/color"

	"github.com/flatecs/flatecs/cmd/render"
)

// A setting is a letter at its place.
type setting struct {
	mask   *image.Alpha
	x, y   int // pixels
	colour color.RGBA
}

// set lays out a text, and draws letters that are not cached.
func (c *Canvas) set(t *render.Text) (first, last int) {
	first = len(c.settings)
	c.plane.Letters(t, c.Height, func(f render.Face, x, y int, colour color.RGBA) {
		mask, ok := c.masks[f]
		if !ok {
			mask = f.Draw()
			c.masks[f] = mask
		}
		c.settings = append(c.settings, setting{mask, x, y, colour})
	})
	return first, len(c.settings)
}

// paintLetter paints the part of a letter in rows from to to.
func (c *Canvas) paintLetter(s *setting, from, to int) {
	area := s.mask.Rect.Add(image.Pt(s.x, s.y)).Intersect(image.Rect(0, from, c.Width, to))
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
