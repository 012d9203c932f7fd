// Package query describes queries, without walking any world.
//
//	terms    Read(position.at), Without(frozen)   a Spec: declared once, numbered, for all worlds
//	rules    allOf:0 && excludeOf:3               Rules: by the numbers of one world's kinds
//	plan     columns and managers                 a Plan: created at a world's first use of it
//
// Equal terms share one Spec. Rules say which objects match, but not which fields are read or
// written. A plan says both; package walk uses it. The package also finds the fields that several
// plans use and write, so that walks and tasks may be open in parallel.
package query

import (
	"slices"
	"strings"
	"sync"

	"github.com/flatecs/flatecs/layout"
)

// A Spec is a declared query.
type Spec struct {
	Number uint32 // process-wide, dense; never in a world's bytes
	Terms  []Term
}

// declared holds all queries of the program, without duplicates, by a hash of their terms.
var declared struct {
	sync.Mutex
	queries map[uint64][]*Spec
	count   uint32
}

// Declare returns the query of terms, the same for equal terms.
func Declare(terms []Term) *Spec {
	for i := range terms {
		terms[i].checkFields()
	}
	sum := hashOf(terms)
	declared.Lock()
	defer declared.Unlock()
	for _, q := range declared.queries[sum] {
		if slices.EqualFunc(q.Terms, terms, Term.equal) {
			return q
		}
	}
	if declared.queries == nil {
		declared.queries = map[uint64][]*Spec{}
	}
	q := &Spec{Number: declared.count, Terms: slices.Clone(terms)}
	declared.count++
	declared.queries[sum] = append(declared.queries[sum], q)
	return q
}

// hashOf is FNV-1a of the modes and of the numbers of fields and kinds, where these are cheap to
// get. Package maphash would add type information to the programs of pages.
func hashOf(terms []Term) uint64 {
	sum := uint64(14695981039346656037)
	mix := func(n uint32) { sum = (sum ^ uint64(n)) * 1099511628211 }
	for _, t := range terms {
		mix(uint32(t.Mode))
		for _, a := range t.Access {
			if f, ok := a.(layout.AnyField); ok {
				mix(f.Spec().Number)
			}
		}
		for _, k := range t.Kinds {
			mix(k.Spec().Number)
		}
	}
	return sum
}

// Hides returns the number of the kind [layout.Disabled] if q implicitly excludes its objects in a
// world, or -1 if the world does not count the kind, or q names it.
func (q *Spec) Hides(world Numbers) int {
	for i := range q.Terms {
		if q.Terms[i].ofDisabled() {
			return -1
		}
	}
	return world.Slot(layout.Disabled.Spec())
}

// Requires reports whether q requires a kind.
func (q *Spec) Requires(kind *layout.KindSpec) bool {
	for k := range q.Required {
		if k == kind {
			return true
		}
	}
	return false
}

// Required yields the kinds that q requires, in the order in which the terms name them, with
// duplicates.
func (q *Spec) Required(yield func(*layout.KindSpec) bool) {
	for _, t := range q.Terms {
		if !t.Mode.Needs() {
			continue
		}
		for k := range t.kinds {
			if !yield(k) {
				return
			}
		}
	}
}

// Asks reports whether some term of q has a mode.
func (q *Spec) Asks(m Mode) bool {
	return slices.ContainsFunc(q.Terms, func(t Term) bool { return t.Mode == m })
}

// String returns q's terms as Go code, with fields as kind.field.
func (q *Spec) String() string {
	terms := make([]string, len(q.Terms))
	for i, t := range q.Terms {
		terms[i] = t.String()
	}
	return "NewQuery(" + strings.Join(terms, ", ") + ")"
}

// Conflict returns a field that one of two queries writes and the other asks for, or nil.
func Conflict(p, q *Spec) *layout.FieldSpec {
	for f, mode := range p.Fields {
		for g, other := range q.Fields {
			if f == g && (mode == Write || other == Write) {
				return f
			}
		}
	}
	return nil
}

// Fields yields the fields that a query asks for, with their modes; fields of the kinds of a
// Changed term have mode [Changed].
func (q *Spec) Fields(yield func(f *layout.FieldSpec, mode Mode) bool) {
	for _, t := range q.Terms {
		if t.Mode == Changed {
			for _, k := range t.Kinds {
				t.Access = append(t.Access, k)
			}
		}
		for _, a := range t.Access {
			for _, f := range a.Fields() {
				if !yield(f, t.Mode) {
					return
				}
			}
		}
	}
}
