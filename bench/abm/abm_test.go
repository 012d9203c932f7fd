package main

import (
	"bytes"
	"io"
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

// Over many seeds, both libraries end with the same numbers of happy agents, of sheep and wolves, and of
// burnt trees.
// Ark's wolves act before the sheep in half of the steps, as in the comparison's program, which
// does not show within these bounds.
func TestDistributionsAreThoseOfArk(t *testing.T) {
	const seeds = 120
	bound := 1.95 * math.Sqrt(2./seeds) // once in a thousand times
	for _, c := range contests {
		if !strings.HasSuffix(c.name, ", small") || strings.HasPrefix(c.name, "Flocking") {
			continue // birds of Ark.jl's program see others than the declared ones
		}
		var ours, theirs [][]float64
		for seed := range uint64(seeds) {
			ours, theirs = append(ours, c.flatecs(seed+1)), append(theirs, c.ark(seed+1))
		}
		for k := range ours[0] {
			assert.Less(t, apart(column(ours, k), column(theirs, k)), bound, "%s, %d", c.name, k)
		}
	}
	assert.InDelta(t, 1, apart([]float64{1, 2}, []float64{3, 4}), 0)
	assert.InDelta(t, 0.5, apart([]float64{1, 3}, []float64{3, 4}), 0)
	assert.Zero(t, apart([]float64{1, 3}, []float64{3, 1}))
}

func column(rows [][]float64, k int) (all []float64) {
	for _, r := range rows {
		all = append(all, r[k])
	}
	return all
}

func TestReport(t *testing.T) {
	var text bytes.Buffer
	report(&text, measure(io.Discard, 1))
	for _, c := range contests {
		assert.Contains(t, text.String(), c.name)
	}
}
