package exact_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/flatecs/flatecs/buffer/exact"
)

// arguments are drawn evenly from a range.
type arguments struct{ low, high float64 }

// compared are functions, what they are measured against, and where.
var compared = []struct {
	name  string
	here  func(float32) float32
	there func(float64) float64
	from  []arguments
}{
	{"Sin", exact.Sin, math.Sin, []arguments{{-10, 10}, {-1e5, 1e5}, {1e10, 1e38}}},
	{"Cos", exact.Cos, math.Cos, []arguments{{-10, 10}, {1e10, 1e38}}},
	{"Tan", exact.Tan, math.Tan, []arguments{{-1, 1}, {-10, 10}}},
	{"Asin", exact.Asin, math.Asin, []arguments{{-1, 1}, {-.5, .5}}},
	{"Acos", exact.Acos, math.Acos, []arguments{{-1, 1}}},
	{"Atan", exact.Atan, math.Atan, []arguments{{-1, 1}, {-4, 4}, {-100, 100}}},
	{"Sinh", exact.Sinh, math.Sinh, []arguments{{-.4, .4}, {-3, 3}, {-80, 80}}},
	{"Cosh", exact.Cosh, math.Cosh, []arguments{{-3, 3}, {-80, 80}}},
	{"Tanh", exact.Tanh, math.Tanh, []arguments{{-.5, .5}, {-3, 3}, {-20, 20}}},
	{"Exp", exact.Exp, math.Exp, []arguments{{-10, 10}, {-87, 88}}},
	{"Exp2", exact.Exp2, math.Exp2, []arguments{{-10, 10}, {-120, 120}}},
	{"Expm1", exact.Expm1, math.Expm1, []arguments{{-.3, .3}, {-10, 10}, {-87, 88}}},
	{"Log", exact.Log, math.Log, []arguments{{1e-3, 1e3}, {.9, 1.1}}},
	{"Log2", exact.Log2, math.Log2, []arguments{{1e-3, 1e3}, {.9, 1.1}}},
	{"Log10", exact.Log10, math.Log10, []arguments{{1e-3, 1e3}, {.9, 1.1}}},
	{"Log1p", exact.Log1p, math.Log1p, []arguments{{-.01, .01}, {-.5, 10}, {0, 1e5}}},
	{"Cbrt", exact.Cbrt, math.Cbrt, []arguments{{-1e3, 1e3}}},
	{"Sqrt", exact.Sqrt, math.Sqrt, []arguments{{0, 1e3}}},
	{"Floor", exact.Floor, math.Floor, []arguments{{-1e3, 1e3}}},
	{"Round", exact.Round, math.Round, []arguments{{-1e3, 1e3}}},
	{"RoundToEven", exact.RoundToEven, math.RoundToEven, []arguments{{-1e3, 1e3}}},
}

// comparedPairs are functions of two arguments.
var comparedPairs = []struct {
	name        string
	here        func(x, y float32) float32
	there       func(x, y float64) float64
	first, then arguments
}{
	{"Atan2", exact.Atan2, math.Atan2, arguments{-10, 10}, arguments{-10, 10}},
	{"Pow", exact.Pow, math.Pow, arguments{0, 10}, arguments{-3, 4}},
	{"Pow", exact.Pow, math.Pow, arguments{0, 1}, arguments{2.2, 2.2}},
	{"Pow", exact.Pow, math.Pow, arguments{0, 100}, arguments{2, 2}},
	{"Hypot", exact.Hypot, math.Hypot, arguments{-10, 10}, arguments{-10, 10}},
	{"Mod", exact.Mod, math.Mod, arguments{-100, 100}, arguments{1, 7}},
	{"Mod", exact.Mod, math.Mod, arguments{1e20, 1e30}, arguments{1, 7}},
	{"Sincos", bothHere, bothThere, arguments{-10, 10}, arguments{0, 0}},
}

func bothHere(x, _ float32) float32 { s, c := exact.Sincos(x); return s + c }

func bothThere(x, _ float64) float64 { s, c := math.Sincos(x); return s + c }

func (a arguments) draw(r *rand.Rand, n int) (xs []float32) {
	for range n {
		xs = append(xs, float32(a.low+r.Float64()*(a.high-a.low)))
	}
	return xs
}

// BenchmarkAgainstMath reports what a call takes, and its share of what float32(math.F(float64(x)))
// takes: the two take turns, and the least of each counts.
func BenchmarkAgainstMath(b *testing.B) {
	const calls = 4096
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range compared {
		for _, a := range c.from {
			b.Run(fmt.Sprintf("%s/%g..%g", c.name, a.low, a.high), func(b *testing.B) {
				xs := a.draw(r, calls)
				takeTurns(b, calls, func() (sum float32) {
					for _, x := range xs {
						sum += c.here(x)
					}
					return sum
				}, func() (sum float32) {
					for _, x := range xs {
						sum += float32(c.there(float64(x)))
					}
					return sum
				})
			})
		}
	}
	for _, c := range comparedPairs {
		b.Run(fmt.Sprintf("%s/%g..%g", c.name, c.then.low, c.then.high), func(b *testing.B) {
			xs, ys := c.first.draw(r, calls), c.then.draw(r, calls)
			takeTurns(b, calls, func() (sum float32) {
				for i, x := range xs {
					sum += c.here(x, ys[i])
				}
				return sum
			}, func() (sum float32) {
				for i, x := range xs {
					sum += float32(c.there(float64(x), float64(ys[i])))
				}
				return sum
			})
		})
	}
}

func takeTurns(b *testing.B, calls int, here, there func() float32) {
	least := [2]time.Duration{time.Hour, time.Hour}
	for range b.N {
		for i, f := range [2]func() float32{here, there} {
			start := time.Now()
			sink += f()
			least[i] = min(least[i], time.Since(start))
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(least[0])/float64(calls), "ns/call")
	b.ReportMetric(float64(least[0])/float64(least[1]), "of-math")
}

var sink float32
