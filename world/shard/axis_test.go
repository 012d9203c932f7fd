package shard

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// cuts returns n values from 0 to 100 that ascend, of which some are equal.
func cuts(r *rand.Rand, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		if list[i] = float32(r.IntN(100)); i > 0 && r.IntN(4) == 0 {
			list[i] = list[i-1]
		}
	}
	slices.Sort(list)
	return list
}

// Regions between any borders have each point once; whoever is near a point without a region in
// between is a neighbour; and objects find their way from any borders to any others.
func TestBordersAreAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		nx, ny := r.IntN(5), r.IntN(3)
		old := between(axisOf(cuts(r, nx)), axisOf(cuts(r, ny)))
		next := between(axisOf(cuts(r, nx)), axisOf(cuts(r, ny)))
		for a := range old.Shards {
			for _, b := range old.Neighbours(a) {
				assert.Contains(t, old.Neighbours(b), a)
			}
			for _, b := range old.peers(&next, a) {
				assert.Contains(t, old.peers(&next, b), a)
			}
		}
		for range 50 {
			at := [3]float32{float32(r.IntN(120) - 10), float32(r.IntN(120) - 10)}
			home, then := old.Of(at), next.Of(at)
			assert.Zero(t, old.Distance(home, at))
			if then != home {
				assert.Contains(t, old.peers(&next, home), then)
			}
			for other := range old.Shards {
				if d := old.Distance(other, at); other != home && d < old.Width &&
					!math.IsInf(float64(d), 1) {
					assert.Contains(t, old.Neighbours(home), other, "%v from %v", d, at)
				}
			}
		}
	}
}

func TestNoRegionOwnsAnEmptyOne(t *testing.T) {
	p := between(axis{10, 20, 20, 30}, nil)
	assert.Equal(t, []int{0, 2, 3}, p.Neighbours(1))
	assert.Equal(t, []int{1, 3}, p.Neighbours(2))
	assert.Equal(t, 3, p.Of([3]float32{20}))
	assert.True(t, math.IsInf(float64(p.Distance(2, [3]float32{20})), 1))
	assert.Equal(t, float32(10), p.Width)
}
