package render

import "math"

const (
	fieldOfView = 40 * math.Pi / 180 // vertical
	nearest     = 1e-3               // fraction of the distance; GPUs need it for depth
	farthest    = 1e2
	margin      = 1.06 // space around the fitted objects
	outliers    = 2.4  // standard deviations from the mean; no uniform value is beyond
	sampled     = 4096 // positions read per call
	cornered    = 1.75 // standard deviations from the middle of a square to its corners
	follow      = .08  // fraction of the way to new bounds, per frame
)

// An Orbit is a camera on a circle around its target. Its fields may change between frames.
type Orbit struct {
	Yaw, Pitch float32    // radians; a pitch of 0 looks horizontally, π/2 from above
	Zoom       float32    // 2 shows objects twice as large as needed to fit; 0: 1
	Target     [3]float32 // world units
	Radius     float32    // horizontal extent around Target, world units; 0: 1
	Height     float32    // vertical extent, up and down
	Fit        bool       // Target, Radius and Height follow the drawn objects smoothly

	low, high [3]float32 // bounds seen since the last View
	sums      [2][3]float64
	seen      int  // positions
	settled   bool // Fit has seen objects
}

// A Bearing is the direction and zoom of an orbit.
type Bearing struct{ Yaw, Pitch, Zoom float32 }

// Bearing returns the orbit's bearing.
func (o *Orbit) Bearing() Bearing { return Bearing{o.Yaw, o.Pitch, o.Zoom} }

// Set sets the orbit's bearing.
func (o *Orbit) Set(from Bearing) { o.Yaw, o.Pitch, o.Zoom = from.Yaw, from.Pitch, from.Zoom }

// Turn changes the bearing: yaws and pitches are added, zooms multiplied.
func (o *Orbit) Turn(by Bearing) {
	o.Yaw += by.Yaw
	o.Pitch = min(max(o.Pitch+by.Pitch, -1.5), 1.5)
	if o.Zoom <= 0 {
		o.Zoom = 1
	}
	o.Zoom *= by.Zoom
}

// See records the bounds of the positions, or of a sample if there are many. It ignores positions
// that are not finite.
func (o *Orbit) See(positions []byte) {
	n := len(positions) / PositionBytes
	if !o.Fit || n == 0 {
		return
	}
	if o.seen == 0 {
		inf := float32(math.Inf(1))
		o.sums = [2][3]float64{}
		o.low, o.high = [3]float32{inf, inf, inf}, [3]float32{-inf, -inf, -inf}
	}
	for i := 0; i < n; i += 1 + n/sampled {
		p := PositionAt(positions, i)
		if sum := p[0] + p[1] + p[2]; sum-sum != 0 { // infinite or NaN
			continue
		}
		o.seen++
		for axis, x := range p {
			o.sums[0][axis] += float64(x)
			o.sums[1][axis] += float64(x) * float64(x)
			o.low[axis], o.high[axis] = min(o.low[axis], x), max(o.high[axis], x)
		}
	}
}

// View implements [Camera].
func (o *Orbit) View(width, height int) View {
	if o.seen > 0 {
		o.approach()
		o.seen = 0
	}
	return o.look(float32(width) / float32(max(height, 1)))
}

// approach moves towards the seen bounds; the first time it jumps.
func (o *Orbit) approach() {
	share := float32(follow)
	if !o.settled {
		share, o.settled = 1, true
	}
	var half, spread [3]float32
	for axis := range half {
		var middle float32
		middle, half[axis], spread[axis] = o.extent(axis)
		o.Target[axis] += share * (middle - o.Target[axis])
	}
	radius := min(hypot(half[0], half[2]), cornered*hypot(spread[0], spread[2]))
	o.Radius += share * (max(radius, half[1]/2, 1e-3) - o.Radius)
	o.Height += share * (half[1] - o.Height)
}

// extent returns the middle of the seen positions along an axis, their extent to both sides, and
// their standard deviation. It ignores outliers.
func (o *Orbit) extent(axis int) (middle, half, spread float32) {
	n := float64(o.seen)
	mean := o.sums[0][axis] / n
	deviation := math.Sqrt(max(o.sums[1][axis]/n-mean*mean, 0))
	low := max(float64(o.low[axis]), mean-outliers*deviation)
	high := min(float64(o.high[axis]), mean+outliers*deviation)
	return float32((low + high) / 2), float32((high - low) / 2), float32(deviation)
}

// look builds the view matrix by hand: the camera's axes are the rows of a rotation.
func (o *Orbit) look(aspect float32) View {
	sy, cy := sincos(o.Yaw)
	sp, cp := sincos(o.Pitch)
	right := [3]float32{cy, 0, -sy}
	up := [3]float32{-sp * sy, cp, -sp * cy}
	back := [3]float32{cp * sy, sp, cp * cy}
	focal := float32(1 / math.Tan(fieldOfView/2))
	distance := o.distance(focal/aspect, focal, sp, cp)
	near, far := nearest*distance, farthest*distance
	var m [16]float32
	depth, shift := (far+near)/(near-far), 2*far*near/(near-far)
	for axis := range 3 {
		m[axis*4] = focal / aspect * right[axis]
		m[axis*4+1] = focal * up[axis]
		m[axis*4+2] = depth * back[axis]
		m[axis*4+3] = -back[axis]
	}
	at := o.Target
	m[12] = -(m[0]*at[0] + m[4]*at[1] + m[8]*at[2])
	m[13] = -(m[1]*at[0] + m[5]*at[1] + m[9]*at[2])
	behind := -(back[0]*at[0] + back[1]*at[1] + back[2]*at[2]) - distance
	m[14] = depth*behind + shift
	m[15] = -behind
	return View{Matrix: m, Scale: focal, Centre: at, Radius: max(o.radius(), o.Height)}
}

func (o *Orbit) radius() float32 {
	if o.Radius <= 0 {
		return 1
	}
	return o.Radius
}

// distance returns the distance at which the upright cylinder of Radius and Height just fits, for
// any yaw: a point at x to the right, y up and z towards the camera needs |x|·fx+z and |y|·fy+z.
func (o *Orbit) distance(fx, fy, sp, cp float32) float32 {
	const steps = 32
	r, far := o.radius(), float32(0)
	for step := range steps {
		s, c := sincos(2 * math.Pi * float32(step) / steps)
		x, ground := r*c, r*s
		for _, h := range [2]float32{-o.Height, o.Height} {
			y, z := h*cp-ground*sp, h*sp+ground*cp
			far = max(far, abs(x)*fx+z, abs(y)*fy+z)
		}
	}
	zoom := o.Zoom
	if zoom <= 0 {
		zoom = 1
	}
	return far * margin / zoom
}

func sincos(angle float32) (sin, cos float32) {
	s, c := math.Sincos(float64(angle))
	return float32(s), float32(c)
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

func hypot(a, b float32) float32 { return float32(math.Hypot(float64(a), float64(b))) }
