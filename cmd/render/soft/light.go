package soft

import "math"

const (
	largestDot = 8   // radius, pixels
	phases     = 4   // subpixel positions of kernels, in each direction
	kernelled  = 1.5 // diameter from which kernels are used; smaller dots take four pixels
	radii      = 4   // kernels per pixel of radius
)

// A light is the brightness of each pixel, without limit.
type light struct {
	width, height int
	sums          []float32 // r, g, b per pixel
	lit           bool      // something was added this frame
	kernels       [largestDot * radii][phases * phases]kernel
}

// A kernel is the share of a disc on each pixel around its centre; the sum is 1.
type kernel struct {
	left, top, side int // pixels; left and top are relative to the centre pixel
	share           []float32
}

// A dot is a dot to be added, in pixels and light.
type dot struct {
	x, y, size float32
	tint
}

func (l *light) resize(width, height int) {
	l.width, l.height = width, height
	l.sums = make([]float32, width*height*3)
	if l.kernels[0][0].share == nil {
		l.makeKernels()
	}
}

func (l *light) makeKernels() {
	for size := range l.kernels {
		for phase := range l.kernels[size] {
			x, y := phase%phases, phase/phases
			l.kernels[size][phase] = newKernel(float64(size+1)/radii,
				(float64(x)+.5)/phases, (float64(y)+.5)/phases)
		}
	}
}

// newKernel returns a disc that is bright in its middle and soft at its rim; x, y is its centre
// within the central pixel.
func newKernel(radius, x, y float64) kernel {
	reach := radius + .5
	left, top := int(math.Floor(x-reach+.5)), int(math.Floor(y-reach+.5))
	side := max(int(math.Ceil(x+reach-.5))-left, int(math.Ceil(y+reach-.5))-top)
	k := kernel{left, top, side, make([]float32, side*side)}
	for i := range k.share {
		dx, dy := float64(left+i%side)+.5-x, float64(top+i/side)+.5-y
		if far := math.Hypot(dx, dy) / reach; far < 1 {
			k.share[i] = float32((1 - far*far) * (1 - far*far))
		}
	}
	return k
}

// add adds the part of a dot in rows from to to.
func (l *light) add(d *dot, from, to int) {
	if d.size < kernelled {
		l.addSmall(d, from, to)
		return
	}
	px, py := int(math.Floor(float64(d.x))), int(math.Floor(float64(d.y)))
	size := min(int(d.size/2*radii), len(l.kernels)) - 1
	phase := int((d.y-float32(py))*phases)*phases + int((d.x-float32(px))*phases)
	k := &l.kernels[max(size, 0)][phase&(phases*phases-1)]
	px, py = px+k.left, py+k.top
	left, right := max(px, 0), min(px+k.side, l.width)
	if left >= right {
		return
	}
	for y := max(py, from); y < min(py+k.side, to); y++ {
		share := k.share[(y-py)*k.side+left-px:][:right-left]
		row := l.sums[(y*l.width+left)*3:][:len(share)*3]
		for i, a := range share {
			at := row[i*3 : i*3+3 : i*3+3]
			at[0] += float32(a * d.tint[0])
			at[1] += float32(a * d.tint[1])
			at[2] += float32(a * d.tint[2])
		}
	}
}

// addSmall distributes the light among the four pixels around the dot.
func (l *light) addSmall(d *dot, from, to int) {
	x, y := d.x-.5, d.y-.5
	px, py := int(x+1)-1, int(y+1)-1 // rounded down; x, y > -1 or off the picture
	fx, fy := x-float32(px), y-float32(py)
	if x <= -1 || px >= l.width {
		return
	}
	far := d.size/2 + .5
	energy := float32(far*far) * (math.Pi / 3) // the sum of a kernel
	for line := range 2 {
		share := energy * fy
		if line == 0 {
			share = energy - share
		}
		at := py + line
		if at < from || at >= to {
			continue
		}
		right := float32(share * fx)
		left := share - right
		sums := l.sums[at*l.width*3:][:l.width*3]
		if px >= 0 {
			s := sums[px*3:][:3]
			s[0] += float32(left * d.tint[0])
			s[1] += float32(left * d.tint[1])
			s[2] += float32(left * d.tint[2])
		}
		if px+1 < l.width {
			s := sums[px*3+3:][:3]
			s[0] += float32(right * d.tint[0])
			s[1] += float32(right * d.tint[1])
			s[2] += float32(right * d.tint[2])
		}
	}
}
