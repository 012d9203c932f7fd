package soft

import (
	"encoding/binary"
	"image"
	"math"

	"github.com/flatecs/flatecs/cmd/render"
)

// A pyramid is an image and its halves, the halves' halves and so on, so that small sprites
// do not flicker.
type pyramid []*image.RGBA

func newPyramid(full *image.RGBA) pyramid {
	size := full.Rect.Size()
	copied := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		copy(copied.Pix[y*copied.Stride:][:copied.Stride], full.Pix[y*full.Stride:])
	}
	p := pyramid{copied}
	for {
		size := p[len(p)-1].Rect.Size()
		if size.X <= 1 && size.Y <= 1 || size.X == 0 || size.Y == 0 {
			return p
		}
		p = append(p, halve(p[len(p)-1]))
	}
}

// halve returns an image half as large, each pixel the mean of four.
func halve(src *image.RGBA) *image.RGBA {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dst := image.NewRGBA(image.Rect(0, 0, (w+1)/2, (h+1)/2))
	for y := range dst.Rect.Dy() {
		for x := range dst.Rect.Dx() {
			x1, y1 := min(2*x+1, w-1), min(2*y+1, h-1)
			a, b := src.Pix[2*y*src.Stride+2*x*4:], src.Pix[2*y*src.Stride+x1*4:]
			c, d := src.Pix[y1*src.Stride+2*x*4:], src.Pix[y1*src.Stride+x1*4:]
			for channel := range 4 {
				sum := int(a[channel]) + int(b[channel]) + int(c[channel]) + int(d[channel])
				dst.Pix[y*dst.Stride+x*4+channel] = uint8((sum + 2) / 4)
			}
		}
	}
	return dst
}

// A stamp is a sprite in pixels: its range, and the mapping from pixels to its image.
type stamp struct {
	source                   *image.RGBA
	left, top, right, bottom int        // pixels that it can touch
	u, v                     [3]float32 // place on the image: change per x, per y; at the middle
	middle                   [2]float32 // pixels
	edge                     [2]float32 // pixels per pixel of the image
	turned                   bool
}

// place converts a sprite to a stamp. It returns false if the sprite is not on the picture.
func (c *Canvas) place(s *render.Sprite) (stamp, bool) {
	if s.Image < 0 || s.Image >= len(c.pyramids) {
		return stamp{}, false
	}
	x0, y0, x1, y1 := c.plane.Edges(s)
	a, b := math.Sincos(float64(s.Angle))
	sin, cos := float32(a), float32(b)
	w, h := x1-x0, y1-y0
	if !(w > 0) || !(h > 0) || c.pyramids[s.Image][0].Rect.Empty() {
		return stamp{}, false
	}
	t := c.pyramids[s.Image].at(w, h)
	mx, my := (x0+x1)/2, (y0+y1)/2
	reachX := abs(cos)*w/2 + abs(sin)*h/2
	reachY := abs(sin)*w/2 + abs(cos)*h/2
	t.left, t.right = c.cut(mx-reachX, mx+reachX, c.plane.Left, c.Width)
	t.top, t.bottom = c.cut(my-reachY, my+reachY, c.plane.Top, c.Height)
	size := t.source.Rect.Size()
	perX, perY := float32(size.X)/w, float32(size.Y)/h
	t.u = [3]float32{cos * perX, sin * perX, float32(size.X) / 2}
	t.v = [3]float32{-sin * perY, cos * perY, float32(size.Y) / 2}
	t.middle = [2]float32{mx, my}
	t.edge = [2]float32{1 / perX, 1 / perY}
	t.turned = s.Angle != 0
	return t, t.left < t.right && t.top < t.bottom
}

// at returns a stamp with the smallest image that is at least w × h.
func (p pyramid) at(w, h float32) stamp {
	level := 0
	for level+1 < len(p) && float32(p[level+1].Rect.Dx()) >= w &&
		float32(p[level+1].Rect.Dy()) >= h {
		level++
	}
	return stamp{source: p[level]}
}

// cut returns the whole pixels around from and to, within a plane that begins at edge on a picture
// size pixels long, and has the same margin at its end.
func (c *Canvas) cut(from, to, edge float32, size int) (int, int) {
	low, high := round(edge), float32(size)-round(edge)
	from, to = max(from, low), min(to, high)
	if !(from < to) {
		return 0, 0
	}
	return int(from), int(math.Ceil(float64(to)))
}

