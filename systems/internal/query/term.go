package query

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// A Term is one rule of a query: about fields, or about kinds.
type Term struct {
	Mode   Mode
	Access []layout.Access // Read, Write, Optional
	Kinds  []layout.Kind   // With, Without, Any, Only, Changed
}

// Mode is the function of a term.
type Mode uint8

// The modes, named after the functions that create their terms.
const (
	Read Mode = iota
	Write
	Optional
	With
	Without
	Any
	Only
	Changed
	HasTarget
	NoTarget
	RowWise
	Forced // for tests: gather every batch
)

// modeNames are the names of the functions that create terms.
var modeNames = [...]string{
	Read: "Read", Write: "Write", Optional: "Optional", With: "With", Without: "Without",
	Any: "Any", Only: "Only", Changed: "Changed", HasTarget: "HasTarget", NoTarget: "NoTarget",
	RowWise: "RowWise", Forced: "forced",
}

// String returns the name of the function that creates terms of this mode.
func (m Mode) String() string { return modeNames[m] }

// Needs reports whether a term of this mode requires the kinds it names.
func (m Mode) Needs() bool {
	return m == Read || m == Write || m == With || m == Only || m == HasTarget
}

// TermOfFields returns a term that asks for fields. It panics if an argument names no field.
func TermOfFields(m Mode, what []layout.Access) *Term {
	for _, a := range what {
		if a == nil || !reflect.TypeOf(a).Comparable() {
			panic(fmt.Sprintf("flatecs: a term asks for %v, a %[1]T; give it Fields and Kinds", a))
		}
	}
	return &Term{Mode: m, Access: append([]layout.Access(nil), what...)}
}

// TermOfKinds returns a term that names kinds. It panics if an argument names no kind.
//
//go:noinline
func TermOfKinds(m Mode, list []layout.AnyKind) *Term {
	return &Term{Mode: m, Kinds: kind.Append(nil, m.String(), list)}
}

// kinds yields the kinds that t names, directly or by fields. It panics for a field that belongs to
// no kind.
func (t Term) kinds(yield func(*layout.KindSpec) bool) {
	for _, k := range t.Kinds {
		if !yield(k.Spec()) {
			return
		}
	}
	for _, access := range t.Access {
		for _, f := range access.Fields() {
			if f.Kind == nil {
				panic("flatecs: field " + f.Name + " belongs to no kind; give it to layout.NewKind")
			}
			if !yield(f.Kind) {
				return
			}
		}
	}
}

// checkFields panics if t asks for the fields of a kind without fields, except
// Optional(layout.Disabled), which says that disabled objects match.
func (t *Term) checkFields() {
	for _, a := range t.Access {
		if _, ok := a.(layout.AnyField); ok || len(a.Fields()) > 0 ||
			t.Mode == Optional && a == layout.Access(layout.Disabled) {
			continue
		}
		panic(fmt.Sprintf("flatecs: %v: kind %v has no fields to read or write; ask for objects "+
			"that have it by With, or for each object of a batch by Has", t.Mode, a))
	}
}

// ofDisabled reports whether t names [layout.Disabled].
func (t *Term) ofDisabled() bool {
	return slices.Contains(t.Kinds, layout.Disabled) ||
		slices.Contains(t.Access, layout.Access(layout.Disabled))
}

func (t Term) equal(u Term) bool {
	return t.Mode == u.Mode && slices.Equal(t.Access, u.Access) && slices.Equal(t.Kinds, u.Kinds)
}

// String returns t as Go code, with fields as kind.field.
func (t Term) String() string {
	var words []string
	for _, a := range t.Access {
		word := fmt.Sprint(a)
		if f, ok := a.(layout.AnyField); ok {
			word = f.Spec().String()
		}
		words = append(words, word)
	}
	for _, k := range t.Kinds {
		words = append(words, k.String())
	}
	return t.Mode.String() + "(" + strings.Join(words, ", ") + ")"
}
