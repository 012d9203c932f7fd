package systems

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/dense"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/structure"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

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

// addRecipes finds the kinds of the world's recipes.
func (j *job) addRecipes() error {
	for i, r := range j.counts.Recipes {
		spec := r.declared()
		p, err := structure.NewPool(j.Arena, i, spec.name, spec.kinds, spec.values)
		if err != nil {
			return err
		}
		j.pools = dense.Grow(j.pools, spec.number)
		j.pools[spec.number] = p
		j.poolList = append(j.poolList, p)
	}
	return nil
}

// pool returns a recipe's pool; it panics when the world does not know the recipe.
func (j *job) pool(r Recipe) *structure.Pool {
	if int(r.declared().number) < len(j.pools) {
		if p := j.pools[r.spec.number]; p != nil {
			return p
		}
	}
	if j.Closed {
		panic(kind.Closed)
	}
	panic("systems: this world has no recipe " + r.spec.name + "; add it to Counts.Recipes")
}

// Spawn creates an object with all that a recipe says. The error wraps [ErrTooMany], [ErrFull] or
// [ErrWalking]. It panics when the world does not know the recipe.
func Spawn(s State, r Recipe) (State, GameObject, error) {
	j := s.use()
	p := j.pool(r)
	if err := j.roomFor(p, 1); err != nil {
		return s, gameobject.Nobody, err
	}
	id, ok := p.Spawn(j.Arena)
	if !ok {
		return s, gameobject.Nobody, j.Refuse(ErrTooMany, id)
	}
	return s.done(), id, nil
}

// SpawnN spawns n objects, or none. Each batch of them is shown to fill, which may be nil, to set
// the fields of the recipe's kinds. Its errors are those of [Spawn], and one that wraps [ErrCount]
// for a negative n.
func SpawnN(s State, r Recipe, n int, fill func(Batch)) (State, error) {
	j := s.use()
	p := j.pool(r)
	if err := j.roomFor(p, n); err != nil {
		return s, err
	}
	if fill == nil {
		p.SpawnN(j.Arena, n, func(uint32, uint64) {})
		return s.done(), nil
	}
	w := j.open(r.spec.fields, 0)
	defer w.Close()
	show := func(w *walk.Walk) bool {
		fill(Batch{w, j})
		return true
	}
	p.SpawnN(j.Arena, n, func(block uint32, x uint64) { w.Collect(block, x, show) })
	w.Flush(show)
	return s.done(), nil
}

// roomFor returns an error when there is no room for n objects of a pool, or a walk is open.
func (j *job) roomFor(p *structure.Pool, n int) error {
	if j.fixed() {
		return ErrWalking
	}
	return p.CheckRoom(j.Arena, n)
}
