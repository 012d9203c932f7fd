package render

import (
	"image/color"
	"math"
)

// A Plane is the position of the plane of sprites and texts on a picture.
type Plane struct {
	Scale     float32 // pixels per plane unit
	Left, Top float32 // pixel of its top left corner
}

// Plane returns the position of the plane of sprites and texts on a picture: centred, with its
// proportions.
func (l *Look) Plane(width, height int) Plane {
	if l.W <= 0 || l.H <= 0 {
		return Plane{Scale: 1}
	}
	w, h := float32(width), float32(height)
	scale := min(w/l.W, h/l.H)
	return Plane{scale, (w - float32(scale*l.W)) / 2, (h - float32(scale*l.H)) / 2}
}

// Edges returns a sprite's edges before its turn, in pixels. The edges of an upright sprite are
// integers, so that adjacent sprites show no seam.
func (p *Plane) Edges(s *Sprite) (left, top, right, bottom float32) {
	left, top = p.Left+float32(s.X*p.Scale), p.Top+float32(s.Y*p.Scale)
	right, bottom = left+float32(s.W*p.Scale), top+float32(s.H*p.Scale)
	if s.Angle == 0 {
		return round(left), round(top), round(right), round(bottom)
	}
	return left, top, right, bottom
}

// Letters calls draw for each letter of a text, with the pixel of its origin on the baseline; for a
// text with an outline, it calls draw for all outlines first. It does not draw texts smaller than a
// pixel, or larger than a few pictures height pixels high.
func (p *Plane) Letters(t *Text, height int, draw func(f Face, x, y int, colour color.RGBA)) {
	const outlineWidth = .09 // width of outlines, as a fraction of the text's size
	size := float32(t.Size * p.Scale)
	if !(size >= 1) || size > float32(4*height) {
		return
	}
	stretch := float32(1)
	if wide := TextWidth(t.Text) * t.Size; t.MaxWidth > 0 && wide > t.MaxWidth {
		stretch = t.MaxWidth / wide
	}
	set := func(colour color.RGBA, more uint8) {
		x, y := p.Left+float32(t.X*p.Scale), int(round(p.Top+float32(t.Y*p.Scale)))
		for _, r := range t.Text {
			whole := float32(math.Floor(float64(x)))
			draw(NewFace(r, size, stretch, x-whole, more), int(whole), y, colour)
			x += advance(r) * size * stretch
		}
	}
	if t.Outline.A > 0 {
		set(t.Outline, uint8(min(size*4*outlineWidth+1, 255)))
	}
	set(t.Colour, 0)
}

func round(x float32) float32 { return float32(math.Round(float64(x))) }
