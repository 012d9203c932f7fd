package systems

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
)

// heroes returns a world of n objects with a position and a velocity each, and watchers that have
// looked.
func heroes(tb testing.TB, n int, watchers ...Watcher) (State, []GameObject) {
	tb.Helper()
	s := sure(CreateState(Counts{Kinds: layout.Kinds(
		Position.Count(n), Velocity.Count(n), MaxVelocity.Count(64),
	), Watchers: watchers}))
	ids := make([]GameObject, n)
	for i := range ids {
		s, ids[i] = made(CreateWith(s, Position, Velocity))
	}
	for _, w := range watchers {
		s = w.Look(s)
	}
	return closedLater(tb, s), ids
}

// BenchmarkGathered walks rows that lie in another order than their objects.
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
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for range b.N {
				for b := range MoveQuery.In(s) {
					kernel.Move(layout.Flat[float32](Position, Column(b, Position)), Column(b, Velocity))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/object")
		})
	}
}
