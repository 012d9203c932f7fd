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
func Carry[V any](f layout.Field[V]) Carried { return &carried[V]{field: f} }

// A column is the values of a carried field.
type column interface {
	take(b world.Batch, entries []uint32)
}

type carried[V any] struct {
	field  layout.Field[V]
	values []V // per entry
}

func (c *carried[V]) access() layout.Access { return c.field }

func (c *carried[V]) column(rows int) column { return &carried[V]{c.field, make([]V, rows)} }

// take copies the values of a batch to their entries.
func (c *carried[V]) take(b world.Batch, entries []uint32) {
	scatter(c.values, world.Column(b, c.field), entries)
}

// Return copies values, one per entry, to dst, a column of batch b. Objects in no cell keep their
// values. It panics if dst is not as long as b, if the number of values differs from the number of
// entries, and in a batch of a row-wise query.
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
		for i := range dst {
			if at := int(b.ID(i).Index()); at < len(c.entries) && c.entries[at] > 0 {
				dst[i] = values[c.entries[at]-1]
			}
		}
		return
	}
	for i, e := range c.entries[first:][:len(dst)] {
		if e > 0 {
			dst[i] = values[e-1]
		}
	}
}
