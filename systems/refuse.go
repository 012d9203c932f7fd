package systems

import (
	"fmt"
	"reflect"

	"github.com/flatecs/flatecs/layout"
)

// Texts of panics about arguments. They are constants so that the functions that check stay small
// enough to be inlined.
const (
	noRecipe   = "flatecs: the zero Recipe spawns nothing; declare one by NewRecipe"
	noBatch    = "flatecs: the zero Batch is of no walk; take one that a query yields"
	noCommands = "flatecs: the zero Commands are of no world; get them by Record"
	noReader   = "flatecs: this Reader is of no world, or of one that was closed; get one by Open"
	noSnapshot = "flatecs: this Snapshot is nil, closed, or was not made; make one by NewSnapshot"
	noStream   = "flatecs: this Stream is nil; hand in the address of one of NewStream or Random"
	noRenderer = "flatecs: there is no Renderer to draw with; hand in one"
	lostState  = "flatecs: a function returned the zero State; return the one of its last call"
)

// declared returns r's declaration. It panics if r is the zero Recipe.
func (r Recipe) declared() *recipeSpec {
	if r.spec == nil {
		panic(noRecipe)
	}
	return r.spec
}

// open returns the walk of b. It panics if b is the zero Batch.
func (b Batch) open() *walk {
	if b.w == nil {
		panic(noBatch)
	}
	return b.w
}

// open returns the world of c. It panics if c is the zero Commands.
func (c Commands) open() *job {
	if c.job == nil {
		panic(noCommands)
	}
	return c.job
}

// made returns p. It panics if p is nil, closed, or not made by NewSnapshot.
func (p *Snapshot) made() *Snapshot {
	if p == nil || p.arena == nil {
		panic(noSnapshot)
	}
	return p
}

// asked returns what. It panics if an element is a zero field or kind.
func asked(what []layout.Access) []layout.Access {
	for _, a := range what {
		if a == nil || !reflect.TypeOf(a).Comparable() {
			panic(fmt.Sprintf("flatecs: a term asks for %v, a %[1]T; give it Fields and Kinds", a))
		}
	}
	return append([]layout.Access(nil), what...)
}

// termOf returns a term that names kinds.
func termOf(m mode, kinds []layout.AnyKind) Term {
	return Term{mode: m, kinds: kindsOf(nil, modeNames[m], kinds)}
}

// kindsOf appends the kinds of list to dst. It panics if an element is a zero field or kind.
func kindsOf(dst []Kind, who string, list []layout.AnyKind) []Kind {
	for i, a := range list {
		var k Kind
		if v := reflect.ValueOf(a); a != nil && (v.Kind() != reflect.Pointer || !v.IsNil()) {
			k = a.Kind()
		}
		if k.Spec() == nil {
			panic(fmt.Sprintf("flatecs: argument %d of %s is a %T of no kind; "+
				"declare it by layout.NewKind before, or name the kind", i, who, a))
		}
		dst = append(dst, k)
	}
	return dst
}
