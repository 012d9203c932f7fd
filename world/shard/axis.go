package shard

import (
	"math"
	"slices"
	"sort"
)

// An axis is cut into parts at its values, which ascend. The first part and the last one have no
// end. A part between two values that are equal is empty.
type axis []float64

// evenly cuts an axis into n parts of the same width.
func evenly(n int, low, high float32) axis {
	a, width := axis{}, (float64(high)-float64(low))/float64(n)
	for i := 1; i < n; i++ {
		a = append(a, float64(low)+float64(float64(i)*width))
	}
	return a
}

// axisOf returns an axis that is cut at values.
func axisOf(values []float32) axis {
	a := make(axis, len(values))
	for i, v := range values {
		a[i] = float64(v)
	}
	return a
}

// isFinite reports whether an axis is cut at numbers alone.
func (a axis) isFinite() bool {
	return !slices.ContainsFunc(a, func(v float64) bool {
		return math.IsNaN(v) || math.IsInf(v, 0)
	})
}

// roundings is how many units in the last place of float32 a step may be off.
const roundings = 4

// slackAt returns how far positions around v may be off by rounding, in world units.
func slackAt(v float64) float64 {
	at := float32(math.Abs(v))
	return roundings * (float64(math.Nextafter32(at, math.MaxFloat32)) - float64(at))
}

// low and high return the ends of a part.
func (a axis) low(part int) float64 {
	if part == 0 {
		return math.Inf(-1)
	}
	return a[part-1]
}

func (a axis) high(part int) float64 {
	if part == len(a) {
		return math.Inf(1)
	}
	return a[part]
}

func (a axis) empty(part int) bool { return a.low(part) == a.high(part) }

// width returns the width of the narrowest part that has two ends and is not empty.
func (a axis) width() float32 {
	width := float64(math.MaxFloat32)
	for part := 1; part < len(a); part++ {
		if !a.empty(part) {
			width = min(width, a.high(part)-a.low(part))
		}
	}
	return float32(width)
}

// of returns the part in which v is. NaN is in the first one.
func (a axis) of(v float32) int {
	return sort.Search(len(a), func(i int) bool { return !(a[i] <= float64(v)) })
}

// distance returns how far v is from a part: infinitely from one that is empty.
func (a axis) distance(part int, v float32) float64 {
	if a.empty(part) {
		return math.Inf(1)
	}
	d := 0.0
	if part > 0 {
		d = max(d, a[part-1]-float64(v))
	}
	if part < len(a) {
		d = max(d, float64(v)-a[part])
	}
	return d
}

// touch reports whether there is nothing between two parts.
func (a axis) touch(i, j int) bool {
	for part := min(i, j) + 1; part < max(i, j); part++ {
		if !a.empty(part) {
			return false
		}
	}
	return true
}

// overlaps reports whether a part has a point that is in a part of another axis, too.
func (a axis) overlaps(part int, b axis, other int) bool {
	return max(a.low(part), b.low(other)) < min(a.high(part), b.high(other))
}
