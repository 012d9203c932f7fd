package random

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	for _, edge := range []float64{0.075, 0.925, math.Exp(-25)} { // where one quotient meets another
		below, above := Normal(math.Nextafter(edge, 0)), Normal(math.Nextafter(edge, 1))
		assert.InDelta(t, below, above, 1e-14, "%v", edge)
	}
	assert.Zero(t, Normal(0.5))
}
