package shard_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world/shard"
)

// Every point is in the region that owns it, and as far from the others as the naive model says.
func TestPartitions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		columns, rows := 1+r.IntN(5), 1+r.IntN(4)
		low, high := [2]float32{-10, 5}, [2]float32{30 + r.Float32(), 40}
		p := shard.Grid(columns, rows, low, high)
		assert.Equal(t, columns*rows, p.Shards)
		for range 50 {
			at := [3]float32{r.Float32()*60 - 20, r.Float32()*60 - 10}
			home := p.Of(at)
			assert.LessOrEqual(t, p.Distance(home, at), float32(1e-5))
			for other := range p.Shards {
				want := naiveDistance(columns, rows, low, high, other, at)
				assert.InDelta(t, want, p.Distance(other, at), 1e-3)
			}
		}
		for a := range p.Shards {
			for _, b := range p.Neighbours(a) {
				assert.Contains(t, p.Neighbours(b), a)
			}
		}
	}
}

// naiveDistance has the rectangles' edges side by side.
func naiveDistance(columns, rows int, low, high [2]float32, shard int, at [3]float32) float64 {
	far := 0.0
	for axis, n := range []int{columns, rows} {
		place := []int{shard % columns, shard / columns}[axis]
		width := float64(high[axis]-low[axis]) / float64(n)
		from, to := float64(low[axis])+float64(float64(place)*width), float64(low[axis])+float64(float64(place+1)*width)
		if place == 0 {
			from = math.Inf(-1)
		}
		if place == n-1 {
			to = math.Inf(1)
		}
		far = max(far, from-float64(at[axis]), float64(at[axis])-to)
	}
	return far
}

func TestStripsHaveTwoNeighbours(t *testing.T) {
	p := shard.Strips(3, 0, 30)
	assert.Equal(t, []int{0, 2}, p.Neighbours(1))
	assert.Equal(t, []int{1}, p.Neighbours(2))
	assert.Equal(t, float32(10), p.Width)
	for at, want := range map[float32]int{
		-1e30: 0, 0: 0, 9.99: 0, 10: 1, 19.9: 1, 20: 2, 1e30: 2,
		float32(math.Inf(1)): 2, float32(math.NaN()): 0,
	} {
		assert.Equal(t, want, p.Of([3]float32{at}), "%v", at)
	}
}

// Regions are what Of says, infinite at the sides; a user's own partition has none.
func TestRegions(t *testing.T) {
	p := shard.Grid(3, 2, [2]float32{0, 10}, [2]float32{30, 20})
	for i := range p.Shards {
		low, high, ok := p.Region(i)
		assert.True(t, ok)
		inside := [3]float32{max(low[0], -99), max(low[1], -99)}
		assert.Equal(t, i, p.Of(inside))
		if !math.IsInf(float64(high[0]), 1) {
			assert.Equal(t, i+1, p.Of([3]float32{high[0], inside[1]}))
		}
		if !math.IsInf(float64(high[1]), 1) {
			assert.Equal(t, i+3, p.Of([3]float32{inside[0], high[1]}))
		}
	}
	for _, i := range []int{-1, 6} {
		_, _, ok := p.Region(i)
		assert.False(t, ok)
	}
	_, _, ok := new(shard.Partition).Region(0)
	assert.False(t, ok)
}
