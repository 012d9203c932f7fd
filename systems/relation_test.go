package systems

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	local    = layout.NewComponent[[3]float32]("local")
	global   = layout.NewComponent("global", [3]float32{})
	burden   = layout.NewComponent[uint32]("burden")
	node     = NewRecipe("node", childOf, local, global, burden)
	rootless = NewRecipe("free", local, global, burden)
	posing   = NewQuery(Write(global), Read(local))
	summed   = NewQuery(Write(burden))
)

// forest returns a world of n nodes, whose parents are among the 100 before them, or nobody.
func forest(tb testing.TB, seed uint64, n int) (State, []GameObject) {
	tb.Helper()
	s := sure(CreateState(Counts{
		GameObjects: n + 64, Recipes: []Recipe{node, rootless},
		Kinds:   layout.Kinds(childOf, local, global, burden, markX),
		Queries: []Query{posing, summed},
	}))
	r := rand.New(rand.NewPCG(seed, 3))
	ids := make([]GameObject, n)
	for _, i := range r.Perm(n) {
		recipe := node
		if i < 20 {
			recipe = rootless
		}
		var err error
		s, ids[i], err = Spawn(s, recipe)
		require.NoError(tb, err)
	}
	var err error
	for i := 20; i < n; i++ {
		if r.IntN(20) > 0 {
			s, err = Set(s, ids[i], childOf, ids[max(0, i-1-r.IntN(100))])
			require.NoError(tb, err)
		}
		s, err = Set(s, ids[i], local, [3]float32{float32(i % 7), 1, float32(i % 3)})
		require.NoError(tb, err)
	}
	return s, ids
}

// parentOf returns the parent of an object, or nobody.
func parentOf(s State, id GameObject) GameObject {
	parent, _ := Get(s, id, childOf)
	return parent
}

func TestDownVisitsParentsFirst(t *testing.T) {
	for seed := range uint64(4) {
		s, ids := forest(t, seed, 3000)
		seen := map[GameObject][3]float32{}
		for b := range posing.Down(s, childOf) {
			g, l, up := Column(b, global), Column(b, local), Parents(b, global)
			require.Len(t, up, b.Len())
			for i := range g {
				for axis := range 3 {
					g[i][axis] = up[i][axis] + l[i][axis]
				}
				parent := parentOf(s, b.ID(i))
				require.Equal(t, seen[parent], up[i])
				seen[b.ID(i)] = g[i]
			}
		}
		require.Len(t, seen, len(ids))
		for id, want := range seen {
			require.Equal(t, want, sure(Get(s, id, global)))
		}
		Close(s)
	}
}

func TestUpSumsChildren(t *testing.T) {
	s, ids := forest(t, 9, 2000)
	want := map[GameObject]uint32{}
	for i, id := range ids {
		s, _ = Set(s, id, burden, uint32(i))
		for at := id; at != 0; at = parentOf(s, at) {
			want[at] += uint32(i)
		}
	}
	visited := 0
	for b := range summed.Up(s, childOf) {
		sum := slices.Clone(Column(b, burden))
		visited += b.Len()
		UpdateParents(b, burden, func(i int, parent *uint32) { *parent += sum[i] })
	}
	require.Equal(t, len(ids), visited)
	for id, n := range want {
		require.Equal(t, n, sure(Get(s, id, burden)))
	}
	Close(s)
}

func TestWalksOfFamiliesLeaveOutWhatDoesNotMatch(t *testing.T) {
	s, ids := forest(t, 5, 1000)
	var err error
	for i, id := range ids {
		if i%3 == 0 {
			s, _, err = Add(s, id, markX)
			require.NoError(t, err)
		}
	}
	marked := posing.And(With(markX))
	var down, up []GameObject
	for b := range marked.Down(s, childOf) {
		for i := range b.Len() {
			down = append(down, b.ID(i))
		}
	}
	for b := range marked.Up(s, childOf) {
		for i := range b.Len() {
			up = append(up, b.ID(i))
		}
	}
	slices.Sort(down)
	slices.Sort(up)
	assert.Equal(t, slices.Sorted(marked.Objects(s)), down)
	assert.Equal(t, down, up)
	for _, id := range ids[:50] {
		var got []GameObject
		for b := range marked.ChildrenOf(s, childOf, id) {
			for i := range b.Len() {
				got = append(got, b.ID(i))
			}
		}
		var want []GameObject
		for c := range Children(s, childOf, id) {
			if Has(s, c, markX) {
				want = append(want, c)
			}
		}
		require.Equal(t, want, got)
	}
	Close(s)
}

