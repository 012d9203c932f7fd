package shard

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// A Partition assigns parts of space to shards. It is the same in all shards, and only [Propose]
// changes it. [Strips] and [Grid] return partitions; functions of your own must be pure, and are
// called by several goroutines at once.
type Partition struct {
	Shards int     // numbered from 0
	Width  float32 // of the narrowest region, in world units

	// Of returns the shard that owns a point. Every point has an owner, even outside of the world.
	Of func(at [3]float32) int

	// Distance returns the distance of a point from the region of a shard, in world units: 0
	// inside.
	Distance func(shard int, at [3]float32) float32

	// Neighbours lists the shards whose regions objects can enter in one tick, ascending.
	Neighbours func(shard int) []int

	x, y axis // of Strips and Grid, or nil
}

// Strips divides the x axis from low to high into n regions of the same width. The first and the
// last region are unbounded.
func Strips(n int, low, high float32) Partition {
	return Grid(n, 1, [2]float32{low, 0}, [2]float32{high, 1})
}

// Grid divides the rectangle of x and y from low to high into columns times rows regions, numbered
// row by row. Regions at the sides are unbounded. Regions that touch in a corner are neighbours.
func Grid(columns, rows int, low, high [2]float32) Partition {
	x, y := evenly(columns, low[0], high[0]), evenly(rows, low[1], high[1])
	p := between(x, y)
	for i, a := range []axis{x, y} {
		if len(a) > 0 {
			width := (float64(high[i]) - float64(low[i])) / float64(len(a)+1)
			p.Width = min(p.Width, float32(width))
		}
	}
	return p
}

// between returns the partition with these borders.
func between(x, y axis) Partition {
	columns := len(x) + 1
	p := Partition{
		Shards: columns * (len(y) + 1), Width: min(x.width(), y.width()), x: x, y: y,
		Of: func(at [3]float32) int { return y.of(at[1])*columns + x.of(at[0]) },
		Distance: func(shard int, at [3]float32) float32 {
			return float32(max(x.distance(shard%columns, at[0]), y.distance(shard/columns, at[1])))
		},
	}
	p.Neighbours = func(shard int) (list []int) {
		for other := range p.Shards {
			if other != shard && x.touch(shard%columns, other%columns) &&
				y.touch(shard/columns, other/columns) {
				list = append(list, other)
			}
		}
		return list
	}
	return p
}

// Region returns the ends of a shard's region along x and y, in world units; they are infinite at
// the sides, and equal for a region without width. ok is false if neither Strips nor Grid returned
// p.
func (p *Partition) Region(shard int) (low, high [2]float32, ok bool) {
	if p.x == nil || shard < 0 || shard >= p.Shards {
		return low, high, false
	}
	columns := len(p.x) + 1
	for i, part := range [2]int{shard % columns, shard / columns} {
		a := [2]axis{p.x, p.y}[i]
		low[i], high[i] = float32(a.low(part)), float32(a.high(part))
	}
	return low, high, true
}

// peers lists the shards that exchange objects with a shard when next replaces p.
func (p *Partition) peers(next *Partition, shard int) (list []int) {
	columns := len(p.x) + 1
	goes := func(from, to int) bool {
		return p.x.overlaps(from%columns, next.x, to%columns) &&
			p.y.overlaps(from/columns, next.y, to/columns)
	}
	for other := range p.Shards {
		if other != shard && (goes(shard, other) || goes(other, shard)) {
			list = append(list, other)
		}
	}
	return list
}

// check returns an error if the partition is invalid.
func (p *Partition) check(shard int) error {
	switch {
	case p.Shards < 1 || shard < 0 || shard >= p.Shards:
		return fmt.Errorf("%w: shard %d of %d; number them from 0", ErrOptions, shard, p.Shards)
	case p.Of == nil || p.Distance == nil || p.Neighbours == nil:
		return fmt.Errorf("%w: Partition lacks a function; use Strips or Grid", ErrOptions)
	case !p.x.isFinite() || !p.y.isFinite():
		return fmt.Errorf("%w: borders %v of x and %v of y are not numbers; give Strips and Grid "+
			"finite ends", ErrOptions, p.x, p.y)
	}
	for other := range p.Shards {
		for _, n := range p.Neighbours(other) {
			if n < 0 || n >= p.Shards || n == other || !slices.Contains(p.Neighbours(n), other) {
				return fmt.Errorf("%w: shard %d has neighbour %d, which is no other shard of %d, "+
					"or does not have it as neighbour", ErrOptions, other, n, p.Shards)
			}
		}
	}
	return nil
}

// An axis is a list of ascending values that cut a coordinate into parts. The first and the last
// part are unbounded. A part between two equal values is empty.
type axis []float64

// evenly cuts an axis into n parts of the same width.
func evenly(n int, low, high float32) axis {
	a, width := axis{}, (float64(high)-float64(low))/float64(n)
	for i := 1; i < n; i++ {
		a = append(a, float64(low)+float64(float64(i)*width))
	}
	return a
}

// axisOf returns the axis that is cut at values.
func axisOf(values []float32) axis {
	a := make(axis, len(values))
	for i, v := range values {
		a[i] = float64(v)
	}
	return a
}

// isFinite reports whether all values are finite.
func (a axis) isFinite() bool {
	return !slices.ContainsFunc(a, func(v float64) bool {
		return math.IsNaN(v) || math.IsInf(v, 0)
	})
}

// roundings is the tolerance for rounding in a step, in units in the last place of float32.
const roundings = 4

// slackAt returns the tolerance for positions around v, in world units.
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

// width returns the width of the narrowest bounded part that is not empty.
func (a axis) width() float32 {
	width := float64(math.MaxFloat32)
	for part := 1; part < len(a); part++ {
		if !a.empty(part) {
			width = min(width, a.high(part)-a.low(part))
		}
	}
	return float32(width)
}

// of returns the part that contains v. NaN belongs to the first part.
func (a axis) of(v float32) int {
	return sort.Search(len(a), func(i int) bool { return !(a[i] <= float64(v)) })
}

// distance returns the distance of v from a part. It is infinite for an empty part.
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

// touch reports whether two parts are adjacent.
func (a axis) touch(i, j int) bool {
	for part := min(i, j) + 1; part < max(i, j); part++ {
		if !a.empty(part) {
			return false
		}
	}
	return true
}

// overlaps reports whether a part has a point in common with a part of another axis.
func (a axis) overlaps(part int, b axis, other int) bool {
	return max(a.low(part), b.low(other)) < min(a.high(part), b.high(other))
}
