package schedule_test

import (
	"bytes"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// split returns a schedule of one job in parts, which counts its calls.
func split(tb testing.TB, workers, part int, calls *atomic.Int64) *schedule.Schedule {
	tb.Helper()
	sched := schedule.New(workers)
	tb.Cleanup(sched.Close)
	require.NoError(tb, sched.Register(schedule.Pipeline{
		Name: "step", Groups: []schedule.Group{{Name: "all", Elements: []string{"heat"}}},
		Jobs: []schedule.Job{{
			Name: "heat", Queries: []world.Query{heating}, Split: true, Part: part,
			Run: func(s world.State) world.State {
				calls.Add(1)
				return heat(s)
			},
		}},
	}))
	return sched
}

func weather(tb testing.TB, objects int) world.State {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{
		Kinds:   layout.Kinds(jobKind.Count(objects), world.Position, world.Velocity),
		Recipes: []world.Recipe{jobRecipe},
	}))
	s, err := world.SpawnN(s, jobRecipe, objects, nil)
	require.NoError(tb, err)
	return s
}

// Enough parts for several workers, of enough objects each, whatever their number.
func TestPartsKeepWorkersBusy(t *testing.T) {
	for _, c := range []struct{ objects, parts int }{
		{10, 1}, {4_096, 1}, {4_097, 2}, {16_384, 4}, {60_000, 15}, {100_000, 16}, {300_000, 16},
	} {
		for _, workers := range []int{1, 2, 5} {
			var calls atomic.Int64
			s := weather(t, c.objects)
			s, err := split(t, workers, 0, &calls).Run(s, "step")
			require.NoError(t, err)
			assert.EqualValues(t, c.parts, calls.Load(), "%d objects, %d workers", c.objects, workers)
			world.Close(s)
		}
	}
}

// BenchmarkParts reports what a part takes, beyond what its objects do: 60,000 objects in parts of
// 64, less the same in parts of 65,536.
func BenchmarkParts(b *testing.B) {
	const objects = 60_000
	var calls atomic.Int64
	s := weather(b, objects)
	defer func() { world.Close(s) }()
	fine, coarse := split(b, 1, 1, &calls), split(b, 1, 1024, &calls)
	least := [2]time.Duration{time.Hour, time.Hour}
	for b.Loop() {
		for i, sched := range []*schedule.Schedule{fine, coarse} {
			start := time.Now()
			s = world.Must(sched.Run(s, "step"))
			least[i] = min(least[i], time.Since(start))
		}
	}
	b.ReportMetric(float64(least[0]-least[1])/((objects+63)/64), "ns/part")
}

// A job on all objects writes by id beside others, with the same bytes as alone.
func TestJobsWriteByIDBesideOthers(t *testing.T) {
	chill := func(s world.State) world.State {
		s, cold := world.OpenWrite(s, jobCold)
		for row := range uint32(300) {
			id, _ := world.ObjectOf(s, jobKind, layout.Row(row*29))
			*cold.At(id) += float32(row)
		}
		return s
	}
	var want []byte
	for _, c := range []struct {
		workers  int
		patience time.Duration
	}{{1, 0}, {2, 0}, {3, time.Millisecond}} {
		sched := schedule.New(c.workers)
		sched.Workers().SetPatience(c.patience)
		require.NoError(t, sched.Register(schedule.Pipeline{
			Name: "step",
			Groups: []schedule.Group{{
				Name: "all", Link: schedule.Merge, Elements: []string{"heat", "chill"},
			}},
			Jobs: []schedule.Job{
				{Name: "heat", Run: heat, Queries: []world.Query{heating}},
				{Name: "chill", Run: chill, Queries: []world.Query{cooling}},
			},
		}))
		s := weather(t, 10_000)
		for range 5 {
			s = world.Must(sched.Run(s, "step"))
		}
		if want == nil {
			want = bytes.Clone(systems.Bytes(s))
		}
		assert.True(t, bytes.Equal(want, systems.Bytes(s)), "%d workers", c.workers)
		world.Close(s)
		sched.Close()
	}
}
