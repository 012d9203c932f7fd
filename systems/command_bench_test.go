package systems

import (
	"fmt"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

// BenchmarkCommands compares changes that are recorded and applied with the same changes made by
// calls, one by one. The time of a recorded change covers both of its halves.
func BenchmarkCommands(b *testing.B) {
	for _, n := range []int{64, 1_000, 10_000} {
		for _, c := range []struct {
			name       string
			run, reset func(State, int) (State, error)
		}{
			{"dispose/recorded", recordEmpty, recordFill},
			{"dispose/called", callEmpty, recordFill},
			{"create+put/recorded", recordFill, recordEmpty},
			{"create+put/called", callFill, recordEmpty},
			{"mark+unmark/recorded", recordMarks, nil},
			{"mark+unmark/called", callMarks, nil},
			{"set/recorded", recordSet, nil},
			{"set/called", callSet, nil},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				benchmarkChange(b, n, c.run, c.reset)
			})
		}
	}
}

func benchmarkChange(b *testing.B, n int, run, reset func(State, int) (State, error)) {
	s, err := CreateState(Counts{
		GameObjects: n, Commands: 2 * n,
		Kinds: []layout.Count{hullKind.Count(n), frozenMark.Count(0)},
	})
	if err != nil {
		b.Fatal(err)
	}
	s = closedLater(b, s)
	s, _ = recordFill(s, n)
	if reset != nil {
		s, _ = recordEmpty(s, n)
		s, _ = reset(s, n)
	}
	b.ResetTimer()
	for range b.N {
		if s, err = run(s, n); err != nil {
			b.Fatal(err)
		}
		if reset != nil {
			b.StopTimer()
			s, _ = reset(s, n)
			b.StartTimer()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/object")
}

var (
	runNext  = layout.NewField[GameObject]("next")
	runChain = layout.NewKind("run chain", runNext)
)

// BenchmarkReferences applies one spawn beside a million references that were written in its step,
// which Apply reads through, and the same without a spawn, which it does not.
func BenchmarkReferences(b *testing.B) {
	const n = 1_000_000
	chain := NewQuery(Write(runNext))
	for _, spawns := range []int{1, 0} {
		b.Run(fmt.Sprint("spawns/", spawns), func(b *testing.B) {
			made := NewRecipe("chained", runChain)
			s := sure(CreateState(Counts{
				GameObjects: n + 64, Recipes: []Recipe{made}, Kinds: []layout.Count{runChain.Count(n + 64)},
			}))
			s = closedLater(b, s)
			s = sure(SpawnN(s, made, n, nil))
			for range b.N {
				b.StopTimer()
				s = Advance(s)
				for x := range chain.In(s) {
					clear(Column(x, runNext))
				}
				var id GameObject
				for range spawns {
					id = Record(s).Spawn(made)
				}
				b.StartTimer()
				s = sure(Apply(s))
				b.StopTimer()
				if spawns > 0 {
					s = sure(Dispose(s, sure(Applied(s, id))))
				}
			}
		})
	}
}

var everyHull = NewQuery(With(hullKind))

func recordFill(s State, n int) (State, error) {
	c := Record(s)
	for range n {
		Put(c, c.Create(), shove, [3]float32{1, 2, 3})
	}
	return Apply(s)
}

func callFill(s State, n int) (State, error) {
	for range n {
		var id GameObject
		s, id, _ = Create(s)
		s, _ = Add(s, id, hullKind)
		s, _ = Set(s, id, shove, [3]float32{1, 2, 3})
	}
	return s, nil
}

func recordEmpty(s State, _ int) (State, error) {
	for b := range everyHull.In(s) {
		for i := range b.Len() {
			b.Dispose(i)
		}
	}
	return Apply(s)
}

func callEmpty(s State, _ int) (State, error) {
	for id := range GameObjects(s) {
		s, _ = Dispose(s, id)
	}
	return s, nil
}

func recordMarks(s State, _ int) (State, error) {
	for b := range everyHull.In(s) {
		for i := range b.Len() {
			b.Add(i, frozenMark)
			b.Remove(i, frozenMark)
		}
	}
	return Apply(s)
}

func callMarks(s State, _ int) (State, error) {
	for id := range GameObjects(s) {
		s, _ = Add(s, id, frozenMark)
		s, _ = Remove(s, id, frozenMark)
	}
	return s, nil
}

func recordSet(s State, _ int) (State, error) {
	c := Record(s)
	for id := range GameObjects(s) {
		Put(c, id, shove, [3]float32{3, 2, 1})
	}
	return Apply(s)
}

func callSet(s State, _ int) (State, error) {
	for id := range GameObjects(s) {
		s, _ = Set(s, id, shove, [3]float32{3, 2, 1})
	}
	return s, nil
}
