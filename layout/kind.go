package layout

import (
	"fmt"
	"sync/atomic"
)

// A Row is the number of a component within its kind, an index into the kind's columns.
type Row uint32

// A KindSpec is the declaration of a [Kind]. It is read-only.
type KindSpec struct {
	Name   string
	Number uint32 // process-wide, dense; never in a world's bytes
	Fields []*FieldSpec
	Mark   bool
	Values ValueColumn // without rows, to make columns; nil for kinds with fields
	Place  int         // place of a foreign kind, plus 1; else 0
	Beside string      // "resource" or "events" for a kind that is on no object; else ""

	Relation *RelationSpec // nil: not a relation
	Last     *KindSpec     // if the kind stores a watcher's last values: their kind
	Of       *FieldSpec    // if the kind stores elements or free runs of a list: the list

	rows func(dst []Count, c Count, objects int) []Count // of the elements of its lists, or nil
	from place                                           // of the declaration
}

// A Kind is a handle to a declared kind of component.
type Kind struct{ spec *KindSpec }

// AnyKind is a [Kind], or a handle to one: a [Field], [List], [Text] or [Values].
type AnyKind interface{ Kind() Kind }

// A Count is a world's capacity for a kind.
type Count struct {
	Kind     Kind
	Rows     int
	Packed   bool   // rows in use have no gaps: the last one moves into the place of a removed one
	Free     bool   // room for every object, instead of Rows
	ByBlock  bool   // blocks of 64 objects have 64 rows each; the default for kinds of recipes
	ByRow    bool   // rows are taken one by one, whatever recipes have the kind; see [Kind.Rows]
	Elements uint32 // of all lists of the kind; 0: free room, 64 bytes for every object
}

// Countable is a [Count], or a kind without one: a [Kind], [Field] or [Values].
type Countable interface{ Counted() Count }

// Kinds lists the kinds of a world. Kinds without a count have room for every object:
//
//	layout.Kinds(Position, Velocity, Gun.Count(100), Frozen)
func Kinds(kinds ...Countable) []Count {
	counts := make([]Count, len(kinds))
	for i, k := range kinds {
		if k == nil {
			panic(fmt.Sprintf("layout: kind %d of Kinds is nil; declare one by NewKind", i))
		}
		counts[i] = k.Counted()
	}
	return counts
}

// AppendLists appends the counts of the elements of the kind's lists to dst, for objects objects.
func (c Count) AppendLists(dst []Count, objects int) []Count {
	if k := c.Kind.spec; k != nil && k.rows != nil {
		return k.rows(dst, c, objects)
	}
	return dst
}

// Counted returns c.
func (c Count) Counted() Count { return c }

var (
	kinds    atomic.Uint32 // next KindSpec.Number
	numbered atomic.Uint32 // last FieldSpec.Number
)

// NewKind declares a kind of component with fields, in order. A kind without fields still has rows:
// each component has a number. It panics if the name is empty, if two fields have the same name, or
// if a field belongs to a kind already.
func NewKind(name string, fields ...AnyField) Kind {
	k := newKind(name)
	k.spec.own(fields)
	return k
}

// own makes fields the fields of k.
func (k *KindSpec) own(fields []AnyField) {
	names := make(map[string]bool, len(fields)) // a file may have thousands
	// All are checked first, so that a refused kind changes none.
	for i, f := range fields {
		if f == nil {
			panic(fmt.Sprintf("layout: field %d of kind %q is nil; declare one by NewField", i,
				k.Name))
		}
		switch f := f.Spec(); {
		case f.Kind != nil:
			panic(fmt.Sprintf("layout: field %q of kind %q belongs to kind %q already; "+
				"declare a second field", f.Name, k.Name, f.Kind.Name))
		case names[f.Name]:
			panic(fmt.Sprintf("layout: kind %q has two fields named %q; rename one", k.Name,
				f.Name))
		default:
			names[f.Name] = true
		}
	}
	for i, f := range fields {
		f.Spec().Kind, f.Spec().Index = k, i
		if k.Place == 0 {
			f.Spec().Number = numbered.Add(1)
		}
		k.Fields = append(k.Fields, f.Spec())
	}
	for _, f := range k.Fields {
		if f.List != nil && k.Place == 0 {
			f.List.declare(f)
		}
	}
}

// Disabled marks objects that queries exclude, in worlds whose counts include the mark. A query
// that names the mark in a term includes them: With matches only disabled objects, Optional all
// objects. Access by id ignores the mark. See also Relation.Disables.
var Disabled = NewMark("disabled")

// NewMark declares a kind without data and rows: a game object has it or not. It panics if the name
// is empty.
func NewMark(name string) Kind {
	k := newKind(name)
	k.spec.Mark = true
	return k
}

func newKind(name string) Kind {
	if name == "" {
		panic("layout: a kind needs a name; give it one")
	}
	k := &KindSpec{Name: name, Number: kinds.Add(1) - 1}
	k.from.find()
	return Kind{k}
}

// Clash returns a message for two kinds of one program with the same name: the difference and the
// fix.
func (k *KindSpec) Clash(other *KindSpec) string {
	if k == nil || other == nil {
		panic(noKind)
	}
	return "Two kinds have this name: " + k.declared() + ", and " + other.declared() +
		"; rename one, or have both places use one declaration"
}

// Twin declares a kind of Go values with the type and default of k, so that columns of one can be
// copied to the other. It panics if the name is empty, or if k is not a kind of Go values.
func (k *KindSpec) Twin(name string) Kind {
	if k == nil || k.Values == nil {
		panic("layout: kind " + Quoted(Kind{k}.String()) +
			" has no Go values; declare a kind like it by NewKind")
	}
	twin := newKind(name)
	twin.spec.Values, twin.spec.Last = k.Values, k
	return twin
}

// Handle returns the Kind of k.
func (k *KindSpec) Handle() Kind { return Kind{k} }

// Spec returns the declaration of k, or nil for the zero Kind.
func (k Kind) Spec() *KindSpec { return k.spec }

// Fields returns the declarations of k's fields, in order. It panics if k is the zero Kind.
func (k Kind) Fields() []*FieldSpec {
	if k.spec == nil {
		panic(noKind)
	}
	return k.spec.Fields
}

// Kind returns k.
func (k Kind) Kind() Kind { return k }

// Counted gives a world room for a component of k on every object.
func (k Kind) Counted() Count {
	return Count{Kind: k, Free: k.spec != nil && !k.spec.Mark}
}

// String returns k's name.
func (k Kind) String() string {
	if k.spec == nil {
		return "the zero Kind"
	}
	return k.spec.Name
}

// Count gives a world room for rows components of k. A mark takes no rows.
func (k Kind) Count(rows int) Count { return Count{Kind: k, Rows: rows} }

// Rows is [Kind.Count] for rows that may be on no object: they are taken one by one, the last
// disposed row first, even if a recipe has the kind and there are as many rows as objects.
func (k Kind) Rows(rows int) Count { return Count{Kind: k, Rows: rows, ByRow: true} }
