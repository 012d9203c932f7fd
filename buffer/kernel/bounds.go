package kernel

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
