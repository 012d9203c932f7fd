package systems

import (
	"fmt"
	"math/rand/v2"
	"testing"

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
	s = must(SpawnN(s, node, n, func(b Batch) {
		for i := range b.Len() {
			made = append(made, b.ID(i))
		}
	}))
	r := rand.New(rand.NewPCG(1, 2))
	if g.strewn {
		r.Shuffle(n, func(i, j int) { made[i], made[j] = made[j], made[i] })
	}
	for i, id := range made {
		if p := g.parent(r, i); p >= 0 {
			s = must(Set(s, id, childOf, made[p]))
		}
		s = must(Set(s, id, local, [3]float32{1, float32(i % 7), 2}))
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

func BenchmarkTree(b *testing.B) {
	const n = 1_000_000
	for _, g := range groves {
		s, ids := planted(b, g, n)
		b.Run(g.name+"/walk", func(b *testing.B) {
			for b.Loop() {
				s = place(s)
			}
			perObject(b, n)
		})
		b.Run(g.name+"/rebuild", func(b *testing.B) {
			for b.Loop() {
				s = must(Set(s, ids[n-1], childOf, parentOf(s, ids[n-1])))
				s.look().relation(childOf).Levels()
			}
			perObject(b, n)
		})
	}
}

func BenchmarkTargets(b *testing.B) {
	const n = 1_000_000
	for _, targets := range []int{10, 1_000, 50_000} {
		s, ids := planted(b, grove{parent: func(r *rand.Rand, i int) int {
			if i < targets {
				return -1
			}
			return r.IntN(targets)
		}}, n)
		b.Run(fmt.Sprint(targets, "/derive"), func(b *testing.B) {
			for b.Loop() {
				s = must(Set(s, ids[n-1], childOf, parentOf(s, ids[n-1])))
				ChildCount(s, childOf, ids[0])
			}
			perObject(b, n)
		})
		b.Run(fmt.Sprint(targets, "/visit"), func(b *testing.B) {
			sum := 0
			for b.Loop() {
				for _, t := range ids[:targets] {
					for b := range posing.ChildrenOf(s, childOf, t) {
						sum += len(Column(b, global))
					}
				}
			}
			perObject(b, n-targets)
		})
		b.Run(fmt.Sprint(targets, "/children"), func(b *testing.B) {
			sum := GameObject(0)
			for b.Loop() {
				for _, t := range ids[:targets] {
					for id := range Children(s, childOf, t) {
						sum += id
					}
				}
			}
			perObject(b, n-targets)
		})
	}
}

func BenchmarkReparent(b *testing.B) {
	const n = 1_000_000
	s, ids := planted(b, groves[0], n)
	for name, at := range map[string]int{"leaf": 10, "depth 1": 2} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for i := range 1000 {
					s = must(Set(s, ids[i*20+at], childOf, ids[(i^1)*20]))
				}
			}
			perObject(b, 1000)
		})
	}
}

func BenchmarkDisposeTrees(b *testing.B) {
	const n, trees = 1_000_000, 1000
	for b.Loop() {
		b.StopTimer()
		s, ids := planted(b, groves[0], n)
		b.StartTimer()
		for i := range trees {
			s = must(DisposeGameObject(s, ids[i*37%(n/20)*20]))
		}
		b.StopTimer()
		if Live(s) != n-trees*20 {
			b.Fatal(Live(s))
		}
		Close(s)
		b.StartTimer()
	}
	perObject(b, trees*20)
}
