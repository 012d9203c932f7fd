package soft

import "math"

// placeLine projects the part of a line that is in front of the camera and on the picture.
func (c *Canvas) placeLine(from, to [3]float32) {
	x0, y0, w0 := c.View.Project(from)
	x1, y1, w1 := c.View.Project(to)
	near := c.Middle * 1e-3
	if !(w0 > near) && !(w1 > near) {
		return
	}
	if t := (near - w0) / (w1 - w0); w0 < near {
		x0, y0, w0 = x0+float32(t*(x1-x0)), y0+float32(t*(y1-y0)), near
	} else if w1 < near {
		x1, y1, w1 = x0+float32(t*(x1-x0)), y0+float32(t*(y1-y0)), near
	}
	halfW, halfH := float32(c.Width)/2, float32(c.Height)/2
	s := segment{(x0/w0 + 1) * halfW, (1 - y0/w0) * halfH, (x1/w1 + 1) * halfW, (1 - y1/w1) * halfH}
	if s.clip(float32(c.Width), float32(c.Height)) {
		c.segments = append(c.segments, s)
	}
}

// clip shortens a segment to a picture and two pixels around it (Liang and Barsky). It returns
// false if nothing is left.
func (s *segment) clip(width, height float32) bool {
	const pad = 2
	dx, dy := s.x1-s.x0, s.y1-s.y0
	first, last := float32(0), float32(1)
	for _, edge := range [4][2]float32{
		{-dx, s.x0 + pad}, {dx, width + pad - s.x0}, {-dy, s.y0 + pad}, {dy, height + pad - s.y0},
	} {
		along, room := edge[0], edge[1]
		switch {
		case along < 0:
			first = max(first, room/along)
		case along > 0:
			last = min(last, room/along)
		case room < 0:
			return false
		}
	}
	if !(first <= last) { // true for NaN, too
		return false
	}
	*s = segment{
		s.x0 + float32(first*dx), s.y0 + float32(first*dy),
		s.x0 + float32(last*dx), s.y0 + float32(last*dy),
	}
	return true
}

// paintLine paints the part of a segment in rows from to to: pixel by pixel along the longer axis,
// and each pixel across by its distance from the line.
func (c *Canvas) paintLine(s *segment, from, to int) {
	half := max(float32(c.Height)/1200, .5)
	ax, ay, bx, by := s.x0, s.y0, s.x1, s.y1
	steep := math.Abs(float64(by-ay)) > math.Abs(float64(bx-ax))
	if steep {
		ax, ay, bx, by = ay, ax, by, bx
	}
	if ax > bx {
		ax, ay, bx, by = bx, by, ax, ay
	}
	slope := float32(0)
	if bx > ax {
		slope = (by - ay) / (bx - ax)
	}
	upright := 1 / float32(math.Sqrt(float64(1+float32(slope*slope)))) // of the distance across
	reach := (half + .5) / upright
	for i := int(math.Floor(float64(ax))); i <= int(bx); i++ {
		along := float32(i) + .5
		middle := ay + float32(slope*(min(max(along, ax), bx)-ax))
		ends := clamp(min(along-ax, bx-along) + 1) // fades the ends
		for j := int(math.Floor(float64(middle - reach))); j <= int(middle+reach); j++ {
			x, y := i, j
			if steep {
				x, y = j, i
			}
			if x < 0 || x >= c.Width || y < from || y >= to {
				continue
			}
			off := float32(math.Abs(float64(float32(j)+.5-middle))) * upright
			alpha := clamp(half+.5-off) * ends * lineAlpha
			blend(c.picture.Pix[y*c.picture.Stride+x*4:][:4], c.Look().Line, alpha)
		}
	}
}
