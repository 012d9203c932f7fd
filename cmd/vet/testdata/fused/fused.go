package fused

import "github.com/flatecs/flatecs/world"

type speed float32

func products(s world.State, a, b, c float32, d float64, v speed) (world.State, float32) {
	c += a * b       // want `write float32\(a \* b\)`
	c = -(a * b) + c // want `write float32\(a \* b\)`
	p := a * b       // want `write float32\(a \* b\)`
	d = d*d - 1      // want `write float64\(d \* d\)`
	v = v*v + 1      // want `write speed\(v \* v\)`
	return s, p + c + float32(d) + float32(v)
}
