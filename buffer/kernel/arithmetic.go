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

// Add adds x to dst, element by element:
//
//	for i := range dst {
//		dst[i] += x[i]
//	}
//
// It panics when len(dst) != len(x).
func Add(dst, x []float32) {
	if len(dst) != len(x) {
		panic(unpaired)
	}
	n := forAssembly(len(x), perVector)
	if n > 0 {
		addAVX2(dst, x)
	}
	add(dst[n:], x[n:])
}

func add(dst, x []float32) {
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

// Translate adds one vector to each position:
//
//	for i := range len(dst) / 3 {
//		dst[3*i] += by[0]
//		dst[3*i+1] += by[1]
//		dst[3*i+2] += by[2]
//	}
//
// It panics when len(dst) is not a multiple of 3.
func Translate(dst []float32, by [3]float32) {
	positions := len(dst) / 3
	if len(dst) != 3*positions {
		panic(uneven)
	}
	n := forAssembly(positions, perVector)
	if n > 0 {
		translateAVX2(dst, by, n)
	}
	translate(dst[3*n:], by)
}

func translate(dst []float32, by [3]float32) {
	for ; len(dst) >= 3; dst = dst[3:] {
		dst[0] += by[0]
		dst[1] += by[1]
		dst[2] += by[2]
	}
}

// Fill sets each element:
//
//	for i := range dst {
//		dst[i] = value
//	}
func Fill(dst []float32, value float32) {
	n := forAssembly(len(dst), perVector)
	if n > 0 {
		fillAVX2(dst, value)
	}
	fill(dst[n:], value)
}

func fill(dst []float32, value float32) {
	for i := range dst {
		dst[i] = value
	}
}
