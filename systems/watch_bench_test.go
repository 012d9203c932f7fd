package systems

import (
	"fmt"
	"testing"
)

var (
	benchWatcher  = NewWatcher(NewQuery(With(PositionKind, VelocityKind)))
	benchWatchers = []Watcher{
		benchWatcher, NewWatcher(benchWatcher.Query()), NewWatcher(NewQuery(With(PositionKind), Without(FlyKind))),
		NewWatcher(NewQuery(Any(VelocityKind, FlyKind))), NewWatcher(NewQuery(Without(FlyKind))),
	}
)

// watchedHeroes returns a world of n objects with a position and a velocity each, and watchers that
// have looked.
func watchedHeroes(tb testing.TB, n int, watchers ...Watcher) (State, []GameObject) {
	tb.Helper()
	s, err := CreateState(Counts{Positions: n, Velocities: n, Flies: 64, Watchers: watchers})
	if err != nil {
		tb.Fatal(err)
	}
	all := make([]GameObject, n)
	for i := range all {
		var e1, e2, e3 error
		s, all[i], e1 = CreateGameObject(s)
		s, _, e2 = AddPosition(s, all[i])
		s, _, e3 = AddVelocity(s, all[i])
		if e1 != nil || e2 != nil || e3 != nil {
			tb.Fatal(e1, e2, e3)
		}
	}
	for _, w := range watchers {
		s = Look(s, w)
	}
	return s, all
}

// blink takes the velocity of each of some objects away and gives it back.
func blink(s State, some []GameObject) State {
	for _, id := range some {
		s, _ = RemoveVelocity(s, id)
		s, _, _ = AddVelocity(s, id)
	}
	return s
}

func TestAllocsLook(t *testing.T) {
	s, all := watchedHeroes(t, 1000, benchWatchers...)
	count := 0
	told := func(s State, _ GameObject) State {
		count++
		return s
	}
	Listen(s, benchWatcher, told, told)
	if n := testing.AllocsPerRun(10, func() {
		s, _ = DisposeGameObject(s, all[0])
		s, all[0], _ = CreateGameObject(s)
		s, _, _ = AddPosition(s, all[0])
		s = blink(s, all[1:100])
		for _, w := range benchWatchers[1:] {
			s = Look(s, w)
			for range Left(s, w) {
				count++
			}
			for range Entered(s, w) {
				count++
			}
			for range Members(s, w) {
				count++
			}
		}
		s = Notify(s, benchWatcher)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if count < 11*99*4 {
		t.Errorf("only %d objects were found", count)
	}
}

// BenchmarkLook looks at n objects of which some, spread evenly, left and came back; without the
// time in which they do.
func BenchmarkLook(b *testing.B) {
	for _, c := range []struct{ n, changes int }{
		{10_000, 0}, {10_000, 1000}, {100_000, 1000}, {1_000_000, 0}, {1_000_000, 1000}, {1_000_000, 100_000},
	} {
		b.Run(fmt.Sprintf("%d/%d", c.n, c.changes), func(b *testing.B) {
			s, all := watchedHeroes(b, c.n, benchWatcher)
			some := make([]GameObject, c.changes)
			for i := range some {
				some[i] = all[i*(c.n/c.changes)]
			}
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				s = blink(s, some)
				b.StartTimer()
				s = Look(s, benchWatcher)
			}
		})
	}
}

// BenchmarkWatched mounts and disposes a component of a kind that so many watch.
func BenchmarkWatched(b *testing.B) {
	for n := range benchWatchers {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, all := watchedHeroes(b, 1000, benchWatchers[:n]...)
			for i := range b.N {
				s = blink(s, all[i%1000:][:1])
			}
		})
	}
}

// BenchmarkEntered goes through what a look found.
func BenchmarkEntered(b *testing.B) {
	s, all := watchedHeroes(b, 1_000_000, benchWatcher)
	for i := range 1000 {
		s = blink(s, all[i*1000:][:1])
	}
	s = Look(s, benchWatcher)
	for b.Loop() {
		for id := range Entered(s, benchWatcher) {
			kept = id
		}
	}
}

var kept GameObject
