package tanks

import "math"

func plus(v, w [2]float32) [2]float32 { return [2]float32{v[0] + w[0], v[1] + w[1]} }

func minus(v, w [2]float32) [2]float32 { return [2]float32{v[0] - w[0], v[1] - w[1]} }

func times(v [2]float32, k float32) [2]float32 {
	return [2]float32{float32(v[0] * k), float32(v[1] * k)}
}

// solid converts a place on the field to a position in space, and flat converts back.
func solid(v [2]float32) [3]float32 { return [3]float32{v[0], v[1]} }

func flat(p [3]float32) [2]float32 { return [2]float32{p[0], p[1]} }

// square returns the square of the length of v.
func square(v [2]float32) float32 { return float32(v[0]*v[0]) + float32(v[1]*v[1]) }

func length(v [2]float32) float32 { return float32(math.Sqrt(float64(square(v)))) }

func abs(x float32) float32 { return max(x, -x) }
