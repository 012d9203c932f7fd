package systems

import (
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
