package systems

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Kinds, relations and recipes of the models' worlds, and of many tests.
var (
	fieldA  = layout.NewField("a", [3]float32{1, 2, 3})
	fieldB  = layout.NewField[uint16]("b", 7)
	fieldB2 = layout.NewField[[2]float64]("b2")
	fieldC  = layout.NewField("c", [5]uint8{9, 9, 9, 9, 9})
	kindA   = layout.NewKind("A", fieldA)
	kindB   = layout.NewKind("B", fieldB, fieldB2)
	kindC   = layout.NewKind("C", fieldC)
	markX   = layout.NewMark("X")
	markY   = layout.NewMark("Y")
	valueH  = layout.NewValues("H", 0)
	tried   = []Kind{kindA, kindB, kindC, markX, markY}

	childOf = layout.NewRelation("childOf", layout.Relation{Disposed: layout.Cascade, Tree: true})
	looksAt = layout.NewRelation("looksAt", layout.Relation{Disposed: layout.Clear})
	slot    = layout.NewField[uint32]("slot")
	weight  = layout.NewField[float32]("weight")
	carried = layout.NewRelation("carried", layout.Relation{
		Disposed: layout.Refuse, Tree: true, Order: slot, Fields: []layout.AnyField{weight},
	})
	relations = []layout.Field[GameObject]{childOf, looksAt, carried}

	recipeAC = NewRecipe("A C X", kindA, kindC, markX).With(fieldA.Value([3]float32{4, 5, 6}))
	recipeAB = NewRecipe("A B", kindA, kindB)
	recipeB  = NewRecipe("B", kindB)
	related  = NewRecipe("related", childOf, looksAt, carried, kindA)

	// The model's recipes are these, in the order of a world's.
	modelRecipes = []struct {
		recipe Recipe
		kinds  []Kind
		a      [3]float32
	}{
		{recipeAC, []Kind{kindA, kindC, markX}, [3]float32{4, 5, 6}},
		{recipeAB, []Kind{kindA, kindB}, [3]float32{1, 2, 3}},
		{recipeB, []Kind{kindB}, [3]float32{}},
		{related, []Kind{childOf.Kind(), looksAt.Kind(), carried.Kind(), kindA}, [3]float32{1, 2, 3}},
	}
)

// A cell is a field of the model's kinds, or their Go value, and the calls that reach it.
type cell struct {
	kind  Kind
	fresh any
	draw  func(r *rand.Rand) any
	get   func(s State, id GameObject) (any, error)
	set   func(s State, id GameObject, v any) (State, error)
	last  func(s State, w Watcher, id GameObject) (any, error)
}

func cellOf[T any](f layout.Field[T], fresh T, draw func(r *rand.Rand) T) cell {
	return cell{
		f.Kind(), fresh, func(r *rand.Rand) any { return draw(r) },
		func(s State, id GameObject) (any, error) { return either(Get(s, id, f)) },
		func(s State, id GameObject, v any) (State, error) { return Set(s, id, f, v.(T)) },
		func(s State, w Watcher, id GameObject) (any, error) { return either(LastOf(s, w, id, f)) },
	}
}

func either[T any](v T, err error) (any, error) { return v, err }

const (
	cellA = iota // in cells
	cellB
	cellB2
	cellC
	cellH
)

var cells = []cell{
	cellOf(fieldA, [3]float32{1, 2, 3}, func(r *rand.Rand) [3]float32 { return [3]float32{r.Float32(), 1, 2} }),
	cellOf(fieldB, 7, func(r *rand.Rand) uint16 { return uint16(r.Uint32()) }),
	cellOf(fieldB2, [2]float64{}, func(r *rand.Rand) [2]float64 { return [2]float64{r.Float64()} }),
	cellOf(fieldC, [5]uint8{9, 9, 9, 9, 9}, func(r *rand.Rand) [5]uint8 { return [5]uint8{uint8(r.Uint32()), 4: 9} }),
	{
		valueH.Kind(), 0, func(r *rand.Rand) any { return r.Int() },
		func(s State, id GameObject) (any, error) { return either(ValueOf(s, id, valueH)) },
		func(s State, id GameObject, v any) (State, error) { return SetValue(s, id, valueH, v.(int)) },
		func(s State, w Watcher, id GameObject) (any, error) { return either(LastOf(s, w, id, valueH)) },
	},
}

// A thing is an object of a model.
type thing struct {
	recipe int           // number of its recipe, from 1; 0: no recipe
	has    map[Kind]bool // its kinds
	held   map[Kind]bool // suspended kinds
	values [5]any        // of cells
	to     [3]GameObject // by relations
	slot   uint32
	wrote  map[Kind]uint64 // ticks of the latest writes
}

