package systems

import (
	"fmt"
	"reflect"

	"github.com/flatecs/flatecs/layout"
)

// What panics say of what was handed in, with the cure. As constants they keep functions that check
// small enough to be inlined.
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

// declared returns what r is. It panics when r is the zero Recipe.
func (r Recipe) declared() *recipeSpec {
	if r.spec == nil {
		panic(noRecipe)
	}
	return r.spec
}

// open returns the walk that b is of. It panics when b is the zero Batch.
func (b Batch) open() *walk {
	if b.w == nil {
		panic(noBatch)
	}
	return b.w
}

// open returns the world that c is of. It panics when c are the zero Commands.
func (c Commands) open() *job {
	if c.job == nil {
		panic(noCommands)
	}
	return c.job
}

// made returns p. It panics when p is nil, closed, or was not made.
func (p *Snapshot) made() *Snapshot {
	if p == nil || p.arena == nil {
		panic(noSnapshot)
	}
	return p
}

// asked returns what a term asks for. It panics when something in it is nothing.
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

// kindsOf appends the kinds that a list names. It panics when something in it is nothing.
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
