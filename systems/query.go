package systems

import (
	"iter"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
)

// A Query says which objects a system works on and which of their fields it reads and writes. It is
// declared once, as a package-level variable, and serves every world: it holds nothing of any. Its
// fields may be given to their kinds later; each world finds their columns at its first walk.
type Query struct{ spec *querySpec }

// A Term is one condition of a query.
type Term struct {
	mode   mode
	access []layout.Access
	kinds  []Kind
}

type mode uint8

const (
	read mode = iota
	write
	with
	without
	anyOf
)

type querySpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	terms  []Term
}

var queries atomic.Uint32 // next querySpec.number

// Read asks for fields, or for all fields of kinds: objects that have those kinds match.
func Read(what ...layout.Access) Term { return Term{mode: read, access: what} }

// Write asks for fields, or for all fields of kinds, that the system changes: objects that have
// those kinds match.
func Write(what ...layout.Access) Term { return Term{mode: write, access: what} }

// With asks for objects that have every one of kinds, without their fields.
func With(kinds ...Kind) Term { return Term{mode: with, kinds: kinds} }

// Without asks for objects that have none of kinds.
func Without(kinds ...Kind) Term { return Term{mode: without, kinds: kinds} }

// Any asks for objects that have at least one of kinds. Of no kinds nobody has one.
func Any(kinds ...Kind) Term { return Term{mode: anyOf, kinds: kinds} }

// NewQuery declares a query: objects match when every term holds.
func NewQuery(terms ...Term) Query {
	return Query{&querySpec{queries.Add(1) - 1, terms}}
}

// In walks the matching objects of s, ascending, in batches. While the walk is open, fields that it
// writes are reached through its batches only, and the world's structure stays as it is.
func (q Query) In(s State) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.use().walk(q.spec, yield) }
}

// Count returns how many objects of s match.
func (q Query) Count(s State) int {
	n := 0
	for b := range q.In(s) {
		n += b.Len()
	}
	return n
}
