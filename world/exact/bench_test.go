package exact_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/flatecs/flatecs/world/exact"
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

// BenchmarkAgainstMath reports what a call takes, and how often that of float32(math.F(float64(x)))
// goes into it: the two take turns, and the least of each counts.
func BenchmarkAgainstMath(b *testing.B) {
	for _, c := range compared {
		for _, a := range c.from {
			b.Run(c.name, func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				xs := make([]float32, 4096)
				for i := range xs {
					xs[i] = float32(a.low + r.Float64()*(a.high-a.low))
				}
				here, there := time.Hour, time.Hour
				var sum float32
				for range b.N {
					start := time.Now()
					for _, x := range xs {
						sum += c.here(x)
					}
					middle := time.Now()
					for _, x := range xs {
						sum += float32(c.there(float64(x)))
					}
					here = min(here, middle.Sub(start))
					there = min(there, time.Since(middle))
				}
				sink = sum
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(here)/float64(len(xs)), "ns/call")
				b.ReportMetric(float64(here)/float64(there), "of-math")
				b.ReportMetric(a.high, "up-to")
			})
		}
	}
}

var sink float32
