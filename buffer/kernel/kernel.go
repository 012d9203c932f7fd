package kernel

import "math"

const unequal = "kernel: dst must have 3 elements for each element of the other slices"

// Move adds each velocity to the three lanes of its position:
//
//	for i, v := range velocity {
//		dst[3*i] += v
//		dst[3*i+1] += v
//		dst[3*i+2] += v
//	}
//
// It panics when len(dst) != 3*len(velocity).
func Move(dst, velocity []float32) {
	if len(dst) != 3*len(velocity) {
		panic(unequal)
	}
	for _, v := range velocity {
		p := (*[3]float32)(dst)
		p[0] += v
		p[1] += v
		p[2] += v
		dst = dst[3:]
	}
}

// Fly adds twice the velocity to the three lanes of each position, or maxVelocity where the
// velocity has reached it. The velocity itself is not written.
//
//	for i, v := range velocity {
//		d := maxVelocity[i]
//		if v < d {
//			d = v * 2
//		}
//		dst[3*i] += d
//		dst[3*i+1] += d
//		dst[3*i+2] += d
//	}
//
// It panics unless len(dst) == 3*len(velocity) == 3*len(maxVelocity).
func Fly(dst, velocity, maxVelocity []float32) {
	if len(dst) != 3*len(velocity) || len(velocity) != len(maxVelocity) {
		panic(unequal)
	}
	for i, v := range velocity {
		p, d := (*[3]float32)(dst), fly(v, maxVelocity[i])
		p[0] += d
		p[1] += d
		p[2] += d
		dst = dst[3:]
	}
}

// fly selects on the bits, which compiles to a conditional move: a branch would be mispredicted.
func fly(v, limit float32) float32 {
	d, double := math.Float32bits(limit), math.Float32bits(v*2)
	if v < limit {
		d = double
	}
	return math.Float32frombits(d)
}

// Scale multiplies each element:
//
//	for i := range dst {
//		dst[i] *= factor
//	}
func Scale(dst []float32, factor float32) {
	for i := range dst {
		dst[i] *= factor
	}
}
