package space

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// Options are the options of [Cells].
type Options struct {
	// Size is the edge of a cell, in world units: about the most common radius of searches.
	Size float64

	// Axes are two or three numbers of the field, as layout.Field.Axis names them. The default is
	// all numbers of the field.
	Axes []string

	// Low and High are the corners of a box, with a number per axis. Without them, space is
	// unbounded, and cells share places in a table.
	Low, High []float64

	// Wrap makes the box a torus: its opposite sides are joined.
	Wrap bool

	// Query selects the objects in the cells; it must only read. The default is all objects with
	// the field.
	Query world.Query

	// Carry lists fields whose values are in the cells beside the positions; see Carry.
	Carry []Carried

	// Parts is the number of parts that are built in parallel, at most 64; 0 means 1. Each takes 4
	// bytes per cell; more parts than workers gain nothing.
	Parts int
}

const (
	maxCells = 1 << 27 // of a box; 512 MB of memory for each part
	maxParts = 64
)

// sourceOf returns the source of positions that the options describe.
func sourceOf[T any](f layout.Field[T], o *Options) (s source[T], err error) {
	names := o.Axes
	if len(names) == 0 {
		names = f.Axes()
	}
	if len(names) != 2 && len(names) != 3 {
		return s, fmt.Errorf("%w: field %s with %d axes %q; name 2 or 3 of its float32 and "+
			"float64 in Axes", ErrOptions, f.Spec().Title(layout.Part{}), len(names), names)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return s, fmt.Errorf("%w: field %s with axis %q twice; name each axis once",
				ErrOptions, f.Spec().Title(layout.Part{}), name)
		}
		s.axes[i] = f.Axis(name)
	}
	s.field, s.dims = f, len(names)
	s.query, err = queryOf(f, o)
	return s, err
}

// check returns an error if the options are invalid for dims axes.
func (o *Options) check(dims int) error {
	switch {
	case !(o.Size > 0) || math.IsInf(o.Size, 0):
		return fmt.Errorf("%w: Size %v; give the edge of a cell", ErrOptions, o.Size)
	case o.Parts < 0 || o.Parts > maxParts:
		return fmt.Errorf("%w: Parts %d; give 0 to %d", ErrOptions, o.Parts, maxParts)
	case len(o.Low) == 0 && len(o.High) == 0 && o.Wrap:
		return fmt.Errorf("%w: Wrap without a box; give Low and High", ErrOptions)
	case len(o.Low) == 0 && len(o.High) == 0:
		return nil
	case len(o.Low) != dims || len(o.High) != dims:
		return fmt.Errorf("%w: Low and High of %d and %d numbers with %d axes; give one per axis",
			ErrOptions, len(o.Low), len(o.High), dims)
	}
	cells := 1.0
	for i, low := range o.Low {
		edge := o.High[i] - low
		if !(edge > 0) || math.IsInf(edge, 0) {
			return fmt.Errorf("%w: a box from %v to %v on axis %d; give Low below High",
				ErrOptions, low, o.High[i], i)
		}
		cells = float64(cells * max(1, math.Floor(edge/o.Size)))
	}
	if cells > maxCells {
		return fmt.Errorf("%w: %.0f cells of size %v; the most is %d, so give a larger Size",
			ErrOptions, cells, o.Size, maxCells)
	}
	return nil
}

// queryOf returns the query that cells walk.
func queryOf[T any](f layout.Field[T], o *Options) (world.Query, error) {
	read := []layout.Access{f}
	for _, c := range o.Carry {
		if c == nil {
			return world.Query{}, fmt.Errorf("%w: a nil in Carry; give Carry(field)", ErrOptions)
		}
		read = append(read, c.access())
	}
	if o.Query == (world.Query{}) {
		return world.NewQuery(world.Read(read...)), nil
	}
	all := []world.Query{o.Query}
	if w, writes := systems.Conflict(all, all); writes {
		return world.Query{}, fmt.Errorf("%w: the query writes %s; give one that only reads",
			ErrOptions, w.Title(layout.Part{}))
	}
	return o.Query.And(world.Read(read...)), nil
}