// TestListsAreNeverStale: two writes in one tick, a rollback, and another branch to the same tick.
func TestListsAreNeverStale(t *testing.T) {
	s, ids := forest(t, 1, 200)
	a, b, c := ids[0], ids[1], ids[50]
	snap := sure(NewSnapshot(s))
	s = must(Set(s, c, childOf, a))
	require.Contains(t, slices.Collect(Children(s, childOf, a)), c)
	require.NoError(t, snap.Take(s))
	s = must(Set(s, c, childOf, b))
	require.NotContains(t, slices.Collect(Children(s, childOf, a)), c)
	require.Contains(t, slices.Collect(Children(s, childOf, b)), c)
	require.Contains(t, slices.Collect(Children(snap.State(), childOf, a)), c)
	s = must(Restore(s, snap))
	require.Contains(t, slices.Collect(Children(s, childOf, a)), c)
	s = must(Set(s, c, childOf, ids[2]))
	require.Contains(t, slices.Collect(Children(s, childOf, ids[2])), c)
	require.NotContains(t, slices.Collect(Children(s, childOf, a)), c)
	twin := sure(Clone(s))
	require.Equal(t, slices.Collect(Children(s, childOf, a)), slices.Collect(Children(twin, childOf, a)))
	snap.Close()
	Close(s)
	Close(twin)
}

func must(s State, err error) State { return sure(s, err) }

// TestChildrenSideBySide: readers that all find the lists stale.
func TestChildrenSideBySide(t *testing.T) {
	s, ids := forest(t, 2, 2000)
	for range 20 {
		s = must(Set(s, ids[1999], childOf, ids[0]))
		want := ChildCount(s, childOf, ids[0])
		s = must(Set(s, ids[1999], childOf, ids[0]))
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if n := ChildCount(s, childOf, ids[0]); n != want {
					t.Errorf("%d children, not %d", n, want)
				}
				runtime.Gosched()
				for range Children(s, childOf, ids[1]) {
				}
			})
		}
		all.Wait()
	}
	Close(s)
}

func TestDeepFamiliesGoTogether(t *testing.T) {
	const n = 100_000
	s := sure(CreateState(Counts{
		GameObjects: n, Recipes: []Recipe{node}, Kinds: layout.Kinds(childOf, local, global, burden),
	}))
	var root, last, id GameObject
	var err error
	for range n {
		s, id, err = Spawn(s, node)
		require.NoError(t, err)
		if last != 0 {
			s = must(Set(s, id, childOf, last))
		} else {
			root = id
		}
		last = id
	}
	depth := 0
	for b := range posing.Down(s, childOf) {
		depth += b.Len()
	}
	require.Equal(t, n, depth)
	_, err = Set(s, root, childOf, last)
	require.ErrorIs(t, err, ErrRing)
	require.Contains(t, err.Error(), "childOf 0 → 99999 → 99998 → ")
	s = must(DisposeGameObject(s, root))
	require.Zero(t, Live(s))
	Close(s)
}

func TestChildrenMayBeChangedInTheirLoop(t *testing.T) {
	s, ids := forest(t, 4, 500)
	from, to := ids[0], ids[1]
	want := slices.Collect(Children(s, childOf, from))
	require.NotEmpty(t, want)
	var got []GameObject
	for c := range Children(s, childOf, from) {
		s = must(Set(s, c, childOf, to))
		got = append(got, c)
		ChildCount(s, childOf, to) // derives the lists anew
	}
	assert.Equal(t, want, got)
	assert.Zero(t, ChildCount(s, childOf, from))
	Close(s)
}

func TestFamiliesAllocateNothing(t *testing.T) {
	s, ids := forest(t, 6, 5000)
	c := ids[4000]
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		s, _ = Set(s, c, childOf, ids[0])
		for b := range posing.Down(s, childOf) {
			g, up := Column(b, global), Parents(b, global)
			for i := range g {
				g[i] = up[i]
			}
		}
		for range Children(s, childOf, ids[0]) {
		}
		s, _ = Set(s, c, childOf, ids[1])
	}))
	Close(s)
}

