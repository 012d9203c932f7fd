package space

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// Carried is a field whose values lie in cells beside the positions.
type Carried interface {
	access() layout.Access
	column(rows int) column
}

// Carry returns a field for [Options.Carry]. Loops over neighbours then read its values side by
// side, by [Column], as they were when the cells were built.
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
