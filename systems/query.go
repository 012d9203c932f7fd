package systems

import (
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/flatecs/flatecs/layout"
)

// A Query says which objects a system works on, and which of their fields it reads and writes. It
// serves every world: each world finds the columns on first use, or when it is created with the
// query in [Counts]. Equal queries share one declaration, so a query may be made where it is used.
// A query panics on first use if it requires a kind that the world does not have, or if its terms
// contradict each other; in [Counts] it is an error. No object has a kind that the world does not
// count, so [Without], [Any], [Optional] and [Changed] may name it.
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
	forced // for tests: gather every batch
)

// modeNames are the names of the functions that make terms.
var modeNames = [...]string{
	read: "Read", write: "Write", optional: "Optional", with: "With", without: "Without",
	anyOf: "Any", only: "Only", changed: "Changed", rowWise: "RowWise", forced: "forced",
}

// needs reports whether a term of this mode requires the kinds it names.
func (m mode) needs() bool { return m == read || m == write || m == with || m == only }

type querySpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	terms  []Term
}

// declared holds all queries ever made, without duplicates, by a hash of their terms.
var declared struct {
	sync.Mutex
	queries map[uint64][]*querySpec
	count   uint32
}

// Read asks for fields, or all fields of kinds, that the system reads. Objects must have the kinds.
func Read(what ...layout.Access) Term { return Term{mode: read, access: asked(what)} }

// Write asks for fields, or all fields of kinds, that the system reads and writes. Objects must
// have the kinds.
func Write(what ...layout.Access) Term { return Term{mode: write, access: asked(what)} }

// Optional asks for fields, or all fields of kinds, that the system reads if they are there.
// Batches are split so that such a column is there for all objects of a batch, or nil.
func Optional(what ...layout.Access) Term {
	return Term{mode: optional, access: asked(what)}
}

// With requires all of kinds (allOf), without asking for their fields.
func With(kinds ...layout.AnyKind) Term { return termOf(with, kinds) }

// Without excludes objects that have any of kinds (excludeOf).
func Without(kinds ...layout.AnyKind) Term { return termOf(without, kinds) }

// Any requires at least one of kinds (anyOf). With no kinds, no object matches.
func Any(kinds ...layout.AnyKind) Term { return termOf(anyOf, kinds) }

// Only requires all of kinds and no other kind or mark (onlyOf).
func Only(kinds ...layout.AnyKind) Term { return termOf(only, kinds) }

// Changed requires, in a walk by [Query.Since], that a component of at least one of kinds may have
// been written after the tick. Changes are recorded per 64 rows: Changed may let neighbours of a
// written row through, and never misses one.
func Changed(kinds ...layout.AnyKind) Term { return termOf(changed, kinds) }

// RowWise says that the system treats each row on its own and accepts any bytes in it. A batch may
// then contain a few rows that do not match; what is written to them is undone. Such a batch has no
// ids.
func RowWise() Term { return Term{mode: rowWise} }

// NewQuery returns the query of terms. Objects match if every term holds.
func NewQuery(terms ...Term) Query {
	var h maphash.Hash
	h.SetSeed(querySeed)
	for _, t := range terms {
		maphash.WriteComparable(&h, t.mode)
		for _, a := range t.access {
			maphash.WriteComparable(&h, a)
		}
		for _, k := range t.kinds {
			maphash.WriteComparable(&h, k)
		}
	}
	sum := h.Sum64()
	declared.Lock()
	defer declared.Unlock()
	for _, q := range declared.queries[sum] {
		if slices.EqualFunc(q.terms, terms, Term.equal) {
			return Query{q}
		}
	}
	if declared.queries == nil {
		declared.queries = map[uint64][]*querySpec{}
	}
	q := &querySpec{number: declared.count, terms: slices.Clone(terms)}
	declared.count++
	declared.queries[sum] = append(declared.queries[sum], q)
	return Query{q}
}

var querySeed = maphash.MakeSeed()

func (t Term) equal(u Term) bool {
	return t.mode == u.mode && slices.Equal(t.access, u.access) && slices.Equal(t.kinds, u.kinds)
}

// And returns the query with the terms of q and more.
func (q Query) And(terms ...Term) Query {
	return NewQuery(slices.Concat(q.declared().terms, terms)...)
}

func (q Query) declared() *querySpec {
	if q.spec == nil {
		panic("flatecs: the zero Query asks for nothing; declare one by NewQuery")
	}
	return q.spec
}

// String returns the terms of q as Go code, with fields as kind.field.
func (q Query) String() string {
	if q.spec == nil {
		return "the zero Query"
	}
	terms := make([]string, len(q.spec.terms))
	for i, t := range q.spec.terms {
		terms[i] = t.String()
	}
	return "NewQuery(" + strings.Join(terms, ", ") + ")"
}

// String returns t as Go code, with fields as kind.field.
func (t Term) String() string {
	var names []string
	for _, a := range t.access {
		name := fmt.Sprint(a)
		if f, ok := a.(layout.AnyField); ok {
			name = f.Spec().String()
		}
		names = append(names, name)
	}
	for _, k := range t.kinds {
		names = append(names, k.String())
	}
	return modeNames[t.mode] + "(" + strings.Join(names, ", ") + ")"
}

// In walks the matching objects of s, ascending, in batches. During the walk, the fields that it
// writes are accessible through its batches only, and the structure of the world must not change.
func (q Query) In(s State) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.look().walk(q.spec, 0, yield) }
}

// Since is In for objects that may have changed after tick, as the [Changed] terms say. It panics
// if the query has none.
func (q Query) Since(s State, tick uint64) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.look().walk(q.spec, tick, yield) }
}

// Of walks one object: it yields a batch of one row if the object is alive and matches, otherwise
// none.
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

// Count returns the number of matching objects.
func (q Query) Count(s State) int { return s.look().countOf(q.spec) }

// First returns the matching object with the lowest index, if any.
func (q Query) First(s State) (id GameObject, ok bool) {
	for id := range q.Objects(s) {
		return id, true
	}
	return 0, false
}