// TestRingsOfKeptCreations: a parent that is still recorded, and becomes a child of its child.
func TestSuspendedReferencesRefuseNothing(t *testing.T) {
	s := sure(CreateState(Counts{
		GameObjects: 10, Recipes: []Recipe{related},
		Kinds: layout.Kinds(childOf, looksAt, carried, kindA),
	}))
	s, bag, err := Spawn(s, related)
	require.NoError(t, err)
	s, item, err := Spawn(s, related)
	require.NoError(t, err)
	s = must(Set(s, item, carried, bag))
	s, err = DisposeGameObject(s, bag)
	require.ErrorIs(t, err, ErrReferred)
	require.ErrorContains(t, err, "disposed: 1 refers to 0 by carried: ")
	s = must(Suspend(s, item, carried.Kind()))
	s = must(DisposeGameObject(s, bag))
	s, _, err = Add(s, item, carried.Kind())
	require.NoError(t, err)
	require.Zero(t, sure(Get(s, item, carried)), "the object is gone")
	Close(s)
}

// TestHasTarget: as With, for those that refer to somebody, whatever was changed between.
func TestHasTarget(t *testing.T) {
	s, ids := forest(t, 3, 700)
	r := rand.New(rand.NewPCG(3, 4))
	attached := NewQuery(HasTarget(childOf), Without(markX))
	loose := NewQuery(With(childOf))
	snap := sure(NewSnapshot(s))
	require.NoError(t, snap.Take(s))
	check := func(s State) {
		t.Helper()
		var want []GameObject
		for id := range loose.Objects(s) {
			if parentOf(s, id) != 0 && !Has(s, id, markX) {
				want = append(want, id)
			}
		}
		require.Equal(t, want, slices.Collect(attached.Objects(s)))
		require.Equal(t, len(want), attached.Count(s))
		n := 0
		for b := range NewQuery(Read(local), HasTarget(childOf), Without(markX)).In(s) {
			n += b.Len()
		}
		require.Equal(t, len(want), n)
		for b := range NewQuery(Read(local), HasTarget(childOf), Without(markX)).Down(s, childOf) {
			n -= b.Len()
		}
		require.Zero(t, n)
	}
	for range 60 {
		id := ids[20+r.IntN(len(ids)-20)]
		switch r.IntN(5) {
		case 0:
			s = must(Set(s, id, childOf, 0))
		case 1:
			s, _ = Set(s, id, childOf, ids[r.IntN(len(ids))]) // a ring, at times
		case 2:
			if !Has(s, id, markX) {
				s, _, _ = Add(s, id, markX)
			}
		case 3:
			s, _, _ = Spawn(s, node)
		case 4:
			if r.IntN(4) == 0 {
				s = must(Restore(s, snap))
			}
		}
		check(s)
		check(snap.State())
	}
	require.Contains(t, sure(attached.Key(s)), "targetOf:0")
	snap.Close()
	Close(s)
}

// A world that lacks a relation has nobody who refers by it.
func TestNoTarget(t *testing.T) {
	s, ids := forest(t, 4, 700)
	roots := NewQuery(Read(local), NoTarget(childOf, looksAt))
	n := 0
	for b := range roots.Down(s, childOf) {
		n += b.Len()
	}
	require.Equal(t, roots.Count(s), n)
	require.NotZero(t, n)
	require.Less(t, n, len(ids))
	require.Equal(t, "NewQuery(Read(local), NoTarget(childOf, looksAt))", roots.String())
	require.Contains(t, sure(roots.Key(s)), "noTargetOf:0")
	require.Contains(t, slices.Collect(sure(roots.Kinds(s)).All()), ArenaOf(s).Slot(childOf.Kind().Spec()))

	mustPanic(t, "contradict", func() { NewQuery(HasTarget(childOf), NoTarget(childOf)).Count(s) })
	Close(s)
}

func TestWatchersRefuseTargets(t *testing.T) {
	for name, term := range map[string]Term{
		"HasTarget": HasTarget(childOf), "NoTarget": NoTarget(childOf),
	} {
		require.PanicsWithValue(t, "flatecs: a watcher cannot watch "+name+
			"; watch With of the relation, or walk the query", func() {
			_, _ = CreateState(Counts{
				GameObjects: 1, Kinds: layout.Kinds(childOf),
				Watchers: []Watcher{NewWatcher(NewQuery(term))},
			})
		})
	}
}

func TestTargetsAreOfRelations(t *testing.T) {
	at := layout.NewComponent[GameObject]("aim")
	mustPanic(t, "relation", func() { HasTarget(at) })
	mustPanic(t, "relation", func() { NoTarget(childOf, at) })
}
