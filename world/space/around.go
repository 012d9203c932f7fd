package space

import (
	"fmt"
	"iter"
	"math"

	"github.com/flatecs/flatecs/world"
)

// Around yields the entries from first to before end, each with runs that contain every entry
// within radius of it, as those of [View.Near] do. In a box without Wrap they contain more: all
// entries of one cell have the same runs.
// It is the fastest way to look at the neighbours of all: entries that follow each other share
// cells, which a box finds once for each cell. Tasks share the entries; what they compute for each
// goes back to the objects by [Return]. The runs of an entry do not depend on first and end.
// It panics if first is negative, or if radius is negative or NaN.
func (v View[T]) Around(first, end int, radius float64) iter.Seq2[int, Runs] {
	return func(yield func(entry int, near Runs) bool) {
		c := v.of()
		switch {
		case first < 0:
			panic(fmt.Sprintf("space: Around from entry %d; count from 0", first))
		case !(radius >= 0):
			panic(noRadius(radius))
		}
		end := min(end, len(c.points))
		if c.wrap || c.hashed {
			for e := first; e < end; e++ {
				if !yield(e, v.Near(c.points[e], radius)) {
					return
				}
			}
			return
		}
		if first >= end {
			return
		}
		at := c.stationOf(first, radius)
		for e := first; e < end; {
			near, next := at.around(e)
			for next = min(next, end); e < next; e++ {
				if !yield(e, near) {
					return
				}
			}
		}
	}
}

// A station is a cell on a way through all cells of a box.
type station struct {
	*lattice
	reach   [3]int // cells along each axis that a ball in one cell reaches beyond it
	cell    int
	x, y, z int // of the cell
}

// stationOf returns the cell of an entry.
func (c *Cells[T]) stationOf(entry int, radius float64) station {
	p := c.at(&c.points[entry])
	cell, _ := c.cell(&p)
	at := station{lattice: &c.lattice, cell: int(cell)}
	at.x, at.y, at.z = at.cell%c.n[0], at.cell/c.n[0]%c.n[1], at.cell/c.n[0]/c.n[1]
	for axis := range c.dims {
		w := c.window(axis, radius)
		at.reach[axis] = int(math.Ceil(w.reach))
	}
	return at
}

// around goes on to the cell of an entry. It returns the runs around all entries there, and the
// entry behind them.
func (c *station) around(entry int) (near Runs, next int) {
	for int(c.starts[c.cell+1]) <= entry {
		c.cell++
		if c.x++; c.x == c.n[0] {
			c.x = 0
			if c.y++; c.y == c.n[1] {
				c.y = 0
				c.z++
			}
		}
	}
	near.beginInside(c.lattice,
		max(0, c.x-c.reach[0]), min(c.n[0]-1, c.x+c.reach[0]),
		max(0, c.y-c.reach[1]), min(c.n[1]-1, c.y+c.reach[1]),
		max(0, c.z-c.reach[2]), min(c.n[2]-1, c.z+c.reach[2]))
	return near, int(c.starts[c.cell+1])
}

// Return copies values, one per entry, to the objects of a batch: dst is a column of it. Objects
// that are in no cell keep what they have. It panics if dst is not as long as b, if there are not
// as many values as entries, and in a batch of a row-wise query.
func Return[V, T any](dst []V, v View[T], b world.Batch, values []V) {
	c := v.of()
	if len(dst) != b.Len() || len(values) != len(c.points) {
		panic(fmt.Sprintf("space: Return of %d values to %d objects: the cells have %d entries, "+
			"and the batch %d objects; give a value per entry, and a column of the batch",
			len(values), len(dst), len(c.points), b.Len()))
	}
	if len(dst) == 0 {
		return
	}
	first, last := int(b.ID(0).Index()), int(b.ID(len(dst)-1).Index())
	if last-first != len(dst)-1 || last >= len(c.entries) {
		c.returnApart(b, func(object, entry int) { dst[object] = values[entry] })
		return
	}
	for i, e := range c.entries[first:][:len(dst)] {
		if e != nowhere {
			dst[i] = values[e]
		}
	}
}

// returnApart calls set for the objects of a batch that are in a cell. Their indexes do not follow
// each other.
func (c *Cells[T]) returnApart(b world.Batch, set func(object, entry int)) {
	for i := range b.Len() {
		if index := int(b.ID(i).Index()); index < len(c.entries) && c.entries[index] != nowhere {
			set(i, int(c.entries[index]))
		}
	}
}
