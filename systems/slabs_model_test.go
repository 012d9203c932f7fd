package systems

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	slabKinds   = [2]Kind{kindA.Kind(), kindB.Kind()}
	slabRecipes = [3]Recipe{
		NewRecipe("a", slabKinds[0]), NewRecipe("b", slabKinds[1]), NewRecipe("ab", slabKinds[0], slabKinds[1], markX),
	}
)

// An allotter hands out indexes as systems/doc.go says, by looking through all of them.
type allotter struct {
	owners  []int          // per index given out: its recipe from 1; 0: loose
	live    map[uint32]int // to the recipe, from 1; 0: none
	free    []uint32       // loose ones that were used, in the order of their disposal
	fresh   []uint32       // loose ones that were not
	limit   int
	inOrder bool
}

func (a *allotter) clone() *allotter {
	c := *a
	c.owners, c.free, c.fresh = slices.Clone(a.owners), slices.Clone(a.free), slices.Clone(a.fresh)
	c.live = maps.Clone(a.live)
	return &c
}

// inSlab returns the lowest free index of a recipe's slabs.
func (a *allotter) inSlab(recipe int) (index uint32, ok bool) {
	for i, owner := range a.owners {
		if _, alive := a.live[uint32(i)]; owner == recipe && recipe != 0 && !alive {
			return uint32(i), true
		}
	}
	return 0, false
}

// spawn returns the index of the next object of a recipe, or of one of many.
func (a *allotter) spawn(recipe int, many bool) uint32 {
	if i, ok := a.inSlab(recipe); ok {
		a.live[i] = recipe
		return i
	}
	loose, slabs := 0, 0
	for i, of := range a.live {
		if of == recipe && a.owners[i] == 0 {
			loose++
		}
	}
	for _, owner := range a.owners {
		if owner == recipe {
			slabs++
		}
	}
	left := a.limit - len(a.owners)
	if n := min(slabs+64, 1024, max(left/16, 64), left) / 64 * 64; (many || loose >= 16) && n > 0 {
		first := uint32(len(a.owners))
		a.owners = append(a.owners, slices.Repeat([]int{recipe}, n)...)
		a.live[first] = recipe
		return first
	}
	return a.loose(recipe)
}

// loose returns the index of the next loose object.
func (a *allotter) loose(recipe int) uint32 {
	again := len(a.free) > 0 && (!a.inOrder || len(a.fresh) == 0 && len(a.owners) == a.limit)
	if !again && len(a.fresh) == 0 {
		for range min(64, a.limit-len(a.owners)) {
			a.fresh = append(a.fresh, uint32(len(a.owners)))
			a.owners = append(a.owners, 0)
		}
	}
	var i uint32
	switch last := len(a.free) - 1; {
	case again && a.inOrder:
		i, a.free = a.free[0], a.free[1:]
	case again:
		i, a.free = a.free[last], a.free[:last]
	case len(a.fresh) > 0:
		i, a.fresh = a.fresh[0], a.fresh[1:]
	default:
		for r := range slabRecipes {
			var ok bool
			if i, ok = a.inSlab(r + 1); ok {
				recipe = r + 1
				break
			}
		}
	}
	a.live[i] = recipe
	return i
}

func (a *allotter) dispose(i uint32) {
	if delete(a.live, i); a.owners[i] == 0 {
		a.free = append(a.free, i)
	}
}

// A slabWorld is a world beside an allotter.
type slabWorld struct {
	t testing.TB
	s State
	a *allotter
}

func newSlabWorld(tb testing.TB, objects int, inOrder bool) *slabWorld {
	tb.Helper()
	s := sure(CreateState(Counts{
		GameObjects: objects, InOrder: inOrder, Recipes: slabRecipes[:],
		Kinds: layout.Kinds(slabKinds[0].Count(2*objects), slabKinds[1].Count(2*objects), markX),
	}))
	return &slabWorld{tb, s, &allotter{live: map[uint32]int{}, limit: objects, inOrder: inOrder}}
}

func (w *slabWorld) room() int { return w.a.limit - len(w.a.live) }

// spawn spawns objects of a recipe, one by one, together, or recorded.
func (w *slabWorld) spawn(recipe, n, way int) {
	n = min(n, w.room())
	var got, want []uint32
	for range n {
		want = append(want, w.a.spawn(recipe+1, way == 1 && n >= 64))
	}
	r := slabRecipes[recipe]
	switch way {
	case 0:
		for range n {
			var id GameObject
			w.s, id = made(Spawn(w.s, r))
			got = append(got, id.Index())
		}
	case 1:
		w.s = sure(SpawnN(w.s, r, n, func(b Batch) {
			for i := range b.Len() {
				got = append(got, b.ID(i).Index())
			}
		}))
		slices.Sort(got) // batches ascend, also where indexes do not
		slices.Sort(want)
	default:
		ids := make([]GameObject, n)
		for i := range ids {
			ids[i] = Record(w.s).Spawn(r)
		}
		w.s = sure(Apply(w.s))
		for _, id := range ids {
			got = append(got, sure(Applied(w.s, id)).Index())
		}
	}
	require.Equal(w.t, want, got)
}

