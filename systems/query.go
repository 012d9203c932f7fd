package systems

import (
	"iter"
	"slices"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
)

// A Query says which objects a system works on and which of their fields it reads and writes. It is
// declared once, as a package-level variable, and serves every world: it holds nothing of any. Its
// fields may be given to their kinds later; each world finds their columns at its first walk.
type Query struct{ spec *querySpec }

// A Term is one rule of a query.
type Term struct {
	mode   mode
	access []layout.Access
	kinds  []Kind
}

type mode uint8

const (
	read mode = iota
	write
	optional
	with
	without
	anyOf
	only
	changed
	rowWise
)

type querySpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	terms  []Term
	forced bool // tests only: gather every batch
}

var queries atomic.Uint32 // next querySpec.number

// Read asks for fields, or for all fields of kinds: objects that have those kinds match.
func Read(what ...layout.Access) Term { return Term{mode: read, access: slices.Clone(what)} }

// Write asks for fields, or for all fields of kinds, that the system changes: objects that have
// those kinds match.
func Write(what ...layout.Access) Term { return Term{mode: write, access: slices.Clone(what)} }

// Optional asks to read fields, or all fields of kinds, that objects need not have: batches are
// split so that such a column is there for all objects of a batch, or nil.
func Optional(what ...layout.Access) Term {
	return Term{mode: optional, access: slices.Clone(what)}
}

// With asks for objects that have every one of kinds (allOf), without their fields.
func With(kinds ...Kind) Term { return Term{mode: with, kinds: slices.Clone(kinds)} }

// Without asks for objects that have none of kinds (excludeOf).
func Without(kinds ...Kind) Term { return Term{mode: without, kinds: slices.Clone(kinds)} }

// Any asks for objects that have at least one of kinds (anyOf). Of no kinds nobody has one.
func Any(kinds ...Kind) Term { return Term{mode: anyOf, kinds: slices.Clone(kinds)} }

// Only asks for objects that have every one of kinds and no other kind or mark (onlyOf).
func Only(kinds ...Kind) Term { return Term{mode: only, kinds: slices.Clone(kinds)} }

// Changed asks, in a walk by [Query.Since], for objects of which a component of at least one of
// kinds may have been written after a tick. It is kept per 64 rows: it may let a neighbour of a
// written row through, and never misses one.
func Changed(kinds ...Kind) Term { return Term{mode: changed, kinds: slices.Clone(kinds)} }

// RowWise says that the system treats each row on its own, and copes with any bytes in it: then a
// batch may hold a few rows between matching ones that do not match, and are put back afterwards.
// Such a batch knows no ids.
func RowWise() Term { return Term{mode: rowWise} }

// NewQuery declares a query: objects match when every term holds.
func NewQuery(terms ...Term) Query {
	return Query{&querySpec{number: queries.Add(1) - 1, terms: slices.Clone(terms)}}
}

// And returns a new query with q's terms and more.
func (q Query) And(terms ...Term) Query { return NewQuery(slices.Concat(q.spec.terms, terms)...) }

// In walks the matching objects of s, ascending, in batches. While the walk is open, fields that it
// writes are reached through its batches only, and the world's structure stays as it is.
func (q Query) In(s State) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.look().walk(q.spec, 0, yield) }
}

// Since is In for objects that may have changed after a tick, as the query's [Changed] terms say.
// It panics when it has none.
func (q Query) Since(s State, tick uint64) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.look().walk(q.spec, tick, yield) }
}

// Of walks one object: a batch of one row when it is alive and matches, otherwise none.
func (q Query) Of(s State, id GameObject) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.look().walkOne(q.spec, id, yield) }
}

// Matches reports whether an object is alive and matches.
func (q Query) Matches(s State, id GameObject) bool {
	j := s.look()
	return j.Objects.Alive(id) && j.planOf(q.spec).Object(id.Index())
}

// Objects yields the matching objects, ascending.
func (q Query) Objects(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().objects(q.spec, yield) }
}

// Count returns how many objects match.
func (q Query) Count(s State) int { return s.look().countOf(q.spec) }

// First returns the matching object of the lowest index, if any object matches.
func (q Query) First(s State) (id GameObject, ok bool) {
	for id := range q.Objects(s) {
		return id, true
	}
	return 0, false
}
