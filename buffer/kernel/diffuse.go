package kernel

// Diffuse computes cells of a plane after a step of diffusion, in which each cell exchanges a share
// of its value with its four neighbours. src is the whole plane, row by row, width cells each; dst
// is the cells from first on, of the next plane:
//
//	for i := range dst {
//		c, left, right, above, below := src[first+i], …
//		dst[i] = c + rate*((left+right)+(above+below)-4*c)
//	}
//
// Outside the plane, a neighbour is the cell itself or, if wrap is set, the cell on the other side.
// Rates above 0.25 do not converge. It panics if width is less than 1, if src is not whole rows, or
// if the cells of dst are not cells of src. dst and src must not overlap.
func Diffuse(dst, src []float32, first, width int, rate float32, wrap bool) {
	if width < 1 || len(src)%width != 0 || first < 0 || first > len(src)-len(dst) {
		panic(noPlane)
	}
	for len(dst) > 0 {
		y, x := first/width, first%width
		n := min(width-x, len(dst))
		row := src[y*width:][:width]
		above, below := rowAt(src, row, y-1, width, wrap), rowAt(src, row, y+1, width, wrap)
		diffuseRow(dst[:n], row, above, below, x, rate, wrap)
		dst, first = dst[n:], first+n
	}
}

// rowAt returns row y of a plane; outside the plane, row or, with wrap, the row on the other side.
func rowAt(src, row []float32, y, width int, wrap bool) []float32 {
	rows := len(src) / width
	switch {
	case y >= 0 && y < rows:
		return src[y*width:][:width]
	case wrap:
		return src[(y+rows)%rows*width:][:width]
	}
	return row
}

// diffuseRow is Diffuse for the cells from x on of a row between two others.
func diffuseRow(dst, row, above, below []float32, x int, rate float32, wrap bool) {
	left, right := row[0], row[len(row)-1] // beyond the borders
	if wrap {
		left, right = right, left
	}
	last := x + len(dst) - 1
	if x == 0 {
		next := right
		if len(row) > 1 {
			next = row[1]
		}
		dst[0] = spread(row[0], left, next, above[0], below[0], rate)
		dst, x = dst[1:], 1
	}
	if last == len(row)-1 && last >= x {
		dst[len(dst)-1] = spread(row[last], row[last-1], right, above[last], below[last], rate)
		dst = dst[:len(dst)-1]
	}
	n := len(dst)
	if n == 0 {
		return
	}
	before, here, after := row[x-1:][:n], row[x:][:n], row[x+1:][:n]
	above, below = above[x:][:n], below[x:][:n]
	for i := range dst {
		dst[i] = spread(here[i], before[i], after[i], above[i], below[i], rate)
	}
}

func spread(c, left, right, above, below, rate float32) float32 {
	return c + float32(rate*((left+right)+(above+below)-float32(4*c)))
}
