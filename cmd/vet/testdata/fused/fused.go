package fused

import (
	m "math"

	length "github.com/flatecs/flatecs/cmd/vet/testdata/fused/units"
	"github.com/flatecs/flatecs/world"
)

type (
	speed  float32
	number = float64
)

func products(s world.State, a, b, c float32, d float64, v speed) (world.State, float32) {
	c += a * b        // want `write float32\(a \* b\)`
	c -= a * b        // want `write float32\(a \* b\)`
	c = a - b*c       // want `write float32\(b \* c\)`
	c = a*b - c       // want `write float32\(a \* b\)`
	c = a*b + b*c     // want `write float32\(a \* b\)` `write float32\(b \* c\)`
	c = a*b*c + c     // want `write float32\(a \* b \* c\)`
	c = (a*b + c) + a // want `write float32\(a \* b\)`
	c = -(a * b) + c  // want `write float32\(a \* b\)`
	c = c - (a * b)   // want `write float32\(a \* b\)`
	p := a * b        // want `write float32\(a \* b\)`
	d = d*d - 1       // want `write float64\(d \* d\)`
	d = d*m.Pi - 1    // want `write float64\(d \* m.Pi\)`
	v = v*v + 1       // want `write speed\(v \* v\)`
	c += a *          // want `write float32\(a \* b\)`
		b
	c = a/4 + b - 4*c    // want `write float32\(a / 4\)` `write float32\(4 \* c\)`
	c = a*b*2 + c        // want `write float32\(a \* b\)`
	c = c * (a * b) / .5 // want `write float32\(c \* \(a \* b\)\)`
	c = b + a*b*2*c      // want `write float32\(a \* b \* 2 \* c\)` `write float32\(a \* b\)`
	c = b + (a*b)*2*c    // want `write float32\(\(a \* b\) \* 2 \* c\)` `write float32\(a \* b\)`
	c = c - 1*(a*b)      // want `write float32\(a \* b\)`
	return s, p + c + float32(d) + float32(v)
}

// The types have other names here.
func names[T float32 | float64](s world.State, a T, d number, x length.Metres) (world.State, T) {
	type speed number
	v := speed(d)
	v = v*v + 1                // want `write speed\(v \* v\)`
	a += a * a                 // want `write T\(a \* a\)`
	d = d*d + 1                // want `write number\(d \* d\)`
	x = x*x + length.Metres(d) // want `write length.Metres\(x \* x\)`
	return s, a + T(v) + T(x)
}

// The types have no names here, so they stay as they are.
func hidden(s world.State, a float32, x length.Metres) (world.State, float32) {
	float32 := a
	a += a * a // want `write float32\(a \* a\)`
	length := x + 1
	x += x * x // want `write units.Metres\(x \* x\)`
	_ = length
	return s, a + float32
}

// The name is that of another type here.
func renamed(s world.State, v speed) (world.State, any) {
	type speed number
	v += v * v // want `write fused.speed\(v \* v\)`
	return s, []any{v, speed(1)}
}

// These are left as they are.
func left(s world.State, a, b float32, i int, z complex64) (world.State, any) {
	const k = 3*1.5 + 2
	a = 2*a + b - a*2
	a = a/b + b/3 - a/.5 + a/1
	i = i * i * 2
	a = float32(a*b) + float32(b*a)
	i += i*i + 1
	z = z*z + z
	return s, []any{a, i, z, k}
}
