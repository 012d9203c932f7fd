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

// A Query says which objects a system works on and which of their fields it reads and writes. It
// serves every world and holds nothing of any: each world finds its columns at the first use, or
// when it is created with the query in [Counts]. Queries of the same terms are one, so that one may
// be made where it is used. A query that needs a kind which the world has not, or whose terms
// contradict each other, is refused then. A kind that the world does not count is on no object:
// [Without], [Any], [Optional] and [Changed] may name it.
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
	forced // tests only: gather every batch
)

// modeNames are the functions that make terms.
var modeNames = [...]string{
	read: "Read", write: "Write", optional: "Optional", with: "With", without: "Without",
	anyOf: "Any", only: "Only", changed: "Changed", rowWise: "RowWise", forced: "forced",
}

// needs reports whether objects have to have what such a term names.
func (m mode) needs() bool { return m == read || m == write || m == with || m == only }

type querySpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	terms  []Term
}

// declared are all queries that were ever made, each once, by a hash of their terms.
var declared struct {
	sync.Mutex
	queries map[uint64][]*querySpec
	count   uint32
}

// Read asks for fields, or for all fields of kinds: objects that have those kinds match.
func Read(what ...layout.Access) Term { return Term{mode: read, access: asked(what)} }

// Write asks for fields, or for all fields of kinds, that the system changes: objects that have
// those kinds match.
func Write(what ...layout.Access) Term { return Term{mode: write, access: asked(what)} }

// Optional asks to read fields, or all fields of kinds, that objects need not have: batches are
// split so that such a column is there for all objects of a batch, or nil.
func Optional(what ...layout.Access) Term {
	return Term{mode: optional, access: asked(what)}
}

// With asks for objects that have every one of kinds (allOf), without their fields.
func With(kinds ...layout.AnyKind) Term { return termOf(with, kinds) }

// Without asks for objects that have none of kinds (excludeOf).
func Without(kinds ...layout.AnyKind) Term { return termOf(without, kinds) }

// Any asks for objects that have at least one of kinds (anyOf). Of no kinds nobody has one.
func Any(kinds ...layout.AnyKind) Term { return termOf(anyOf, kinds) }

// Only asks for objects that have every one of kinds and no other kind or mark (onlyOf).
func Only(kinds ...layout.AnyKind) Term { return termOf(only, kinds) }

// Changed asks, in a walk by [Query.Since], for objects of which a component of at least one of
// kinds may have been written after a tick. It is kept per 64 rows: it may let a neighbour of a
// written row through, and never misses one.
func Changed(kinds ...layout.AnyKind) Term { return termOf(changed, kinds) }

// RowWise says that the system treats each row on its own, and copes with any bytes in it: then a
// batch may hold a few rows between matching ones that do not match, and are put back afterwards.
// Such a batch knows no ids.
func RowWise() Term { return Term{mode: rowWise} }

// NewQuery returns the query of terms: objects match when every term holds.
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

// And returns the query of q's terms and more.
func (q Query) And(terms ...Term) Query {
	return NewQuery(slices.Concat(q.declared().terms, terms)...)
}

func (q Query) declared() *querySpec {
	if q.spec == nil {
		panic("flatecs: the zero Query asks for nothing; declare one by NewQuery")
	}
	return q.spec
}

// String returns q's terms as they are written, fields as kind.field.
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

// String returns t as it is written, fields as kind.field.
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
