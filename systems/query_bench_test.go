package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
)

var (
	benchVelocity = layout.NewField[[3]float32]("velocity")
	benchForce    = layout.NewField[[3]float32]("force")
	benchBody     = layout.NewKind("body", benchVelocity)
	benchGravity  = layout.NewKind("gravity", benchForce)
	benchMark     = layout.NewMark("mark")
	benchRecipe   = NewRecipe("mover", Position, Velocity)
	benchPlaced   = benchRecipe.With(Position.Value([3]float32{1, 2, 3}), Velocity.Value(4))
	benchOther    = NewRecipe("other", Position, benchBody)

	benchMove     = NewQuery(Write(Position), Read(Velocity))
	benchUnmarked = NewQuery(Write(Position), Read(Velocity), Without(benchMark))
	benchRowWise  = benchUnmarked.And(RowWise())
	benchNone     = NewQuery(Write(Position), Read(benchForce))
)

// spawned returns a world with room for n movers, of which it has some; every second stretch is of
// another recipe.
func spawned(tb testing.TB, n int) State {
	tb.Helper()
	s := sure(CreateState(Counts{
		GameObjects: n * 2, Kinds: layout.Kinds(
			benchBody.Count(n*2), benchGravity.Count(16), benchMark.Count(0),
			Position.Count(n*2), Velocity.Count(n*2),
		),
		Recipes: []Recipe{benchRecipe, benchOther},
	}))
	for i := range n {
		s = changed(Spawn(s, []Recipe{benchRecipe, benchOther}[i%2]))
	}
	return closedLater(tb, s)
}

func move(s State, q Query) State {
	for b := range q.In(s) {
		kernel.Move(layout.Flat[float32](Position, Column(b, Position)), Column(b, Velocity))
	}
	return s.done()
}

// turnover disposes and spawns one object in a hundred, 600 times, at 90 % of the peak.
func turnover(s State, n int) State {
	r := rand.New(rand.NewPCG(1, 2))
	ids := slices.Collect(GameObjects(s))
	for range 600 {
		for range n / 100 {
			i := r.IntN(len(ids))
			recipe := benchOther
			if Has(s, ids[i], Velocity.Kind()) {
				recipe = benchRecipe
			}
			s, ids[i] = made(Spawn(sure(Dispose(s, ids[i])), recipe))
		}
	}
	return s
}

func BenchmarkWalk(b *testing.B) {
	for _, n := range []int{16, 10_000, 100_000, 1_000_000} {
		s, _ := heroes(b, n)
		benchWalk(b, fmt.Sprintf("uniform/%d", n), n, s, benchMove)
	}
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		s := spawned(b, n)
		s = benchWalk(b, fmt.Sprintf("recipes/%d", n), n/2, s, benchMove)
		s = turnover(s, n)
		s = benchWalk(b, fmt.Sprintf("turnover/%d", n), n/2, s, benchMove)
		benchWalk(b, fmt.Sprintf("nothing/%d", n), n, s, benchNone)
	}
}

func benchWalk(b *testing.B, name string, n int, s State, q Query) State {
	b.Run(name, func(b *testing.B) {
		for range b.N {
			s = move(s, q)
		}
		perObject(b, n)
	})
	return s
}

func BenchmarkMarked(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		s := spawned(b, n)
		r := rand.New(rand.NewPCG(3, 4))
		for id := range GameObjects(s) {
			if r.IntN(10) == 0 {
				s, _ = Add(s, id, benchMark)
			}
		}
		s = benchWalk(b, fmt.Sprintf("any/%d", n), n/2, s, benchUnmarked)
		benchWalk(b, fmt.Sprintf("rowwise/%d", n), n/2, s, benchRowWise)
	}
}

func BenchmarkGathered(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		s, ids := heroes(b, n)
		for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(n) {
			s, _ = Remove(s, ids[i], Velocity.Kind())
		}
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
			var v Row // any free row: no object's own
			s, v = made(CreateComponent(s, Velocity.Kind()))
			s = sure(Mount(s, ids[i], Velocity.Kind(), v))
		}
		benchWalk(b, fmt.Sprint(n), n, s, benchMove)
	}
}

func BenchmarkChange(b *testing.B) {
	const n = 100_000
	b.Run("mark", func(b *testing.B) {
		s := spawned(b, n)
		id, _ := objectAt(s, 77)
		for b.Loop() {
			s, _ = Add(s, id, benchMark)
			s, _ = Remove(s, id, benchMark)
		}
	})
	b.Run("kind beside ten", func(b *testing.B) {
		s, ids := besideTen(b, n)
		for i := range b.N {
			s, _ = Add(s, ids[i%1024], Position.Kind())
			s, _ = Remove(s, ids[i%1024], Position.Kind())
		}
	})
	b.Run("spawn and dispose", func(b *testing.B) {
		s := spawned(b, n)
		for b.Loop() {
			var id GameObject
			s, id, _ = Spawn(s, benchRecipe)
			s, _ = Dispose(s, id)
		}
	})
	b.Run("spawnN", func(b *testing.B) { benchSpawnN(b, benchRecipe, n) })
	b.Run("spawnN with values", func(b *testing.B) { benchSpawnN(b, benchPlaced, n) })
}

func benchSpawnN(b *testing.B, r Recipe, n int) {
	b.Helper()
	for b.Loop() {
		b.StopTimer()
		s := sure(CreateState(Counts{Kinds: layout.Kinds(
			Position.Count(n), Velocity.Count(n),
		), Recipes: []Recipe{r}}))
		b.StartTimer()
		s = sure(SpawnN(s, r, n*9/10, nil))
		b.StopTimer()
		Close(s)
		b.StartTimer()
	}
	perObject(b, n*9/10)
}

func besideTen(b *testing.B, n int) (State, []GameObject) {
	b.Helper()
	kinds := make([]Kind, 10)
	counts := make([]layout.Count, 10)
	for i := range kinds {
		kinds[i] = layout.NewKind(fmt.Sprint("k", i), layout.NewField[[2]float64]("v"))
		counts[i] = kinds[i].Count(n)
	}
	r := NewRecipe("ten", kindList(kinds)...)
	s := sure(CreateState(Counts{
		GameObjects: n, Kinds: append(counts, Position.Count(n)), Recipes: []Recipe{r},
	}))
	ids := make([]GameObject, 1024)
	for i := range ids {
		s, ids[i] = made(Spawn(s, r))
	}
	return s, ids
}
