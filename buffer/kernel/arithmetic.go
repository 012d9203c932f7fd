package kernel

// Scale multiplies each element:
//
//	for i := range dst {
//		dst[i] *= factor
//	}
func Scale(dst []float32, factor float32) {
	n := forAssembly(len(dst), perVector)
	if n > 0 {
		scaleAVX2(dst, factor)
	}
	scale(dst[n:], factor)
}

func scale(dst []float32, factor float32) {
	for i := range dst {
		dst[i] *= factor
	}
}

// Add64 adds x to dst, element by element:
//
//	for i := range dst {
//		dst[i] += x[i]
//	}
//
// It panics when len(dst) != len(x).
func Add64(dst, x []float64) {
	if len(dst) != len(x) {
		panic(unpaired)
	}
	n := forAssembly(len(x), perVector64)
	if n > 0 {
		add64AVX2(dst, x)
	}
	add64(dst[n:], x[n:])
}

func add64(dst, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] += v
	}
}

// Axpy adds a multiple of x to dst, rounding the product and the sum:
//
//	for i := range dst {
//		dst[i] += float32(a * x[i])
//	}
//
// It panics when len(dst) != len(x).
func Axpy(dst []float32, a float32, x []float32) {
	if len(dst) != len(x) {
		panic(unpaired)
	}
	n := forAssembly(len(x), perVector)
	if n > 0 {
		axpyAVX2(dst, a, x)
	}
	axpy(dst[n:], a, x[n:])
}

func axpy(dst []float32, a float32, x []float32) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] += float32(a * v)
	}
}
