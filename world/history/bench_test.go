package history_test

import (
	"slices"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/history"
	"github.com/stretchr/testify/require"
)

// marchers returns a world of n objects with two kinds, or three, in lockstep.
func marchers(n int, flies bool) world.State {
	c := world.Counts{GameObjects: n, Kinds: layout.Kinds(
		heroes.Position.Count(n), heroes.Velocity.Count(n),
	)}
	kinds := []layout.AnyKind{heroes.Position, heroes.Velocity}
	if flies {
		c.Kinds = append(c.Kinds, heroes.MaxVelocity.Count(n))
		kinds = append(kinds, heroes.MaxVelocity)
	}
	recipe := world.NewRecipe("crowd", kinds...)
	c.Recipes = []world.Recipe{recipe}
	return world.Must(world.SpawnN(world.Must(world.CreateState(c)), recipe, n, nil))
}

// used returns how many bytes of a world were ever used, parts that follow from others included.
func used(s world.State) (n int) {
	for _, p := range tool.Parts(s) {
		n += len(tool.Used(s, &p))
	}
	return n
}

// quartile returns what a quarter of the times were below: other programs only ever add to a time.
func quartile(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/4].Nanoseconds())
}

// Each of taking, restoring and a plain copy of as many bytes, turn by turn in one run.
func BenchmarkSnapshotOf100kObjects(b *testing.B) {
	s := marchers(100_000, false)
	p := world.Must(world.NewSnapshot(s))
	require.NoError(b, p.Take(s))
	plain, from := make([]byte, used(s)), make([]byte, used(s))
	copy(from, world.Bytes(s))
	var take, restore, copied []time.Duration
	for b.Loop() {
		begin := time.Now()
		copy(plain, from)
		t1 := time.Now()
		_ = p.Take(s)
		t2 := time.Now()
		s, _ = world.Restore(s, p)
		copied, take = append(copied, t1.Sub(begin)), append(take, t2.Sub(t1))
		restore = append(restore, time.Since(t2))
	}
	b.ReportMetric(quartile(take), "take-ns")
	b.ReportMetric(quartile(restore), "restore-ns")
	b.ReportMetric(quartile(copied), "copy-ns")
	b.ReportMetric(quartile(take)/quartile(copied), "take/copy")
	b.ReportMetric(quartile(restore)/quartile(copied), "restore/copy")
	b.ReportMetric(float64(used(s)), "bytes")
}

// Back by nine frames, and all of them again with their snapshots.
func BenchmarkHistoryNineFramesOf100kObjects(b *testing.B) {
	s := marchers(100_000, true)
	h := world.Must(history.New(s, 10, 0))
	step := func(s world.State, _ []byte) world.State {
		return world.Advance(heroes.Update(heroes.FlyAll(heroes.MoveAll(s))))
	}
	for range 9 {
		require.NoError(b, h.Record(s, nil))
		s = step(s, nil)
	}
	var times []time.Duration
	for b.Loop() {
		begin := time.Now()
		s, _ = h.Resimulate(s, 0, step)
		times = append(times, time.Since(begin))
	}
	b.ReportMetric(quartile(times), "quartile-ns")
}
