package random

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/world"
)

// Weighted returns an index of weights, i with probability weights[i] divided by their sum, by one
// draw and two passes. It panics if a weight is negative, infinite or NaN, or if their sum is 0 or
// infinite.
func Weighted(r *world.Stream, weights []float64) int {
	at := float64(r.Float64() * sum(weights)) // below the sum, even if rounded
	i, total := 0, weights[0]
	for total <= at {
		i++
		total += weights[i]
	}
	return i
}

// sum adds weights in order. It panics if the weights are invalid.
func sum(weights []float64) float64 {
	total := 0.0
	for i, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat64) {
			panic(fmt.Sprintf("random: weight %d is %v; weights are 0 or more", i, w))
		}
		total += w
	}
	if !(total > 0 && total <= math.MaxFloat64) {
		panic(fmt.Sprintf("random: the sum of %d weights is %v; give one that is more than 0, "+
			"and none so large that the sum overflows", len(weights), total))
	}
	return total
}

// Weights is a list of weights for many draws. The zero Weights is empty. Draws do not change it,
// so several goroutines can use it.
type Weights struct {
	sums []float64 // sums[i] is the sum of weights 0…i
}

// NewWeights returns weights for many draws; it allocates 8 bytes for each. It panics like
// [Weighted].
func NewWeights(weights []float64) Weights {
	sum(weights)
	sums := make([]float64, len(weights))
	total := 0.0
	for i, w := range weights {
		total += w
		sums[i] = total
	}
	return Weights{sums}
}

// Len returns the number of weights.
func (w Weights) Len() int { return len(w.sums) }

// Draw returns an index, i with probability weight i divided by their sum, by one draw and a
// binary search. It panics if w is empty.
func (w Weights) Draw(r *world.Stream) int {
	if len(w.sums) == 0 {
		panic("random: Draw by no weights; make them by NewWeights")
	}
	at := float64(r.Float64() * w.sums[len(w.sums)-1])
	i, _ := slices.BinarySearchFunc(w.sums, at, func(sum, at float64) int {
		if sum <= at {
			return -1
		}
		return 1
	})
	return i
}
