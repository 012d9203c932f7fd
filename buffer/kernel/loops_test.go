package kernel

// The loops of the kernels' comments.

func moveLoop[F float](dst, velocity []F) {
	for i, v := range velocity {
		dst[3*i] += v
		dst[3*i+1] += v
		dst[3*i+2] += v
	}
}

func flyLoop[F float](dst, velocity, maxVelocity []F) {
	for i, v := range velocity {
		d := maxVelocity[i]
		if v < d {
			d = F(v * 2) //nolint:unconvert // or the product might be fused with the sum
		}
		dst[3*i] += d
		dst[3*i+1] += d
		dst[3*i+2] += d
	}
}

func scaleLoop[F float](dst []F, factor F) {
	for i := range dst {
		dst[i] *= factor
	}
}

func addLoop[F float](dst, x []F) {
	for i := range dst {
		dst[i] += x[i]
	}
}

func axpyLoop[F float](dst []F, a F, x []F) {
	for i := range dst {
		dst[i] += F(a * x[i]) //nolint:unconvert // as above
	}
}

func clampLoop[F float](dst []F, low, high F) {
	for i := range dst {
		if low > dst[i] {
			dst[i] = low
		}
		if high < dst[i] {
			dst[i] = high
		}
	}
}
