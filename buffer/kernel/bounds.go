package kernel

// Min takes the smaller of two elements:
//
//	for i := range dst {
//		if x[i] < dst[i] {
//			dst[i] = x[i]
//		}
//	}
//
// If either is NaN, or both are zero, dst is unchanged.
// Min panics when len(dst) != len(x).
func Min(dst, x []float32) {
	if len(dst) != len(x) {
		panic(unpaired)
	}
	n := forAssembly(len(x), perVector)
	if n > 0 {
		minAVX2(dst, x)
	}
	min32(dst[n:], x[n:])
}

func min32(dst, x []float32) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = choose(v < dst[i], v, dst[i])
	}
}

// Max takes the larger of two elements:
//
//	for i := range dst {
//		if x[i] > dst[i] {
//			dst[i] = x[i]
//		}
//	}
//
// If either is NaN, or both are zero, dst is unchanged.
// Max panics when len(dst) != len(x).
func Max(dst, x []float32) {
	if len(dst) != len(x) {
		panic(unpaired)
	}
	n := forAssembly(len(x), perVector)
	if n > 0 {
		maxAVX2(dst, x)
	}
	max32(dst[n:], x[n:])
}

func max32(dst, x []float32) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = choose(v > dst[i], v, dst[i])
	}
}

// Clamp keeps each element between two bounds:
//
//	for i := range dst {
//		if low > dst[i] {
//			dst[i] = low
//		}
//		if high < dst[i] {
//			dst[i] = high
//		}
//	}
//
// NaNs stay, a bound that is NaN has no effect, and a zero keeps its sign at a bound of zero. If
// low > high, every number becomes high.
func Clamp(dst []float32, low, high float32) {
	n := forAssembly(len(dst), perVector)
	if n > 0 {
		clampAVX2(dst, low, high)
	}
	clamp(dst[n:], low, high)
}

func clamp(dst []float32, low, high float32) {
	for i, v := range dst {
		v = choose(low > v, low, v)
		dst[i] = choose(high < v, high, v)
	}
}
