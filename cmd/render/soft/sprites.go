package soft

import (
	"image"
	"image/draw"
	"math"

	"github.com/flatecs/flatecs/cmd/render"
)

// A pyramid is an image and its halves, the halves' halves and so on, so that small sprites
// do not flicker.
type pyramid []*image.RGBA

func newPyramid(full *image.RGBA) pyramid {
	copied := image.NewRGBA(image.Rectangle{Max: full.Rect.Size()})
	draw.Draw(copied, copied.Rect, full, full.Rect.Min, draw.Src)
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

// A stamp is a sprite in pixels: what it can touch, and where on its image a pixel lies.
type stamp struct {
	source                   *image.RGBA
	left, top, right, bottom int        // pixels that it can touch
	u, v                     [3]float32 // place on the image: change per x, per y; at the middle
	middle                   [2]float32 // pixels
	edge                     [2]float32 // pixels per pixel of the image
	turned                   bool
}

// place turns a sprite into a stamp, and says whether it is on the picture.
func (c *Canvas) place(s *render.Sprite) (stamp, bool) {
	if s.Image < 0 || s.Image >= len(c.pyramids) {
		return stamp{}, false
	}
	x0, y0 := c.plane.left+float32(s.X*c.plane.scale), c.plane.top+float32(s.Y*c.plane.scale)
	x1, y1 := x0+float32(s.W*c.plane.scale), y0+float32(s.H*c.plane.scale)
	sin, cos := float32(0), float32(1)
	if s.Angle == 0 { // whole pixels, so that sprites side by side show no seam
		x0, y0, x1, y1 = round(x0), round(y0), round(x1), round(y1)
	} else {
		a, b := math.Sincos(float64(s.Angle))
		sin, cos = float32(a), float32(b)
	}
	w, h := x1-x0, y1-y0
	if !(w > 0) || !(h > 0) || c.pyramids[s.Image][0].Rect.Empty() {
		return stamp{}, false
	}
	t := c.pyramids[s.Image].at(w, h)
	mx, my := (x0+x1)/2, (y0+y1)/2
	reachX := abs(cos)*w/2 + abs(sin)*h/2
	reachY := abs(sin)*w/2 + abs(cos)*h/2
	t.left, t.right = c.cut(mx-reachX, mx+reachX, c.plane.left, c.width)
	t.top, t.bottom = c.cut(my-reachY, my+reachY, c.plane.top, c.height)
	size := t.source.Rect.Size()
	perX, perY := float32(size.X)/w, float32(size.Y)/h
	t.u = [3]float32{cos * perX, sin * perX, float32(size.X) / 2}
	t.v = [3]float32{-sin * perY, cos * perY, float32(size.Y) / 2}
	t.middle = [2]float32{mx, my}
	t.edge = [2]float32{1 / perX, 1 / perY}
	t.turned = s.Angle != 0
	return t, t.left < t.right && t.top < t.bottom
}

// at begins a stamp with the image that is nearest to a size from above.
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

// paintStamp paints what of a stamp lies in rows from to to.
func (c *Canvas) paintStamp(t *stamp, from, to int) {
	size := t.source.Rect.Size()
	w, h := float32(size.X), float32(size.Y)
	for y := max(t.top, from); y < min(t.bottom, to); y++ {
		row := c.picture.Pix[y*c.picture.Stride:][:c.width*4]
		dy := float32(y) + .5 - t.middle[1]
		u0, v0 := t.u[2]+float32(t.u[1]*dy), t.v[2]+float32(t.v[1]*dy)
		for x := t.left; x < t.right; x++ {
			dx := float32(x) + .5 - t.middle[0]
			u, v := u0+float32(t.u[0]*dx), v0+float32(t.v[0]*dx)
			alpha := uint32(256)
			if t.turned { // edges as soft as a pixel
				inside := min(u, w-u)*t.edge[0] + .5
				inside = min(inside, min(v, h-v)*t.edge[1]+.5)
				if inside <= 0 {
					continue
				}
				alpha = uint32(min(inside, 1) * 256)
			}
			t.paint(row[x*4:x*4+4:x*4+4], u, v, alpha)
		}
	}
}

// paint paints the image at u, v over a pixel, between its four nearest pixels.
func (t *stamp) paint(p []uint8, u, v float32, alpha uint32) {
	size := t.source.Rect.Max
	// Off the image, the pixels at its edge go on.
	fu, fv := max(u-.5, 0), max(v-.5, 0)
	x, y := min(int(fu), size.X-1), min(int(fv), size.Y-1)
	ax, ay := uint32((fu-float32(x))*256), uint32((fv-float32(y))*256)
	next, below := 4, t.source.Stride
	if x+1 >= size.X {
		next, ax = 0, 0
	}
	if y+1 >= size.Y {
		below, ay = 0, 0
	}
	at := y*t.source.Stride + x*4
	pix := t.source.Pix
	a, b := pix[at:at+4:at+4], pix[at+next:at+next+4:at+next+4]
	d, e := pix[at+below:at+below+4:at+below+4], pix[at+below+next:at+below+next+4:at+below+next+4]
	var mix [4]uint32
	for i := range 4 {
		upper := uint32(a[i])*(256-ax) + uint32(b[i])*ax
		lower := uint32(d[i])*(256-ax) + uint32(e[i])*ax
		mix[i] = (upper*(256-ay) + lower*ay) >> 8 * alpha >> 8 // 8.8 fixed point
	}
	rest := 255<<8 - mix[3]
	for i := range 3 {
		p[i] = uint8(min((mix[i]+uint32(p[i])*rest/255+128)>>8, 255))
	}
}

func round(x float32) float32 { return float32(math.Round(float64(x))) }

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }
