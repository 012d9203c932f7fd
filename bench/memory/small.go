package memory

import (
	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pool"
)

type vec struct{ X, Y float32 }

var (
	place   = layout.NewComponent[vec]("small place")
	speed   = layout.NewComponent("small speed", vec{1, 2})
	runner  = world.NewRecipe("small runner", place, speed)
	running = world.NewQuery(world.Write(place), world.Read(speed))
)

// forks is how many worlds are forked at once.
const forks = 100

// smallWorld does something with worlds of n objects.
func smallWorld(who string, n int) harness.Work {
	counts := world.Counts{
		GameObjects: n, Recipes: []world.Recipe{runner}, Queries: []world.Query{running},
	}
	first := world.Must(world.CreateState(counts))
	first = world.Must(world.SpawnN(first, runner, n, nil))
	p := world.Must(pool.New(first, forks+1))
	one := world.Must(p.Take())
	w := harness.Work{
		Of:    1,
		Check: func() harness.Result { return harness.Result{Count: running.Count(first)} },
		Close: func() { p.Close(); world.Close(first) },
	}
	switch who {
	case "flatecs CreateState":
		w.Run = func() { world.Close(world.Must(world.CreateState(counts))) }
	case "flatecs Clone":
		w.Run = func() { world.Close(world.Must(world.Clone(first))) }
	case "flatecs Restore":
		s := world.Must(world.NewSnapshot(first))
		if err := s.Take(first); err != nil {
			panic(err)
		}
		w.Run = func() { one = world.Must(world.Restore(one, s)) }
	case "flatecs Take and Put":
		w.Run = func() { p.Put(world.Must(p.Take())) }
	case "flatecs Fork":
		all := make([]world.State, 0, forks)
		w.Of = forks
		w.Run = func() { all = world.Must(p.Fork(all, first, forks)) }
		w.Reset = func() {
			for _, s := range all {
				p.Put(s)
			}
			all = all[:0]
		}
	case "flatecs Step":
		w.Run = func() { one = run(one) }
	default:
		src := world.Bytes(first)
		dst := make([]byte, len(src))
		w.Run = func() { copy(dst, src) }
	}
	return w
}

// run is a step.
func run(s world.State) world.State {
	s = world.Advance(s)
	for b := range running.In(s) {
		at, by := world.Column(b, place), world.Column(b, speed)
		for i := range at {
			at[i].X += by[i].X
			at[i].Y += by[i].Y
		}
	}
	return s
}
