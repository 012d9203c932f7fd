package systems

import (
	"fmt"
	"testing"
)

var (
	benchWatcher  = NewWatcher(NewQuery(With(Position, Velocity)))
	benchWatchers = []Watcher{
		benchWatcher, NewWatcher(benchWatcher.Query()), NewWatcher(NewQuery(With(Position), Without(MaxVelocity))),
		NewWatcher(NewQuery(Any(Velocity, MaxVelocity))), NewWatcher(NewQuery(Without(MaxVelocity))),
	}
)

// blink takes the velocity of each of some objects away and gives it back.
func blink(s State, some []GameObject) State {
	for _, id := range some {
		s, _ = Remove(s, id, Velocity.Kind())
		s, _ = Add(s, id, Velocity.Kind())
	}
	return s
}

func TestAllocsLook(t *testing.T) {
	s, all := heroes(t, 1000, benchWatchers...)
	count := 0
	told := func(s State, _ GameObject) State {
		count++
		return s
	}
	benchWatcher.Listen(s, told, told)
	if n := testing.AllocsPerRun(10, func() {
		s, _ = Dispose(s, all[0])
		s, all[0], _ = Create(s)
		s, _ = Add(s, all[0], Position.Kind())
		s = blink(s, all[1:100])
		for _, w := range benchWatchers[1:] {
			s = w.Look(s)
			for range w.Left(s) {
				count++
			}
			for range w.Entered(s) {
				count++
			}
			for range w.Members(s) {
				count++
			}
		}
		s = benchWatcher.Notify(s)
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
			s, all := heroes(b, c.n, benchWatcher)
			some := make([]GameObject, c.changes)
			for i := range some {
				some[i] = all[i*(c.n/c.changes)]
			}
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				s = blink(s, some)
				b.StartTimer()
				s = benchWatcher.Look(s)
			}
		})
	}
}
