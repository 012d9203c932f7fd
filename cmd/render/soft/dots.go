package soft

import (
	"math"

	"github.com/flatecs/flatecs/cmd/render"
)

// A batch is the set of instances in a pass.
type batch struct {
	positions []byte
	n         int
	size      float32 // pixels at depth 1: diameter or edge
	colour    tint    // in the middle
	change    tint    // from there to the rim
	rim       float32 // 1 / the view's radius squared
	first     bool    // of the frame
	x, y, w   row     // of the view's matrix: world units to pixels times depth, and depth
}

// A row is a row of a matrix, applied to x, y, z and 1.
type row [4]float32

func (r *row) of(p [3]float32) float32 {
	return float32(r[0]*p[0]) + float32(r[1]*p[1]) + float32(r[2]*p[2]) + r[3]
}

// A tint is light: linear red, green and blue.
type tint [3]float32

// aim prepares the batch for a style: the matrix in pixels, and colours as light.
func (c *Canvas) aim(style render.Style) {
	b, m := &c.batch, &c.View.Matrix
	halfW, halfH := float32(c.Width)/2, float32(c.Height)/2
	for i := range 4 {
		w := m[i*4+3]
		b.x[i] = halfW * (m[i*4] + w)
		b.y[i] = halfH * (w - m[i*4+1])
		b.w[i] = w
	}
	b.colour = render.Light(style.Colour)
	rim := render.Light(style.Rim)
	for i := range rim {
		b.change[i] = rim[i] - b.colour[i]
	}
	b.rim = 1 / (c.View.Radius * c.View.Radius)
	b.size = c.Size(style, b.n)
}

// at returns the colour of an instance.
func (b *batch) at(p, centre [3]float32) tint {
	dx, dy, dz := p[0]-centre[0], p[1]-centre[1], p[2]-centre[2]
	t := min((float32(dx*dx)+float32(dy*dy)+float32(dz*dz))*b.rim, 1)
	return tint{
		b.colour[0] + float32(t*b.change[0]),
		b.colour[1] + float32(t*b.change[1]),
		b.colour[2] + float32(t*b.change[2]),
	}
}

// drawDots adds the batch to the light.
func (c *Canvas) drawDots(style render.Style) {
	c.aim(style)
	if !c.light.lit {
		c.light.lit = true
		c.crew.run((*Canvas).clearBand)
	}
	c.crew.run((*Canvas).dotsBand)
}

// A sieve is the dots of a stretch that touch a band.
type sieve struct {
	index [stretch]int32
	y, w  [stretch]float32
}

const stretch = 256 // dots

// dotsBand adds the dots that touch a band's rows.
func (c *Canvas) dotsBand(band int) {
	from, to := c.crew.rows(band, c.Height)
	var s sieve
	for first := 0; first < c.batch.n; first += stretch {
		n := c.sift(&s, first, min(first+stretch, c.batch.n), from, to)
		c.addDots(&s, n, from, to)
	}
}

// sift fills the sieve with the dots from first to last that touch rows from to to, and returns
// their number. It has no branch on the result, because that would be unpredictable for the CPU.
func (c *Canvas) sift(s *sieve, first, last, from, to int) (n int) {
	b := &c.batch
	middle := float32(from+to) / 2
	half := float32(to-from)/2 + largestDot
	for i := first; i < last; i++ {
		p := render.PositionAt(b.positions, i)
		w, y := b.w.of(p), b.y.of(p)
		s.index[n], s.y[n], s.w[n] = int32(i), y, w
		if magnitude(y-float32(middle*w)) < float32(half*w) { // false if w < 0 or NaN
			n++
		}
	}
	return n
}

func magnitude(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// addDots adds the first n dots in the sieve.
func (c *Canvas) addDots(s *sieve, n, from, to int) {
	b, centre := &c.batch, c.View.Centre
	right := float32(c.Width) + largestDot
	for k := range n {
		p := render.PositionAt(b.positions, int(s.index[k]))
		w, x := s.w[k], b.x.of(p)
		if x > -largestDot*w && x < right*w {
			colour, inverse := b.at(p, centre), 1/w
			d := dot{x * inverse, s.y[k] * inverse, b.size * inverse, colour}
			c.light.add(&d, from, to)
		}
	}
}
