package systems

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// families returns a world with n parents and a child of each, and the parents. Their objects are
// loose: which rows and indexes are used next depends on the order in which they are disposed.
func families(tb testing.TB, n int) (s State, parents []GameObject) {
	tb.Helper()
	s = closedLater(tb, sure(CreateState(Counts{
		GameObjects: 2*n + 64, Kinds: layout.Kinds(childOf, local),
	})))
	for range n {
		var parent, child GameObject
		s, parent = made(CreateWith(s, local))
		s, child = made(CreateWith(s, childOf, local))
		s = sure(Set(s, child, childOf, parent))
		parents = append(parents, parent)
	}
	return s, parents
}

// Whoever is named first, those that are disposed together leave in the order of the objects, be
// their blocks near each other or far.
func TestDisposalIsInTheOrderOfObjects(t *testing.T) {
	for name, every := range map[string]int{"near": 3, "far": 1200} {
		t.Run(name, func(t *testing.T) {
			var digests [2]uint64
			for i := range digests {
				s, parents := families(t, 6000)
				var ids []GameObject
				for at := 0; at < len(parents); at += every {
					ids = append(ids, parents[at])
				}
				if i == 1 {
					rand.New(rand.NewPCG(1, 7)).Shuffle(len(ids), func(a, b int) {
						ids[a], ids[b] = ids[b], ids[a]
					})
				}
				s = sure(Dispose(s, ids...))
				require.Equal(t, 2*(6000-len(ids)), Len(s))
				digests[i] = Digest(s)
			}
			require.Equal(t, digests[0], digests[1])
		})
	}
}

// A world that is larger than caches asks for memory ahead of a disposal, which changes nothing.
func TestTreesLeaveALargeWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("it has half a million objects")
	}
	const n = 1<<19 + 20_000
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: n, Recipes: []Recipe{node},
		Kinds: layout.Kinds(childOf.Count(n), local.Count(n), global.Count(n), burden.Count(n)),
	})))
	var ids, roots []GameObject
	s = sure(SpawnN(s, node, n, func(b Batch) { ids = b.AppendIDs(ids) }))
	for i, id := range ids { // trees of twenty: a body, three limbs, and 16 parts of them
		switch k := i % 20; {
		case k == 0 && i/20%3 == 0:
			roots = append(roots, id)
		case k > 3:
			s = sure(Set(s, id, childOf, ids[i-k+1+(k-4)%3]))
		case k > 0:
			s = sure(Set(s, id, childOf, ids[i-k]))
		}
	}
	require.Equal(t, kernel.Prefetches(), manager.Large(ArenaOf(s)))
	s = sure(Dispose(s, roots[0]))
	s = sure(Dispose(s, roots[1:]...))
	require.Equal(t, n-len(roots)*20, Len(s))
	for i, id := range ids {
		if gone := i/20%3 == 0; Alive(s, id) == gone {
			t.Fatal(i, "is alive, or not")
		}
	}
	require.NoError(t, ToolsOf(s).Verify())
}
