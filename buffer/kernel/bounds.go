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

// Min64 takes the smaller of two elements:
//
//	for i := range dst {
//		if x[i] < dst[i] {
//			dst[i] = x[i]
//		}
//	}
//
// If either is NaN, or both are zero, dst is unchanged.
// Min64 panics when len(dst) != len(x).
func Min64(dst, x []float64) {
	if len(dst) != len(x) {
		panic(unpaired)
	}
	n := forAssembly(len(x), perVector64)
	if n > 0 {
		min64AVX2(dst, x)
	}
	min64(dst[n:], x[n:])
}

func min64(dst, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = choose64(v < dst[i], v, dst[i])
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

// Max64 takes the larger of two elements:
//
//	for i := range dst {
//		if x[i] > dst[i] {
//			dst[i] = x[i]
//		}
//	}
//
// If either is NaN, or both are zero, dst is unchanged.
// Max64 panics when len(dst) != len(x).
func Max64(dst, x []float64) {
	if len(dst) != len(x) {
		panic(unpaired)
	}
	n := forAssembly(len(x), perVector64)
	if n > 0 {
		max64AVX2(dst, x)
	}
	max64(dst[n:], x[n:])
}

func max64(dst, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = choose64(v > dst[i], v, dst[i])
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

// Clamp64 keeps each element between two bounds:
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
func Clamp64(dst []float64, low, high float64) {
	n := forAssembly(len(dst), perVector64)
	if n > 0 {
		clamp64AVX2(dst, low, high)
	}
	clamp64(dst[n:], low, high)
}

func clamp64(dst []float64, low, high float64) {
	for i, v := range dst {
		v = choose64(low > v, low, v)
		dst[i] = choose64(high < v, high, v)
	}
}
