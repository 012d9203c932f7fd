package shard

import (
	"fmt"
	"math"
	"slices"
)

// A Partition says which shard owns which part of space. It is the same in all shards, and does not
// change. [Strips] and [Grid] make two; the functions of others are pure and may be called at once.
type Partition struct {
	Shards int     // numbered from 0
	Width  float32 // of the narrowest region, in world units

	// Of returns the shard that owns a point. Each point has one, those outside of the world too.
	Of func(at [3]float32) int

	// Distance returns how far a point is from the region of a shard, in world units: 0 inside.
	Distance func(shard int, at [3]float32) float32

	// Neighbours lists the shards whose regions objects can enter in one tick, ascending.
	Neighbours func(shard int) []int
}

// Strips divides the x axis from low to high into n regions of the same width. The first and the
// last one go on without end.
func Strips(n int, low, high float32) Partition {
	return Grid(n, 1, [2]float32{low, 0}, [2]float32{high, 1})
}

// Grid divides the rectangle of x and y from low to high into columns times rows regions, numbered
// row by row. Those at the sides go on without end. Regions that touch in a corner are neighbours.
func Grid(columns, rows int, low, high [2]float32) Partition {
	x := axis{max(columns, 1), float64(low[0]), float64(high[0])}
	y := axis{max(rows, 1), float64(low[1]), float64(high[1])}
	width := math.Inf(1)
	for _, a := range []axis{x, y} {
		if a.n > 1 {
			width = min(width, a.width())
		}
	}
	return Partition{
		Shards: x.n * y.n,
		Width:  float32(min(width, math.MaxFloat32)),
		Of:     func(at [3]float32) int { return y.of(at[1])*x.n + x.of(at[0]) },
		Distance: func(shard int, at [3]float32) float32 {
			return float32(max(x.distance(shard%x.n, at[0]), y.distance(shard/x.n, at[1])))
		},
		Neighbours: func(shard int) (list []int) {
			for other := range x.n * y.n {
				dx, dy := other%x.n-shard%x.n, other/x.n-shard/x.n
				if other != shard && dx*dx <= 1 && dy*dy <= 1 {
					list = append(list, other)
				}
			}
			return list
		},
	}
}

// An axis is cut into n parts from low to high.
type axis struct {
	n         int
	low, high float64
}

func (a axis) width() float64 { return (a.high - a.low) / float64(a.n) }

// of returns the part in which v is. NaN is in the first one.
func (a axis) of(v float32) int {
	part := math.Floor((float64(v) - a.low) / a.width())
	if !(part > 0) {
		return 0
	}
	return int(min(part, float64(a.n-1)))
}

// distance returns how far v is from a part; the outer ones have no end.
func (a axis) distance(part int, v float32) float64 {
	d := 0.0
	if part > 0 {
		d = max(d, a.low+float64(float64(part)*a.width())-float64(v))
	}
	if part < a.n-1 {
		d = max(d, float64(v)-(a.low+float64(float64(part+1)*a.width())))
	}
	return d
}

// check returns an error if no shard can run in the partition.
func (p *Partition) check(shard int) error {
	switch {
	case p.Shards < 1 || shard < 0 || shard >= p.Shards:
		return fmt.Errorf("%w: shard %d of %d; number them from 0", ErrOptions, shard, p.Shards)
	case p.Of == nil || p.Distance == nil || p.Neighbours == nil:
		return fmt.Errorf("%w: Partition lacks a function; use Strips or Grid, or set Of, "+
			"Distance and Neighbours", ErrOptions)
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
