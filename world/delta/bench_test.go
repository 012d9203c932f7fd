package delta_test

import (
	"slices"
	"testing"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/heroes"
)

// moving are worlds of a million objects: one, and what it is when some of them moved.
func moving(tb testing.TB, every int) (before, after world.State) {
	tb.Helper()
	before, after = crowd(1_000_000)
	if every == 1 {
		return before, after
	}
	all := world.View(after, heroes.Position)
	some := slices.Clone(world.View(before, heroes.Position))
	for i := 0; i < len(some); i += every {
		some[i] = all[i]
	}
	after = world.Must(world.Clone(before))
	copy(world.View(after, heroes.Position), some)
	after = tool.Touch(after, heroes.Position.Kind(), 0, len(some))
	return before, after
}

// Bytes per second are of the truth of the world, which is 41 MB. What it says is the lower
// quartile of the times of one run.
func BenchmarkDelta(b *testing.B) {
	for _, c := range []struct {
		name  string
		every int
	}{{"all moved", 1}, {"1 % moved", 100}} {
		before, after := moving(b, c.every)
		truth := 0
		for _, p := range tool.Parts(after) {
			if p.Truth {
				truth += len(tool.Used(after, &p))
			}
		}
		var coder delta.Coder
		d := world.Must(coder.Append(nil, before, after))
		back := world.Must(coder.Append(nil, after, before))
		b.Run("append/"+c.name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				begin := time.Now()
				d, _ = coder.Append(d[:0], before, after)
				times = append(times, time.Since(begin))
			}
			report(b, times, truth)
			b.ReportMetric(float64(truth)/float64(len(d)), "times-smaller")
		})
		b.Run("apply/"+c.name, func(b *testing.B) {
			var times []time.Duration
			s := world.Must(world.Clone(before))
			for b.Loop() {
				begin := time.Now()
				s, _ = coder.Apply(s, d)
				times = append(times, time.Since(begin))
				s = world.Must(coder.Apply(s, back))
			}
			report(b, times, truth)
		})
	}
}

func report(b *testing.B, times []time.Duration, truth int) {
	b.Helper()
	slices.Sort(times)
	b.ReportMetric(float64(truth)/float64(times[len(times)/4].Nanoseconds()), "GB/s")
}
