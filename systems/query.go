package systems

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// A Query says which objects a system works on and which of their fields it reads and writes. It
// serves every world and holds nothing of any: each world finds its columns at the first use, or
// when it is created with the query in [Counts]. Queries of the same terms are one, so that one may
// be made where it is used. A query that needs a kind which the world has not, or whose terms
// contradict each other, is refused then. A kind that the world does not count is on no object:
// [Without], [Any], [Optional] and [Changed] may name it.
type Query struct{ spec *query.Spec }

// A Term is one rule of a query.
type Term struct{ term query.Term }

// Read asks for fields, or for all fields of kinds: objects that have those kinds match.
func Read(what ...layout.Access) Term { return Term{query.TermOfFields(query.Read, what)} }

// Write asks for fields, or for all fields of kinds, that the system changes: objects that have
// those kinds match.
func Write(what ...layout.Access) Term { return Term{query.TermOfFields(query.Write, what)} }

// Optional asks to read fields, or all fields of kinds, that objects need not have: batches are
// split so that such a column is there for all objects of a batch, or nil.
func Optional(what ...layout.Access) Term {
	return Term{query.TermOfFields(query.Optional, what)}
}

// With asks for objects that have every one of kinds (allOf), without their fields.
func With(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.With, kinds)} }

// Without asks for objects that have none of kinds (excludeOf).
func Without(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.Without, kinds)} }

// Any asks for objects that have at least one of kinds (anyOf). Of no kinds nobody has one.
func Any(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.Any, kinds)} }

// Only asks for objects that have every one of kinds and no other kind or mark (onlyOf).
func Only(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.Only, kinds)} }

// Changed asks, in a walk by [Query.Since], for objects of which a component of at least one of
// kinds may have been written after a tick. It is kept per 64 rows: it may let a neighbour of a
// written row through, and never misses one.
func Changed(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.Changed, kinds)} }

// RowWise says that the system treats each row on its own, and copes with any bytes in it: then a
// batch may hold a few rows between matching ones that do not match, and are put back afterwards.
// Such a batch knows no ids.
func RowWise() Term { return Term{query.Term{Mode: query.RowWise}} }

// NewQuery returns the query of terms: objects match when every term holds.
func NewQuery(terms ...Term) Query {
	var few [8]query.Term
	return Query{query.Declare(rulesOf(few[:0], terms))}
}

// And returns the query of q's terms and more.
func (q Query) And(terms ...Term) Query {
	return Query{query.Declare(rulesOf(slices.Clone(q.declared().Terms), terms))}
}

// rulesOf appends what terms say.
func rulesOf(dst []query.Term, terms []Term) []query.Term {
	for i := range terms {
		dst = append(dst, terms[i].term)
	}
	return dst
}

// declared returns what q is. It panics when q is the zero Query.
func (q Query) declared() *query.Spec {
	if q.spec == nil {
		panic("systems: the zero Query asks for nothing; declare one by NewQuery")
	}
	return q.spec
}

// String returns q's terms as they are written, fields as kind.field.
func (q Query) String() string {
	if q.spec == nil {
		return "the zero Query"
	}
	return q.spec.String()
}

// String returns t as it is written, fields as kind.field.
func (t Term) String() string { return t.term.String() }
