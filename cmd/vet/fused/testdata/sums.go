package sums

import (
	"math"

	"sums/vector"
)

type speed float64

func plain(a, b, c float32) float32            { return a*b + c }
func through(a, b, c float32) float32          { p := a * b; return p + c }
func later(a, b, c float32) float32            { p := a * b; p += c; return p }
func step(a, b speed) speed                    { p := a; p *= b; p--; return p }
func returned(a, b, c float32) float32         { return vector.Product(a, b) - c }
func stored(v vector.Vector) float32           { return v.Scaled(2.5).X + 1 }
func half(a, c float32) float32                { return c - a/2 }
func exactly(a, b, c float64) float64          { return math.FMA(a, b, c) }
func rounded(a, b, c float32) float32          { return float32(a*b) + c }
func whole(a, b, c int) int                    { return a*b + c }
func parts(a, b complex128) complex128         { return a * b }
func either[T float32 | speed](a, b, c T) T    { return a*b + c }
func both(a float32, b speed) (float32, speed) { return either(a, a, a), either(b, b, b) }

//flatecs:allow fused it is only drawn
func allowed(a, b, c float32) float32 { return a*b + c }
