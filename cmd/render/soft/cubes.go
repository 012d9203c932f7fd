package soft

import (
	"math"

	"github.com/flatecs/flatecs/cmd/render"
)

const (
	fine   = 2   // samples per pixel, each way
	fog    = .45 // fraction of the sky's colour at the farthest point
	gammas = 512 // steps of the table from light to colours
)

// A solid is a buffer for opaque surfaces: samples with a colour and a depth.
type solid struct {
	width, height int // samples
	colours       []uint32
	nearness      []float32 // 1 / depth; 0: empty
	drawn         bool      // something was drawn this frame
	gamma         [gammas + 1]uint8
}

// A cubeFace is four corners of a cube, clockwise on the picture when seen from outside.
type cubeFace struct {
	corners [4]uint8 // bits x, y, z: the corner is at the far end of the axis
	shade   float32  // light from above and one side
}

var cubeFaces = [6]cubeFace{
	{[4]uint8{1, 3, 7, 5}, .36}, // +x
	{[4]uint8{0, 4, 6, 2}, .2},  // -x
	{[4]uint8{2, 6, 7, 3}, 1},   // +y
	{[4]uint8{0, 1, 5, 4}, .08}, // -y
	{[4]uint8{4, 5, 7, 6}, .56}, // +z
	{[4]uint8{0, 2, 3, 1}, .12}, // -z
}

func (s *solid) resize(width, height int) {
	s.width, s.height = width*fine, height*fine
	s.colours = make([]uint32, s.width*s.height)
	s.nearness = make([]float32, s.width*s.height)
	for i := range s.gamma {
		s.gamma[i] = uint8(math.Round(255 * math.Pow(float64(i)/gammas, 1/2.2)))
	}
}

// drawCubes draws the batch as cubes.
func (c *Canvas) drawCubes(style render.Style) {
	c.aim(style)
	c.batch.first, c.solid.drawn = !c.solid.drawn, true
	c.crew.run((*Canvas).cubesBand)
}

// A corner is a place on the picture in samples, and 1 / depth.
type corner struct{ x, y, near float32 }

// cubesBand draws the part of the cubes in a band's rows.
func (c *Canvas) cubesBand(band int) {
	from, to := c.crew.rows(band, c.Height)
	from, to = from*fine, to*fine
	b, s := &c.batch, &c.solid
	if b.first {
		clear(s.nearness[from*s.width : to*s.width])
	}
	half := b.size / (c.View.Scale * float32(c.Height)) // world units
	near := c.Middle * 1e-2
	var corners [8]corner
	for i := range b.n {
		p := render.PositionAt(b.positions, i)
		low, high := float32(math.Inf(1)), float32(math.Inf(-1))
		seen := true
		for k := range corners {
			q := p
			for axis := range q {
				q[axis] += half * float32(k>>axis&1*2-1)
			}
			w := b.w.of(q)
			if !(w > near) {
				seen = false
				break
			}
			x := b.x.of(q)
			y := b.y.of(q)
			corners[k] = corner{fine * x / w, fine * y / w, 1 / w}
			low, high = min(low, corners[k].y), max(high, corners[k].y)
		}
		if seen && high >= float32(from) && low < float32(to) {
			c.drawCube(&corners, p, from, to)
		}
	}
}

// drawCube draws the visible faces of a cube.
func (c *Canvas) drawCube(corners *[8]corner, at [3]float32, from, to int) {
	colour := c.batch.at(at, c.View.Centre)
	depth := 2 / (corners[0].near + corners[7].near)
	far := clamp(.5+(depth-c.Middle)/(2*c.View.Radius)) * fog
	for i := range cubeFaces {
		f := &cubeFaces[i]
		p := [4]corner{
			corners[f.corners[0]], corners[f.corners[1]],
			corners[f.corners[2]], corners[f.corners[3]],
		}
		ax, ay, bx, by := p[2].x-p[0].x, p[2].y-p[0].y, p[3].x-p[1].x, p[3].y-p[1].y
		if area := float32(ax*by) - float32(ay*bx); area < 0 {
			c.solid.fill(&p, c.paint(colour, f.shade, far), from, to)
		}
	}
}

// paint returns a colour with shade and fog, packed like the picture's bytes.
func (c *Canvas) paint(colour tint, shade, far float32) uint32 {
	var p [4]uint8
	for i := range colour {
		p[i] = c.solid.gamma[int(clamp(colour[i]*shade)*gammas)]
	}
	blend(p[:], c.Look().Sky[0], far)
	return uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16
}

// fill draws a convex face where it is nearest. Samples on an edge between two faces belong to one
// of them.
func (s *solid) fill(p *[4]corner, colour uint32, from, to int) {
	low, high := p[0].y, p[0].y
	for _, q := range p[1:] {
		low, high = min(low, q.y), max(high, q.y)
	}
	first, last := max(int(low+.5), from), min(int(high+.5), to)
	if low < 0 {
		first = from
	}
	near, perX, perY := slopes(p)
	for y := first; y < last; y++ {
		middle := float32(y) + .5
		left, right := float32(math.Inf(1)), float32(math.Inf(-1))
		for i := range p {
			a, b := &p[i], &p[(i+1)&3]
			if a.y > b.y {
				a, b = b, a // the same arithmetic for both faces of an edge
			}
			if a.y <= middle && middle < b.y {
				x := a.x + float32((b.x-a.x)*((middle-a.y)/(b.y-a.y)))
				left, right = min(left, x), max(right, x)
			}
		}
		left, right = max(left, 0), min(right, float32(s.width))
		if !(left < right) { // beside the picture, or between two rows
			continue
		}
		x0, x1 := int(left+.5), int(right+.5)
		if x0 == x1 {
			continue
		}
		depth := near + float32(perY*middle) + float32(perX*(float32(x0)+.5))
		colours := s.colours[y*s.width+x0:][:x1-x0]
		nearness := s.nearness[y*s.width+x0:][:len(colours)]
		for i := range nearness {
			if depth > nearness[i] {
				nearness[i], colours[i] = depth, colour
			}
			depth += perX
		}
	}
}

// slopes returns the plane of nearness: its value at 0, 0, and its change per sample.
func slopes(p *[4]corner) (at, perX, perY float32) {
	ax, ay, an := p[2].x-p[0].x, p[2].y-p[0].y, p[2].near-p[0].near
	bx, by, bn := p[3].x-p[1].x, p[3].y-p[1].y, p[3].near-p[1].near
	area := float32(ax*by) - float32(ay*bx)
	perX = (float32(an*by) - float32(ay*bn)) / area
	perY = (float32(ax*bn) - float32(an*bx)) / area
	return p[0].near - float32(perX*p[0].x) - float32(perY*p[0].y), perX, perY
}

// resolve paints the cubes of a row of pixels over the sky.
func (s *solid) resolve(row []uint8, y int) {
	n := s.width / fine
	for x := range n {
		var sum [3]uint32
		sky := uint32(0)
		for dy := range fine {
			at := (y*fine+dy)*s.width + x*fine
			for dx := range fine {
				if s.nearness[at+dx] == 0 {
					sky++
					continue
				}
				colour := s.colours[at+dx]
				sum[0] += colour & 255
				sum[1] += colour >> 8 & 255
				sum[2] += colour >> 16
			}
		}
		if sky < fine*fine {
			p := row[x*4 : x*4+3 : x*4+3]
			for i := range p {
				p[i] = uint8((sum[i] + sky*uint32(p[i])) / (fine * fine))
			}
		}
	}
}
