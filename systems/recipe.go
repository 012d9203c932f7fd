package systems

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
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

const (
	maxSlab   = 1024 // objects of a slab
	slabShare = 16   // a slab of more than a block is at most this part of what is left
)

// A pool is a recipe with its kinds found in one world.
type pool struct {
	number   int // among the registry's pools
	managers []*manager.Manager
	values   []poolValue
}

type poolValue struct {
	manager *manager.Manager
	column  *buffer.Column
	bytes   []byte // of one component
}

// addRecipes finds the kinds of the world's recipes.
func (j *job) addRecipes(recipes []Recipe) error {
	j.recipes = recipes
	for i, r := range recipes {
		p := &pool{number: i + 1}
		for _, k := range r.declared().kinds {
			m := j.Find(k.Spec())
			if m == nil {
				return fmt.Errorf("systems: recipe %s: %w", r, kind.Missing(k.Spec(),
					gameobject.Nobody))
			}
			p.managers = append(p.managers, m)
		}
		for i := range r.spec.values {
			v := &r.spec.values[i]
			m := j.Find(v.Field.Kind)
			p.values = append(p.values, poolValue{m, &m.Columns[v.Field.Index], v.Bytes()})
		}
		j.pools = longer(j.pools, r.spec.number)
		j.pools[r.spec.number] = p
	}
	return nil
}

// pool returns a recipe's pool; it panics when the world does not know the recipe.
func (j *job) pool(r Recipe) *pool {
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
	if err := j.room(p, 1); err != nil {
		return s, gameobject.Nobody, err
	}
	id, ok := j.Objects.Take(p.number)
	if !ok {
		if id, ok = j.spawnBeyond(p); !ok {
			return s, gameobject.Nobody, j.Refuse(ErrTooMany, id)
		}
	}
	i := id.Index()
	for _, m := range p.managers {
		_, _ = m.Add(i) // there is room
	}
	p.fill(i>>6, 1<<(i&63))
	return s.done(), id, nil
}

// SpawnN spawns n objects, or none. Each batch of them is shown to fill, which may be nil, to set
// the fields of the recipe's kinds. Its errors are those of [Spawn], and one that wraps [ErrCount]
// for a negative n.
func SpawnN(s State, r Recipe, n int, fill func(Batch)) (State, error) {
	j := s.use()
	p := j.pool(r)
	if err := j.room(p, n); err != nil {
		return s, err
	}
	if fill == nil {
		j.spawn(p, n, func(uint32, uint64) {})
		return s.done(), nil
	}
	w := j.open(r.spec.fields, 0)
	defer w.Close()
	show := func(w *walk.Walk) bool {
		fill(Batch{w, j})
		return true
	}
	j.spawn(p, n, func(block uint32, x uint64) { w.Collect(block, x, show) })
	w.Flush(show)
	return s.done(), nil
}

// spawn spawns n objects, for which there is room, and tells of them block by block.
func (j *job) spawn(p *pool, n int, made func(block uint32, x uint64)) {
	for n > 0 {
		block, x := j.Objects.TakeBlock(p.number, n)
		if x == 0 {
			id, _ := j.spawnBeyond(p) // there is room
			block, x = id.Index()>>6, 1<<(id.Index()&63)
		}
		p.add(block, x)
		n -= bits.OnesCount64(x)
		made(block, x)
	}
}

// roomFor returns for how many objects of a pool there is room.
func (j *job) roomFor(p *pool) int {
	n := j.Objects.Left()
	for _, m := range p.managers {
		if !m.Kind.Mark {
			n = min(n, m.Cap()-m.Live())
		}
	}
	return n
}

// room reports as an error when there is none for n objects of a pool.
func (j *job) room(p *pool, n int) error {
	switch {
	case j.fixed():
		return ErrWalking
	case n < 0:
		return &Error{Err: ErrCount, Kind: "objects to spawn", Count: n}
	case n > j.Objects.Left():
		return j.Refuse(ErrTooMany, gameobject.Nobody)
	}
	for _, m := range p.managers {
		if !m.Kind.Mark && n > m.Cap()-m.Live() {
			return &Error{Err: ErrFull, Kind: m.Kind.Name, Count: m.Cap()}
		}
	}
	return nil
}

// fills panics when a field is of no kind of the recipe.
func (p *pool) fills(r Recipe, v *layout.FieldValue) {
	_ = v.Bytes() // panics for none
	f := v.Field
	for _, m := range p.managers {
		if m.Kind == f.Kind {
			return
		}
	}
	panic("systems: recipe " + r.spec.name + " has no kind with field " + f.Name +
		"; add the kind to the recipe, or record a Put")
}

// add gives the objects x of a block all that the recipe says. There is room.
func (p *pool) add(block uint32, x uint64) {
	for _, m := range p.managers {
		m.AddBlock(block, x)
	}
	p.fill(block, x)
}

// spawnBeyond returns an object of a pool that has no more: of a new slab, or a loose one.
func (j *job) spawnBeyond(p *pool) (GameObject, bool) {
	n := slab(j.Objects.Spare())
	for _, m := range p.managers {
		if m.Keeps() {
			n = min(n, slab(m.Spare()))
		}
	}
	if n > 0 {
		first := j.Objects.Reserve(p.number, uint32(n))
		for _, m := range p.managers {
			if m.Keeps() {
				m.Reserve(first, uint32(n))
			}
		}
		return j.Objects.Take(p.number)
	}
	id, err := j.Objects.Create()
	return id, err == nil
}

// slab returns how large a slab may be where so many indexes, or rows, are left: whole blocks, and
// at least one, if there is one.
func slab(left int) int { return min(maxSlab, max(left/slabShare, 64), left) &^ 63 }

// fill sets the recipe's first values of the objects x of a block.
func (p *pool) fill(block uint32, x uint64) {
	for i := range p.values {
		v := &p.values[i]
		if row, ok := v.manager.Stretch(block, x); ok {
			v.column.SetRows(int(row), int(row)+bits.OnesCount64(x), v.bytes)
			continue
		}
		for y := x; y != 0; y &= y - 1 {
			row, _ := v.manager.RowOf(block<<6 + uint32(bits.TrailingZeros64(y)))
			v.column.Set(int(row), v.bytes)
		}
	}
}