func (t *thing) clone() *thing {
	c := *t
	c.has, c.held, c.wrote = maps.Clone(t.has), maps.Clone(t.held), maps.Clone(t.wrote)
	return &c
}

// reset gives a kind the defaults.
func (t *thing) reset(k Kind) {
	for i := range cells {
		if cells[i].kind == k {
			t.values[i] = cells[i].fresh
		}
	}
	if rel := relationOf(k); rel >= 0 {
		if t.to[rel] = 0; rel == 2 {
			t.slot = 0
		}
	}
}

// relationOf returns the number of a relation, or -1.
func relationOf(k Kind) int {
	return slices.IndexFunc(relations, func(f layout.Field[GameObject]) bool { return f.Kind() == k })
}

// modelCounts are of the world of a model.
type modelCounts struct {
	objects, rows   int // of each kind, or freeRows
	inOrder, packed bool
	related         bool // with relations
	watched         bool
	turned          bool // its kinds are in another order
}

const freeRows = -1 // in place of a count of rows

// kinds returns the kinds, in the order of those not turned.
func (l *modelCounts) kinds() []Kind {
	kinds := append(slices.Clone(tried), valueH.Kind())
	for _, f := range relations {
		if l.related {
			kinds = append(kinds, f.Kind())
		}
	}
	return kinds
}

func (l *modelCounts) counts() Counts {
	c := Counts{GameObjects: l.objects, InOrder: l.inOrder}
	for _, k := range l.kinds() {
		n := layout.Count{Kind: k, Packed: l.packed && k == kindC}
		if !k.Spec().Mark {
			n.Rows, n.Free = max(l.rows, 0), l.rows == freeRows
		}
		c.Kinds = append(c.Kinds, n)
	}
	if l.turned {
		slices.Reverse(c.Kinds)
	}
	for _, m := range modelRecipes {
		if l.related || m.recipe != related {
			c.Recipes = append(c.Recipes, m.recipe)
		}
	}
	for i := range watchings {
		if l.watched {
			c.Watchers = append(c.Watchers, watchings[i].watcher)
		}
	}
	return c
}

// A model is a world of maps, as anyone would write it first, and the world that should be like it.
type model struct {
	modelCounts
	s    State
	r    *rand.Rand
	ids  []GameObject // alive, the oldest first
	dead []GameObject // some

	things   map[GameObject]*thing
	used     map[Kind]int // rows
	memories []*memory
	done     map[string]int // operations, by their outcomes
	image    []byte         // before an operation, at times
}

func newModel(l modelCounts, seed uint64) *model {
	m := &model{
		modelCounts: l, r: rand.New(rand.NewPCG(seed, 1)), things: map[GameObject]*thing{},
		used: map[Kind]int{}, done: map[string]int{}, dead: []GameObject{9 << 32},
	}
	m.s = sure(CreateState(l.counts()))
	for i := range watchings {
		if l.watched {
			m.memories = append(m.memories, newMemory(&watchings[i]))
		}
	}
	return m
}

// clone returns a model of the same maps.
func (m *model) clone() *model {
	c := *m
	c.ids, c.dead, c.used = slices.Clone(m.ids), slices.Clone(m.dead), maps.Clone(m.used)
	c.things, c.memories = map[GameObject]*thing{}, nil
	for id, t := range m.things {
		c.things[id] = t.clone()
	}
	for _, y := range m.memories {
		c.memories = append(c.memories, y.clone())
	}
	return &c
}

// change changes an object of the model, which is the one place where it does; and has the watchers
// note what it was.
func (m *model) change(id GameObject, f func(t *thing)) {
	was, t := (*thing)(nil), m.things[id]
	if len(m.memories) > 0 {
		was = t.clone()
	}
	m.count(t, -1)
	if f(t); m.things[id] != nil {
		m.count(t, 1)
	}
	for _, y := range m.memories {
		if y.gone[id] == nil && y.members[id] && (m.things[id] == nil || !y.match(t.has)) {
			y.gone[id] = was
		}
	}
}

// count counts the rows of an object.
func (m *model) count(t *thing, n int) {
	for _, kinds := range []map[Kind]bool{t.has, t.held} {
		for k := range kinds {
			m.used[k] += n
		}
	}
}

