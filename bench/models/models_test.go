package models

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// apart is the distance of Kolmogorov and Smirnov between two samples of one size.
func apart(a, b []float64) float64 {
	below := func(sorted []float64, x float64) float64 {
		n, _ := slices.BinarySearch(sorted, math.Nextafter(x, math.Inf(1)))
		return float64(n) / float64(len(sorted))
	}
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	d := 0.0
	for _, x := range slices.Concat(a, b) {
		d = max(d, math.Abs(below(a, x)-below(b, x)))
	}
	return d
}

// Over many seeds, all programs end with the same numbers of happy agents, of sheep and wolves, and
// of burnt trees, and flatecs and plain Go with the same order of a flock.
// Ark's wolves act before the sheep in half of the steps, as in the comparison's program, which
// does not show within these bounds.
func TestDistributionsAreTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and 120 seeds")
	}
	const seeds = 120
	bound := 1.95 * math.Sqrt(2./seeds) // once in a thousand times
	for _, c := range contests {
		if !strings.HasSuffix(c.name, ", small") {
			continue
		}
		var ours, arks, plains [][]float64
		for seed := range uint64(seeds) {
			ours = append(ours, c.programs["flatecs"](seed+1))
			plains = append(plains, c.programs["plain Go"](seed+1))
			if ark := c.programs["Ark"]; ark != nil {
				arks = append(arks, ark(seed+1))
			}
		}
		for k := range ours[0] {
			assert.Less(t, apart(column(ours, k), column(plains, k)), bound, "%s, %d", c.name, k)
			if arks != nil {
				assert.Less(t, apart(column(ours, k), column(arks, k)), bound, "%s, %d", c.name, k)
			}
		}
	}
	assert.InDelta(t, 1, apart([]float64{1, 2}, []float64{3, 4}), 0)
	assert.InDelta(t, 0.5, apart([]float64{1, 3}, []float64{3, 4}), 0)
	assert.Zero(t, apart([]float64{1, 3}, []float64{3, 1}))
}

// Of the large models, a few runs end alike in all programs.
func TestLargeModelsAreTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine")
	}
	for _, c := range contests {
		if !strings.HasSuffix(c.name, ", large") || strings.HasPrefix(c.name, "Flocking") {
			continue
		}
		var ours, arks, plains float64
		for seed := range uint64(3) {
			ours += c.programs["flatecs"](seed + 1)[0]
			plains += c.programs["plain Go"](seed + 1)[0]
			if ark := c.programs["Ark"]; ark != nil {
				arks += ark(seed + 1)[0]
			}
		}
		assert.InEpsilon(t, ours, plains, .25, c.name)
		if c.programs["Ark"] != nil {
			assert.InEpsilon(t, ours, arks, .25, c.name)
		}
	}
}

func column(rows [][]float64, k int) (all []float64) {
	for _, r := range rows {
		all = append(all, r[k])
	}
	return all
}
