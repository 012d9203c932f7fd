package space

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// Carried is a field whose values the cells copy beside the positions.
type Carried interface {
	access() layout.Access
	column(rows int) column
}

// Carry returns a field for [Options.Carry]. Loops over neighbours then read its values, as of the
// build, from the slice that [Column] returns.
func Carry[V any](f layout.Field[V]) Carried { return carriedField[V]{f} }

type carriedField[V any] struct{ field layout.Field[V] }

func (c carriedField[V]) access() layout.Access { return c.field }

func (c carriedField[V]) column(rows int) column {
	return &carriedColumn[V]{c.field, make([]V, rows)}
}

// A column is the values of a carried field.
type column interface {
	take(b world.Batch, entries []uint32)
}

type carriedColumn[V any] struct {
	field  layout.Field[V]
	values []V // per entry
}

// take copies the values of a batch to their entries.
func (c *carriedColumn[V]) take(b world.Batch, entries []uint32) {
	values := world.Column(b, c.field)
	for i, e := range entries {
		if e != nowhere {
			c.values[e] = values[i]
		}
	}
}

// Return copies values, one per entry, to dst, a column of batch b. Objects in no cell keep their
// values. It panics if dst is not as long as b, if there are not as many values as entries, and in
// a batch of a row-wise query.
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