// born notes a new object of a recipe, from 0, or of none, -1, with other kinds.
func (m *model) born(id GameObject, recipe int, kinds ...Kind) *thing {
	t := &thing{
		recipe: recipe + 1, has: map[Kind]bool{}, held: map[Kind]bool{}, wrote: map[Kind]uint64{},
	}
	for i := range cells {
		t.values[i] = cells[i].fresh
	}
	m.ids, m.things[id] = append(m.ids, id), t
	if recipe >= 0 {
		kinds = modelRecipes[recipe].kinds
		if slices.Contains(kinds, kindA) {
			t.values[cellA] = modelRecipes[recipe].a
		}
	}
	a := t.values[cellA]
	for _, k := range kinds {
		m.gained(id, k)
	}
	t.values[cellA] = a
	return t
}

// gained notes a component, with the defaults or those values that were suspended.
func (m *model) gained(id GameObject, k Kind) {
	m.change(id, func(t *thing) {
		if t.has[k] = true; !t.held[k] {
			t.reset(k)
		}
		delete(t.held, k)
		t.wrote[k] = Tick(m.s)
	})
}

func (m *model) lost(id GameObject, k Kind) {
	m.change(id, func(t *thing) {
		delete(t.has, k)
		delete(t.held, k)
		t.reset(k)
	})
}

// family returns objects with all that go with them.
func (m *model) family(ids ...GameObject) map[GameObject]bool {
	dying := map[GameObject]bool{}
	for _, id := range ids {
		dying[id] = true
	}
	for again := m.related; again; {
		again = false
		for id, t := range m.things {
			if t.has[childOf.Kind()] && dying[t.to[0]] && !dying[id] {
				dying[id], again = true, true
			}
		}
	}
	return dying
}

// refused reports whether a remaining object refers to one of some objects.
func (m *model) refused(some, dying map[GameObject]bool) bool {
	if m.related {
		for id, t := range m.things {
			if t.has[carried.Kind()] && some[t.to[2]] && !dying[id] {
				return true
			}
		}
	}
	return false
}

// dispose disposes objects with all that go with them, or says why not.
func (m *model) dispose(ids ...GameObject) error {
	for _, id := range ids {
		if m.things[id] == nil {
			return ErrDead
		}
	}
	dying := m.family(ids...)
	if m.refused(dying, dying) {
		return ErrReferred
	}
	order := slices.Collect(maps.Keys(dying))
	for _, id := range ascending(order) {
		m.change(id, func(*thing) { delete(m.things, id) })
	}
	if m.related {
		for _, t := range m.things {
			for rel := range t.to {
				if dying[t.to[rel]] {
					t.to[rel] = 0
				}
			}
		}
	}
	m.ids = slices.DeleteFunc(m.ids, func(id GameObject) bool { return m.things[id] == nil })
	m.dead = append(m.dead[max(0, len(m.dead)-4):], order[:min(len(order), 2)]...)
	return nil
}

// refer makes an object refer to another one, or says why not.
func (m *model) refer(rel int, id, to GameObject) error {
	t := m.things[id]
	switch {
	case t == nil:
		return ErrDead
	case !t.has[relations[rel].Kind()]:
		return ErrAbsent
	case to != 0 && m.things[to] == nil:
		return ErrDead
	}
	if relations[rel].Spec().Relation.Tree {
		for at := to; at != 0; at = m.things[at].to[rel] {
			if at == id {
				return ErrRing
			}
		}
	}
	t.to[rel] = to
	return nil
}

// room returns why there is no room for n more objects with some kinds, or nil.
func (m *model) room(n int, kinds ...Kind) error {
	if len(m.things)+n > m.s.use().world.arena.Objects.Cap() {
		return ErrTooMany
	}
	for _, k := range kinds {
		if m.full(n, k) {
			return ErrFull
		}
	}
	return nil
}

func (m *model) full(n int, k Kind) bool {
	kept := managed(m.s, k)
	return !k.Spec().Mark && !manager.ByBlock(kept) && m.used[k]+n > kept.Rows.Cap()
}

// addable returns the error of the first kind that cannot be added to an object, nobody included.
func (m *model) addable(id GameObject, kinds ...Kind) error {
	t := m.things[id]
	for i, k := range kinds {
		switch {
		case t != nil && t.has[k] || slices.Contains(kinds[:i], k):
			return ErrTwice
		case m.full(1, k) && (t == nil || !t.held[k]):
			return ErrFull
		}
	}
	return nil
}

// errAny stands for a refusal of one of several reasons.
var errAny = errors.New("of one of several reasons")

// kindList returns kinds as what lists of kinds take.
func kindList(kinds []Kind) []layout.AnyKind {
	list := make([]layout.AnyKind, len(kinds))
	for i, k := range kinds {
		list[i] = k
	}
	return list
}
