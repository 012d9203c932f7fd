package shard

import (
	"fmt"
	"slices"
)

// A Partition assigns parts of space to shards. It is the same in all shards, and only [Propose]
// changes it. [Strips] and [Grid] return partitions; functions of your own must be pure, and are
// called by several goroutines at once.
type Partition struct {
	Shards int     // numbered from 0
	Width  float32 // of the narrowest region, in world units

	// Of returns the shard that owns a point. Each point has one, those outside of the world too.
	Of func(at [3]float32) int

	// Distance returns how far a point is from the region of a shard, in world units: 0 inside.
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

// between returns the regions between borders.
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

// Region returns the ends of a shard's region along x and y, in world units: infinite at the sides.
// Of a region without width they are equal. It reports false if p is not of Strips or Grid.
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

// peers lists the shards that objects can come from or go to, when next takes the place of p.
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

// check returns an error if no shard can run in the partition.
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