// create creates an object without components, or one like the lowest.
func (w *slabWorld) create(like bool) {
	if w.room() == 0 {
		return
	}
	var id GameObject
	indexes := slices.Sorted(maps.Keys(w.a.live))
	if !like || len(indexes) == 0 {
		w.s, id = made(CreateGameObject(w.s))
		require.Equal(w.t, w.a.loose(0), id.Index())
		return
	}
	recipe := w.a.live[indexes[0]]
	want, ok := w.a.inSlab(recipe)
	if ok {
		w.a.live[want] = recipe
	} else {
		want = w.a.loose(recipe)
	}
	w.s, id = made(CopyGameObject(w.s, sure(objectAt(w.s, indexes[0]))))
	require.Equal(w.t, want, id.Index())
}

// dispose disposes the objects of indexes, in their order.
func (w *slabWorld) dispose(indexes ...uint32) {
	for _, i := range indexes {
		w.a.dispose(i)
		w.s = sure(DisposeGameObject(w.s, sure(objectAt(w.s, i))))
	}
}

// of returns the indexes of a recipe's objects, ascending.
func (w *slabWorld) of(recipe int) (indexes []uint32) {
	for _, i := range slices.Sorted(maps.Keys(w.a.live)) {
		if w.a.live[i] == recipe+1 {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

func (w *slabWorld) check() {
	var got []uint32
	for id := range GameObjects(w.s) {
		got = append(got, id.Index())
	}
	require.Equal(w.t, slices.Sorted(maps.Keys(w.a.live)), got)
	require.NoError(w.t, ArenaOf(w.s).Verify())
}

// TestIDsOfRecipesAgainstANaiveAllotter: under random changes, in copies, after going back, and
// when everything that is derived is derived again.
func TestIDsOfRecipesAgainstANaiveAllotter(t *testing.T) {
	OneGoroutine(t)
	rounds := 600
	if !atLength() {
		rounds = 150
	}
	for seed, objects := range []int{1, 63, 64, 200, 640, 1500, 40_000} {
		for _, inOrder := range []bool{false, true} {
			t.Run(fmt.Sprint(objects, inOrder), func(t *testing.T) {
				w, r := newSlabWorld(t, objects, inOrder), rand.New(rand.NewPCG(9, uint64(seed)))
				p, back := sure(NewSnapshot(w.s)), w.a.clone()
				require.NoError(t, p.Take(w.s))
				defer func() { p.Close(); Close(w.s) }()
				for range rounds {
					switch op := r.IntN(20); {
					case op < 8:
						w.spawn(r.IntN(3), 1+r.IntN([]int{1, 20, 90}[r.IntN(3)]), r.IntN(3))
					case op < 10:
						w.create(op == 8)
					case op < 16:
						all := w.of(r.IntN(3))
						r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
						w.dispose(all[:r.IntN(len(all)+1)]...)
					case op == 16:
						require.NoError(t, p.Take(w.s))
						back = w.a.clone()
					case op == 17:
						w.s, w.a = sure(Restore(w.s, p)), back.clone()
					case op == 18:
						s := sure(Clone(w.s))
						Close(w.s)
						w.s = s
					default:
						w.s = sure(ArenaOf(w.s).Derived())
					}
					w.check()
				}
			})
		}
	}
}

// slabSteps are chosen so that a few of them reach the edges of what is loose and of slabs.
var slabSteps = []func(w *slabWorld){
	func(w *slabWorld) { w.spawn(0, 1, 0) },
	func(w *slabWorld) { w.spawn(0, 15, 1) },
	func(w *slabWorld) { w.spawn(1, 17, 2) },
	func(w *slabWorld) { w.spawn(1, 64, 1) },
	func(w *slabWorld) { w.create(false) },
	func(w *slabWorld) { w.dispose(w.of(0)...) },
	func(w *slabWorld) {
		if all := w.of(1); len(all) > 0 {
			w.dispose(all[0], all[len(all)-1])
		}
	},
	func(w *slabWorld) { // all of it
		for _, i := range slices.Sorted(maps.Keys(w.a.live)) {
			w.a.dispose(i)
		}
		w.s = sure(NewQuery().DisposeAll(w.s))
	},
}

// TestIDsOfRecipesExhaustively: every sequence of a few steps.
func TestIDsOfRecipesExhaustively(t *testing.T) {
	OneGoroutine(t)
	depth := 5
	if !atLength() {
		depth = 4
	}
	w := newSlabWorld(t, 200, false)
	defer func() { Close(w.s) }()
	var try func(depth int)
	try = func(depth int) {
		p, a := sure(NewSnapshot(w.s)), w.a
		defer p.Close()
		require.NoError(t, p.Take(w.s))
		for _, step := range slabSteps {
			w.s, w.a = sure(Restore(w.s, p)), a.clone()
			step(w)
			if w.check(); depth > 1 {
				try(depth - 1)
			}
		}
	}
	try(depth)
}

// TestExactCountsOfRecipes: what is counted can be spawned, in any order.
func TestExactCountsOfRecipes(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		var all []int
		for recipe := range slabRecipes {
			all = append(all, slices.Repeat([]int{recipe}, r.IntN([]int{20, 100, 3000}[r.IntN(3)]))...)
		}
		r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		n := [3]int{}
		for _, recipe := range all {
			n[recipe]++
		}
		s := sure(CreateState(Counts{
			GameObjects: len(all), Recipes: slabRecipes[:],
			Kinds: layout.Kinds(slabKinds[0].Count(n[0]+n[2]), slabKinds[1].Count(n[1]+n[2]), markX),
		}))
		for _, recipe := range all {
			s, _ = made(Spawn(s, slabRecipes[recipe]))
		}
		require.NoError(t, ArenaOf(s).Verify())
		Close(s)
	}
}
