package kernel

import "math"

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
	n := forAssembly(len(velocity), perVector)
	if n > 0 {
		moveAVX2(dst, velocity)
	}
	if n < len(velocity) {
		move(dst[3*n:], velocity[n:])
	}
}

func move(dst, velocity []float32) {
	for i, v := range velocity {
		p := dst[3*i : 3*i+3]
		p[0] += v
		p[1] += v
		p[2] += v
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
// A NaN counts as having reached any maximum. Fly panics unless len(dst) == 3*len(velocity) ==
// 3*len(maxVelocity).
func Fly(dst, velocity, maxVelocity []float32) {
	if len(dst) != 3*len(velocity) || len(velocity) != len(maxVelocity) {
		panic(unequal)
	}
	n := forAssembly(len(velocity), perVector)
	if n > 0 {
		flyAVX2(dst, velocity, maxVelocity)
	}
	if n < len(velocity) {
		fly(dst[3*n:], velocity[n:], maxVelocity[n:])
	}
}

func fly(dst, velocity, maxVelocity []float32) {
	maxVelocity = maxVelocity[:len(velocity)]
	for i, v := range velocity {
		most := maxVelocity[i]
		p, d := dst[3*i:3*i+3], choose(v < most, v*2, most)
		p[0] += d
		p[1] += d
		p[2] += d
	}
}

// choose selects bits by a CMOV, because a branch would be mispredicted.
func choose(first bool, a, b float32) float32 {
	chosen, other := math.Float32bits(b), math.Float32bits(a)
	if first {
		chosen = other
	}
	return math.Float32frombits(chosen)
}
