package stage_test

import (
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// BenchmarkHooks is a step of a root whose systems hear of 1,000 changed objects among a million:
// each left and came back. The changes themselves are timed apart.
func BenchmarkHooks(b *testing.B) {
	const n, changes = 1_000_000, 1000
	for _, c := range []struct {
		name     string
		watchers []world.Watcher
	}{
		{"1 system", []world.Watcher{hookOne}},
		{"2 systems", []world.Watcher{hookOne, hookTwo}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, ids := hookedWorld(n)
			some := make([]world.GameObject, changes)
			for i := range some {
				some[i] = ids[i*(n/changes)]
			}
			sum := 0
			var r stage.Root
			for _, w := range c.watchers {
				h := hearing(w, &sum)
				h.Update = func(s world.State, _ float32) world.State { return s }
				if err := r.Add(h); err != nil {
					b.Fatal(err)
				}
			}
			s = r.Update(s, 0.02)
			sum = 0
			var stepping time.Duration
			for b.Loop() {
				s = blinkHooked(s, some)
				start := time.Now()
				s = r.Update(s, 0.02)
				stepping += time.Since(start)
			}
			b.ReportMetric(float64(stepping.Microseconds())/float64(b.N), "µs/step")
			if want := 2 * changes * b.N * len(c.watchers); sum != want {
				b.Fatalf("heard of %d, not of %d", sum, want)
			}
		})
	}
}