// paintStamp paints the part of a stamp in rows from to to.
func (c *Canvas) paintStamp(t *stamp, from, to int) {
	for y := max(t.top, from); y < min(t.bottom, to); y++ {
		row := c.picture.Pix[y*c.picture.Stride:][:c.Width*4]
		dx, dy := float32(t.left)+.5-t.middle[0], float32(y)+.5-t.middle[1]
		u := t.u[2] + float32(t.u[0]*dx) + float32(t.u[1]*dy)
		v := t.v[2] + float32(t.v[0]*dx) + float32(t.v[1]*dy)
		t.paintRow(row[t.left*4:t.right*4], u, v)
	}
}

const (
	one  = 1 << 16  // of places on an image, in fixed point
	even = 0xff00ff // two of a pixel's four values
)

// paintRow paints pixels. The first of them is at u, v on the image.
func (t *stamp) paintRow(row []uint8, u, v float32) {
	size := t.source.Rect.Max
	fu, fv := int(float64(u)*one), int(float64(v)*one)
	du, dv := int(float64(t.u[0])*one), int(float64(t.v[0])*one)
	for at := 0; at < len(row); at += 4 {
		alpha := uint32(256)
		if t.turned { // soft edges
			if alpha = t.inside(fu, fv); alpha == 0 {
				fu, fv = fu+du, fv+dv
				continue
			}
		}
		// A pixel's place is its centre; beyond the image, the edge pixels continue.
		x, ax := nearest(fu-one/2, size.X)
		y, ay := nearest(fv-one/2, size.Y)
		if mixed := t.between(x, y, ax, ay); mixed != 0 {
			if alpha < 256 {
				mixed = mix(0, mixed, alpha)
			}
			p := row[at : at+4 : at+4]
			binary.LittleEndian.PutUint32(p, over(binary.LittleEndian.Uint32(p), mixed))
		}
		fu, fv = fu+du, fv+dv
	}
}

// inside returns the part of a pixel that is on the image, from 0 to 256.
func (t *stamp) inside(fu, fv int) uint32 {
	size := t.source.Rect.Max
	x := float32(min(fu, size.X*one-fu)) * t.edge[0]
	y := float32(min(fv, size.Y*one-fv)) * t.edge[1]
	return uint32(clamp(min(x, y)/one+.5) * 256)
}

// nearest returns the last pixel before a place along an image, and the distance from there to the
// place, in 1/256.
func nearest(place, size int) (at int, share uint32) {
	if at = place >> 16; at < 0 {
		return 0, 0
	}
	if at >= size-1 {
		return size - 1, 0
	}
	return at, uint32(place>>8) & 255
}

// between interpolates the image's colour between four pixels.
func (t *stamp) between(x, y int, ax, ay uint32) uint32 {
	line := t.source.Pix[y*t.source.Stride+x*4:]
	c := binary.LittleEndian.Uint32(line)
	if ax != 0 {
		c = mix(c, binary.LittleEndian.Uint32(line[4:]), ax)
	}
	if ay == 0 {
		return c
	}
	line = line[t.source.Stride:]
	below := binary.LittleEndian.Uint32(line)
	if ax != 0 {
		below = mix(below, binary.LittleEndian.Uint32(line[4:]), ax)
	}
	return mix(c, below, ay)
}

// mix interpolates between a and b, two components at once; t is in 1/256.
func mix(a, b, t uint32) uint32 {
	low := (a&even)*(256-t) + (b&even)*t
	high := (a>>8&even)*(256-t) + (b>>8&even)*t
	return low>>8&even | high&^uint32(even)
}

// over blends a colour with alpha over a pixel.
func over(below, c uint32) uint32 {
	rest := 256 - (c>>24 + c>>31)
	if rest == 0 {
		return c
	}
	const half = 0x800080
	low := (below&even*rest + half) >> 8 & even
	high := (below>>8&even*rest + half) &^ even
	return c + (low | high) | 255<<24
}

func round(x float32) float32 { return float32(math.Round(float64(x))) }

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }
