package random

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stream is a state of the generator.
type stream struct{ hi, lo uint64 }

func (s *stream) next() (number uint64) {
	s.hi, s.lo, number = Step(s.hi, s.lo)
	return number
}

func streamOf(seed, tick uint64, parts ...uint64) *stream {
	hi, lo := Start(seed, tick, parts...)
	return &stream{hi, lo}
}

func norm(number uint64) float64 { return Normal(Open(number)) }

// distributions are of numbers that are drawn: how likely one below x is, and moments.
var distributions = map[string]struct {
	draw                     func(number uint64) float64
	below                    func(x float64) float64
	mean, deviation, skew, k float64 // k: the fourth moment
}{
	"Norm": {
		norm, func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }, 0, 1, 0, 3,
	},
	"Exp": {Exponential, func(x float64) float64 { return -math.Expm1(-x) }, 1, 1, 2, 9},
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
		r, numbers, sums := stream{8, 9}, make([]float64, n), [5]float64{}
		for i := range numbers {
			numbers[i] = d.draw(r.next())
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
	r := stream{10, 11}
	along, across := 0.0, 0.0
	before, first := norm(r.next()), 0.0
	for i := range uint64(n) {
		x := norm(r.next())
		along, before = along+x*before/n, x
		y := norm(streamOf(7, 0, i).next())
		across, first = across+y*first/n, y
	}
	assert.InDelta(t, 0, along, 4/math.Sqrt(n))
	assert.InDelta(t, 0, across, 4/math.Sqrt(n))
}

// Streams of neighbouring numbers have nothing to do with each other.
func TestStreamsAreIndependent(t *testing.T) {
	const streams = 20_000
	var ones, flips [64]int
	before, seen := uint64(0), map[uint64]bool{}
	for i := range uint64(streams) {
		x := streamOf(7, 0, 5, i).next()
		for bit := range 64 {
			ones[bit] += int(x >> bit & 1)
			flips[bit] += int((x ^ before) >> bit & 1)
		}
		before, seen[x] = x, true
	}
	assert.Len(t, seen, streams)
	off := 4.5 * math.Sqrt(streams) / 2 // standard deviations
	for bit := range 64 {
		assert.InDelta(t, streams/2, ones[bit], off, "bit %d", bit)
		assert.InDelta(t, streams/2, flips[bit], off, "bit %d", bit)
	}
}

func TestOpenLeavesTheEndsOut(t *testing.T) {
	assert.Equal(t, 0x1p-53, Open(0))
	assert.Equal(t, 1-0x1p-53, Open(math.MaxUint64))
	assert.Equal(t, 0.5+0x1p-53, Open(1<<63))
	for i := range uint64(1000) {
		n := i * 0x9e3779b97f4a7c15
		require.Equal(t, 1-Open(n), Open(^n), "1−x is as likely as x")
	}
}

// The error function of Go says how likely a number below x is.
func TestNormalIsTheQuantile(t *testing.T) {
	hi, lo, before := uint64(3), uint64(4), math.Inf(-1)
	for range 100_000 {
		var number uint64
		hi, lo, number = Step(hi, lo)
		p := Open(number)
		require.InEpsilon(t, p, math.Erfc(-Normal(p)/math.Sqrt2)/2, 2e-14, "%v", p)
		require.Equal(t, -Normal(p), Normal(1-p))
	}
	for i := -53; i <= -2; i++ { // both tails
		p := math.Pow(2, float64(i))
		x := Normal(p)
		require.InEpsilon(t, p, math.Erfc(-x/math.Sqrt2)/2, 1e-13, "%v", p)
		require.Greater(t, x, before, "it rises")
		before = x
	}
	for _, edge := range []float64{0.075, 0.925, math.Exp(-25)} { // the border of two quotients
		below, above := Normal(math.Nextafter(edge, 0)), Normal(math.Nextafter(edge, 1))
		assert.InDelta(t, below, above, 1e-14, "%v", edge)
	}
	assert.Zero(t, Normal(0.5))
}
