package systems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
)

// A grove is the shape of a benchmark's trees: the parent of each node, or -1, in an order in which
// parents come first.
type grove struct {
	name   string
	parent func(r *rand.Rand, i int) int
	strewn bool // created in random order
}

var groves = []grove{
	{name: "trees of 20", parent: ofTwenty},
	{name: "trees of 20 strewn", parent: ofTwenty, strewn: true},
	{name: "2000 deep", parent: func(r *rand.Rand, i int) int {
		if i < 1000 {
			return -1
		}
		return i - 1 - r.IntN(999)
	}},
}

// ofTwenty makes trees of a body, three limbs, and 16 parts of them.
func ofTwenty(_ *rand.Rand, i int) int {
	switch k := i % 20; {
	case k == 0:
		return -1
	case k < 4:
		return i - k
	default:
		return i - k + 1 + (k-4)%3
	}
}

// planted returns a world of n nodes.
func planted(tb testing.TB, g grove, n int) (State, []GameObject) {
	tb.Helper()
	s := sure(CreateState(Counts{
		GameObjects: n, Recipes: []Recipe{node},
		Kinds:   layout.Kinds(childOf.Count(n), local.Count(n), global.Count(n), burden.Count(n)),
		Queries: []Query{posing},
	}))
	var made []GameObject
	s = sure(SpawnN(s, node, n, func(b Batch) {
		made = b.AppendIDs(made)
	}))
	r := rand.New(rand.NewPCG(1, 2))
	if g.strewn {
		r.Shuffle(n, func(i, j int) { made[i], made[j] = made[j], made[i] })
	}
	for i, id := range made {
		if p := g.parent(r, i); p >= 0 {
			s = sure(Set(s, id, childOf, made[p]))
		}
		s = sure(Set(s, id, local, [3]float32{1, float32(i % 7), 2}))
	}
	return closedLater(tb, s), made
}

// place adds the parents' global to local.
func place(s State) State {
	for b := range posing.Down(s, childOf) {
		g, l, up := Column(b, global), Column(b, local), Parents(b, global)
		for i := range g {
			g[i] = [3]float32{up[i][0] + l[i][0], up[i][1] + l[i][1], up[i][2] + l[i][2]}
		}
	}
	return s.done()
}

// least runs f b.N times, and reports the least time per object, which a busy machine disturbs
// least.
func least(b *testing.B, n int, f func()) {
	b.Helper()
	best := time.Duration(math.MaxInt64)
	for b.Loop() {
		at := time.Now()
		f()
		best = min(best, time.Since(at))
	}
	b.ReportMetric(float64(best.Nanoseconds())/float64(n), "least-ns/object")
}

func BenchmarkTree(b *testing.B) {
	for _, n := range []int{20_000, 200_000, 1_000_000} {
		for _, g := range groves {
			benchTree(b, g, n)
		}
	}
}

func benchTree(b *testing.B, g grove, n int) {
	b.Helper()
	s, ids := planted(b, g, n)
	name := fmt.Sprintf("%s/%d/", g.name, n)
	b.Run(name+"walk", func(b *testing.B) {
		least(b, n, func() { s = place(s) })
	})
	b.Run(name+"rebuild", func(b *testing.B) {
		least(b, n, func() {
			s = sure(Set(s, ids[n-1], childOf, parentOf(s, ids[n-1])))
			s.look().relation(childOf).Levels()
		})
	})
}

// BenchmarkFew sets a reference and asks for children, in a relation that few of a million objects
// have.
func BenchmarkFew(b *testing.B) {
	const n = 1_000_000
	s := sure(CreateState(Counts{
		GameObjects: n, Recipes: []Recipe{node, rootless},
		Kinds: layout.Kinds(childOf.Count(100), local.Count(n), global.Count(n), burden.Count(n)),
	}))
	defer func() { Close(s) }()
	s = sure(SpawnN(s, rootless, n-100, nil))
	var ids []GameObject
	s = sure(SpawnN(s, node, 100, func(b Batch) { ids = b.AppendIDs(ids) }))
	b.Run("children", func(b *testing.B) {
		for b.Loop() {
			s = sure(Set(s, ids[1], childOf, ids[0]))
			ChildCount(s, childOf, ids[0])
		}
	})
	b.Run("levels", func(b *testing.B) {
		for b.Loop() {
			s = sure(Set(s, ids[1], childOf, ids[0]))
			Depth(s, childOf)
		}
	})
}
