package systems

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

const noRecipe = "flatecs: the zero Recipe spawns nothing; declare one by NewRecipe"

// A Recipe is a set of kinds and marks, with first values, for spawning objects. Declare it once,
// as a package-level variable, and give it to worlds in [Counts]. But for the first 16, objects of
// a recipe get ids and rows in slabs of their own, as long as the world has room for slabs.
type Recipe struct{ spec *recipeSpec }

type recipeSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	name   string
	kinds  []Kind
	values []layout.FieldValue
	fields Query // writes all fields of all kinds, and reads the references of relations
}

var recipes atomic.Uint32 // next recipeSpec.number

// NewRecipe declares a recipe of kinds; a field stands for its kind. It panics if a kind is given
// twice.
func NewRecipe(name string, kinds ...layout.AnyKind) Recipe {
	return newRecipe(name, kind.Append(nil, "NewRecipe", kinds), nil)
}

func newRecipe(name string, kinds []Kind, values []layout.FieldValue) Recipe {
	var terms []Term
	for i, k := range kinds {
		if slices.Contains(kinds[:i], k) {
			panic("flatecs: recipe " + name + " names kind " + k.String() + " twice; name it once")
		}
		if len(k.Fields()) > 0 {
			terms = append(terms, filling(k)...)
		}
	}
	return Recipe{&recipeSpec{recipes.Add(1) - 1, name, kinds, values, NewQuery(terms...)}}
}

// filling returns the terms of a kind for the function that fills new objects: it writes all
// fields. The reference of a relation is taken from its column after each batch; see spawning.
func filling(k Kind) []Term {
	r := k.Spec().Relation
	if r == nil {
		return []Term{Write(k)}
	}
	var others []layout.Access
	for _, f := range k.Fields()[1:] {
		others = append(others, fillable{f})
	}
	if len(others) == 0 {
		return []Term{Read(r.Handle())}
	}
	return []Term{Read(r.Handle()), Write(others...)}
}

// A fillable is a field of a relation that is no reference.
type fillable struct{ field *layout.FieldSpec }

// Spec returns the declaration of f.
func (f fillable) Spec() *layout.FieldSpec { return f.field }

// Fields returns the declaration of f.
func (f fillable) Fields() []*layout.FieldSpec { return []*layout.FieldSpec{f.field} }

// foreigners are the shared foreign recipes, by place.
var foreigners struct {
	sync.Mutex
	numbers []uint32
}

// ForeignRecipe returns a recipe without kinds, for a world into which objects of other recipes
// were loaded. Places from 0 on distinguish those of one world. It panics if place is out of range.
func ForeignRecipe(place int, name string) Recipe {
	if place < 0 || place > math.MaxUint16 {
		panic(fmt.Sprintf("flatecs: ForeignRecipe %s in place %d; count places from 0 to %d", name,
			place, math.MaxUint16))
	}
	foreigners.Lock()
	defer foreigners.Unlock()
	for len(foreigners.numbers) <= place {
		foreigners.numbers = append(foreigners.numbers, recipes.Add(1)-1)
	}
	return Recipe{&recipeSpec{foreigners.numbers[place], name, nil, nil, NewQuery()}}
}

// With returns a copy of r with other first values than the defaults, and with first elements of
// lists. It panics if r does not have the kind of a field.
func (r Recipe) With(values ...layout.FieldValue) Recipe {
	s := r.declared()
	all := slices.Clone(s.values)
	for i := range values {
		v := values[i].Clone() // panics for the zero value
		if v.Field.Relation != nil {
			panic(fmt.Sprintf("flatecs: recipe %s sets the reference %s; "+
				"give it to Spawn, or call Set",
				layout.Quoted(s.name), v.Field))
		}
		if k := v.Field.Kind; k == nil || !slices.Contains(s.kinds, k.Handle()) {
			panic(fmt.Sprintf("flatecs: recipe %s sets field %s; add its kind to the recipe",
				layout.Quoted(s.name), v.Field))
		}
		all = append(all, v)
	}
	return newRecipe(s.name, s.kinds, all)
}

// String returns the name of r.
func (r Recipe) String() string {
	if r.spec == nil {
		return "the zero Recipe"
	}
	return r.spec.name
}

// declared returns r's declaration. It panics if r is the zero Recipe.
func (r Recipe) declared() *recipeSpec {
	if r.spec == nil {
		panic(noRecipe)
	}
	return r.spec
}
