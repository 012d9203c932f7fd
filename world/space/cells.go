package space

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Cells are the positions of objects, ordered by cell. They are a copy, as of the last build, and
// are not part of snapshots, files and digests. [Cells.Build] belongs to one goroutine.
type Cells[T any] struct {
	source  source[T]
	cloud   cloud
	points  []T                // per entry
	ids     []world.GameObject // per entry
	carried []column
	entries []uint32 // per index of an object: its entry, from 1; 0: no entry
	sorter  sorter[T]
	strays  strays
	built   tool.Moment
	turn    uint64 // number of builds; a View is valid for one
}

// A source describes the positions of a field.
type source[T any] struct {
	field layout.Field[T]
	axes  [3]layout.Axis[T]
	dims  int
	query world.Query
}

// coordinates returns the coordinates of a position.
func (s *source[T]) coordinates(v *T) (p [3]float64) {
	p[0], p[1] = s.axes[0].Of(v), s.axes[1].Of(v)
	if s.dims == 3 {
		p[2] = s.axes[2].Of(v)
	}
	return p
}

// read sets the coordinates of points.
func (s *source[T]) read(at *[3][chunk]float64, points []T) {
	for axis := range s.dims {
		s.axes[axis].Read(at[axis][:], points)
	}
}

const chunk = 128 // points whose coordinates are read at once

// NewCells returns cells for the positions in a field, with all memory that worlds with the counts
// of s need. The error wraps [ErrOptions], or [world.ErrNoKind]. It panics if f does not have an
// axis named in o.Axes.
func NewCells[T any](s world.State, f layout.Field[T], o Options) (*Cells[T], error) {
	from, err := sourceOf(f, &o)
	if err != nil {
		return nil, err
	}
	if err := o.check(from.dims); err != nil {
		return nil, err
	}
	if _, err := tool.NumberOf(s, f.Kind()); err != nil {
		return nil, err
	}
	objects, _, err := world.CountsOf(s).Room()
	if err != nil {
		return nil, err
	}
	rows := min(tool.Cap(s, f.Kind()), objects)
	c := &Cells[T]{source: from, cloud: cloudOf(latticeOf(&o, from.dims, rows), rows)}
	c.points, c.ids = make([]T, rows), make([]world.GameObject, rows)
	for _, f := range o.Carry {
		c.carried = append(c.carried, f.column(rows))
	}
	c.entries = make([]uint32, (objects+63)&^63)
	c.sorter = sorterOf(c, max(o.Parts, 1))
	return c, nil
}

// In returns the cells for a State of the world passed to Build. It panics if positions were added,
// removed or written since, also of objects that the query omits, or the world went back to a
// snapshot: build the cells again. It does not notice changes of other kinds that the query names.
func (c *Cells[T]) In(s world.State) View[T] {
	if c == nil {
		panic("space: nil Cells belong to no world; make them by NewCells")
	}
	if tool.MomentOf(s, c.source.field.Kind()) != c.built {
		panic(fmt.Sprintf("space: these cells were not built for this State: %s was written "+
			"since, or it is another world's; write state = cells.Build(state, workers) first",
			c.source.field.Kind()))
	}
	return View[T]{c, c.turn}
}

// A View gives access to current cells. Entries are numbered from 0, ordered by cell, then by
// object. It is valid until the cells are built again, and panics afterwards; any number of
// goroutines may use it.
type View[T any] struct {
	cells *Cells[T]
	turn  uint64 // of the cells
}

// Len returns the number of entries, which is the number of objects in cells.
func (v View[T]) Len() int { return len(v.of().points) }

// Points returns the position of each entry, for reading.
func (v View[T]) Points() []T { return v.of().points }

// IDs returns the object of each entry, for reading.
func (v View[T]) IDs() []world.GameObject { return v.of().ids }

// ID returns the object of an entry. It panics if the entry does not exist.
func (v View[T]) ID(entry int) world.GameObject {
	ids := v.of().ids
	if uint(entry) >= uint(len(ids)) {
		panicEntry(entry, len(ids))
	}
	return ids[entry]
}

//go:noinline
func panicEntry(entry, of int) {
	panic(fmt.Sprintf("space: a view of %d entries has no entry %d; give one that a search yields",
		of, entry))
}

// Strays returns nil if all positions are finite and inside the box. Otherwise the error wraps
// [ErrOutside], or [ErrNotFinite], or both, and gives the number of such positions and the first
// object.
func (v View[T]) Strays() error { return v.of().strays.err(v.cells.source.dims) }

// Between returns the vector from a to b along the axes of the cells: on a torus, the shortest one.
func (v View[T]) Between(a, b T) [3]float64 {
	c := v.of()
	p, q := c.source.coordinates(&a), c.source.coordinates(&b)
	return c.cloud.between(&p, &q)
}

// Column returns the values of a carried field, one per entry, for reading. It panics if the cells
// do not carry the field.
func Column[V, T any](v View[T], f layout.Field[V]) []V {
	for _, c := range v.of().carried {
		if k, ok := c.(*carried[V]); ok && k.field == f {
			return k.values[:len(v.cells.points)]
		}
	}
	panic(fmt.Sprintf("space: these cells do not carry %s; give space.Carry of it in Options.Carry",
		f.Spec().Title(layout.Part{})))
}

func (v View[T]) of() *Cells[T] {
	if v.cells == nil || v.cells.turn != v.turn {
		panic("space: this View is stale, or of no cells; write view = cells.In(state)")
	}
	return v.cells
}
