package space

import (
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
