package systems

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// distributions are of numbers that are drawn: how likely one below x is, and moments.
var distributions = map[string]struct {
	draw                     func(r *Stream) float64
	below                    func(x float64) float64
	mean, deviation, skew, k float64 // k: the fourth moment
}{
	"Float64": {(*Stream).Float64, func(x float64) float64 { return x }, .5, math.Sqrt(1. / 12), 0, 1.8},
	"Norm": {
		(*Stream).Norm, func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }, 0, 1, 0, 3,
	},
	"Exp": {(*Stream).Exp, func(x float64) float64 { return -math.Expm1(-x) }, 1, 1, 2, 9},
}

// farthest is the distance of Kolmogorov and Smirnov, which is above 2.23/√n once in ten thousand
// times.
func farthest(numbers []float64, below func(float64) float64) float64 {
	slices.Sort(numbers)
	d, n := 0.0, float64(len(numbers))
	for i, x := range numbers {
		p := below(x)
		d = max(d, p-float64(i)/n, float64(i+1)/n-p)
	}
	return d
}

func TestDistributions(t *testing.T) {
	const n = 100_000
	bound := 2.23 / math.Sqrt(n)
	for name, d := range distributions {
		r, numbers, sums := NewStream(8, 9), make([]float64, n), [5]float64{}
		for i := range numbers {
			numbers[i] = d.draw(&r)
			power := 1.0
			for j := range sums {
				sums[j] += power / n
				power *= (numbers[i] - d.mean) / d.deviation
			}
		}
		assert.Less(t, farthest(numbers, d.below), bound, name)
		shifted := func(x float64) float64 { return d.below(x + 0.02) }
		assert.Greater(t, farthest(numbers, shifted), bound, "%s: a shift by 0.02 shows", name)
		assert.InDelta(t, 0, sums[1], 4/math.Sqrt(n), name)
		assert.InDelta(t, 1, sums[2], 4*math.Sqrt((d.k-1)/n), name)
		assert.InDelta(t, d.skew, sums[3], 0.15, name)
		assert.InDelta(t, d.k, sums[4], d.k/8, name)
	}
}

// Neighbours in a stream, and first numbers of streams with neighbouring names, do not depend on
// each other.
func TestNormalNumbersAreIndependent(t *testing.T) {
	const n = 100_000
	s, _ := fullWorld(t)
	r := NewStream(10, 11)
	along, across := 0.0, 0.0
	before, first := r.Norm(), 0.0
	for i := range uint64(n) {
		x := r.Norm()
		along, before = along+x*before/n, x
		named := Random(s, i)
		y := named.Norm()
		across, first = across+y*first/n, y
	}
	assert.InDelta(t, 0, along, 4/math.Sqrt(n))
	assert.InDelta(t, 0, across, 4/math.Sqrt(n))
}
