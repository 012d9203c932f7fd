package systems

import (
	"math/rand/v2"
	"slices"
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
		s, ids[i] = made(Spawn(s, recipe))
	}
	for i := 20; i < n; i++ {
		if r.IntN(20) > 0 {
			s = sure(Set(s, ids[i], childOf, ids[max(0, i-1-r.IntN(100))]))
		}
		s = sure(Set(s, ids[i], local, [3]float32{float32(i % 7), 1, float32(i % 3)}))
	}
	return s, ids
}

// parentOf returns the parent of an object, or nobody.
func parentOf(s State, id GameObject) GameObject {
	parent, _ := Get(s, id, childOf)
	return parent
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
