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

const noRecipe = "systems: the zero Recipe spawns nothing; declare one by NewRecipe"

// A Recipe is a set of kinds and marks, and of first values, that objects are spawned with. It is
// declared once, as a package-level variable, and given to a world in [Counts]. Objects of a recipe
// live side by side in slabs of ids and rows of their own, as long as the world has room for them.
type Recipe struct{ spec *recipeSpec }

type recipeSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	name   string
	kinds  []Kind
	values []layout.FieldValue
	fields Query // writes every field of every kind
}

var recipes atomic.Uint32 // next recipeSpec.number

// NewRecipe declares a recipe of kinds, or of fields for their kinds. It panics when a kind is
// given twice.
func NewRecipe(name string, kinds ...layout.AnyKind) Recipe {
	return newRecipe(name, kind.Append(nil, "NewRecipe", kinds), nil)
}

func newRecipe(name string, kinds []Kind, values []layout.FieldValue) Recipe {
	var terms []Term
	for i, k := range kinds {
		if slices.Contains(kinds[:i], k) {
			panic("systems: recipe " + name + " names kind " + k.String() + " twice; name it once")
		}
		if len(k.Fields()) > 0 {
			terms = append(terms, Write(k))
		}
	}
	return Recipe{&recipeSpec{recipes.Add(1) - 1, name, kinds, values, NewQuery(terms...)}}
}

// foreigners are the numbers of foreign recipes, which all worlds share.
var foreigners struct {
	sync.Mutex
	numbers []uint32
}

// ForeignRecipe returns a recipe without kinds for one world, into which objects were brought that
// somebody else spawned. Place tells those of one world apart, from 0. It panics when place is more
// than recipes that a world can have.
func ForeignRecipe(place int, name string) Recipe {
	if place < 0 || place > math.MaxUint16 {
		panic(fmt.Sprintf("systems: ForeignRecipe %s in place %d; count places from 0 to %d", name,
			place, math.MaxUint16))
	}
	foreigners.Lock()
	defer foreigners.Unlock()
	for len(foreigners.numbers) <= place {
		foreigners.numbers = append(foreigners.numbers, recipes.Add(1)-1)
	}
	return Recipe{&recipeSpec{foreigners.numbers[place], name, nil, nil, NewQuery()}}
}

// With returns a recipe like r whose objects have other first values than the fields' defaults. It
// panics when r has not the kind of one of the fields.
func (r Recipe) With(values ...layout.FieldValue) Recipe {
	s := r.declared()
	for i := range values {
		v := &values[i]
		_ = v.Bytes() // panics for none
		if k := v.Field.Kind; k == nil || !slices.Contains(s.kinds, k.Handle()) {
			panic(fmt.Sprintf("systems: recipe %s sets field %s; add its kind to the recipe",
				layout.Quoted(s.name), v.Field))
		}
	}
	return newRecipe(s.name, s.kinds, slices.Concat(s.values, values))
}

// String returns r's name.
func (r Recipe) String() string {
	if r.spec == nil {
		return "the zero Recipe"
	}
	return r.spec.name
}

// declared returns what r is. It panics when r is the zero Recipe.
func (r Recipe) declared() *recipeSpec {
	if r.spec == nil {
		panic(noRecipe)
	}
	return r.spec
}
