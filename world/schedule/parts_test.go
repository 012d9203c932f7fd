package schedule_test

import (
	"bytes"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		Kinds:   layout.Kinds(jobKind.Count(objects), heroes.Position, heroes.Velocity),
		Recipes: []world.Recipe{jobRecipe},
	}))
	s = world.Must(world.SpawnN(s, jobRecipe, objects, nil))
	return s
}

// Enough parts for several workers, of enough objects each, for any number of objects.
func TestPartsKeepWorkersBusy(t *testing.T) {
	for _, c := range []struct{ objects, parts int }{
		{10, 1}, {1_024, 1}, {1_025, 2}, {10_000, 10}, {16_384, 16}, {60_000, 16}, {100_000, 16}, {300_000, 16},
	} {
		for _, workers := range []int{1, 2, 5} {
			var calls atomic.Int64
			s := weather(t, c.objects)
			s = world.Must(split(t, workers, 0, &calls).Run(s, "step"))
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

// The elements of a Merge group are cut into parts as well as jobs that are alone, with the same
// bytes; a group of jobs stays whole unless all of them are Local.
// TestPartsFollowTheWorld: a schedule cuts each world by its own size, as it is now.
func TestPartsFollowTheWorld(t *testing.T) {
	var calls atomic.Int64
	sched := split(t, 2, 0, &calls)
	small, grows := weather(t, 10), world.Must(world.CreateState(schedWorld))
	for spawned, n := 0, 1; n <= 10_000; n *= 10 {
		grows = world.Must(world.SpawnN(grows, jobRecipe, n-spawned, nil))
		spawned = n
		for _, s := range []*world.State{&grows, &small} {
			there := world.Must(world.Clone(*s))
			*s = world.Must(sched.Run(*s, "step"))
			there = heat(world.Advance(there))
			require.Equal(t, world.Digest(there), world.Digest(*s), "%d objects", n)
			world.Close(there)
		}
	}
	world.Close(small)
	world.Close(grows)
}

func TestElementsOfMergeGroupsHaveParts(t *testing.T) {
	const objects, parts = 60_000, 16
	for _, c := range []struct {
		name        string
		split       bool
		local       bool // the two jobs of the inner group
		heat, chill int64
	}{
		{"whole", false, false, 1, 2},
		{"split", true, false, parts, 2},
		{"local", true, true, parts, 2 * parts},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(workers int, link schedule.Link) (heats, chills int64, sum uint64) {
				var counts [2]atomic.Int64
				counted := func(n int, run func(world.State) world.State) func(world.State) world.State {
					return func(s world.State) world.State {
						counts[n].Add(1)
						return run(s)
					}
				}
				sched := schedule.New(workers)
				defer sched.Close()
				cooling := []world.Query{cooling}
				require.NoError(t, sched.Register(schedule.Pipeline{
					Name: "step",
					Groups: []schedule.Group{
						{Name: "all", Link: link, Elements: []string{"heat", "chills"}},
						{Name: "chills", Elements: []string{"chill", "again"}},
					},
					Jobs: []schedule.Job{
						{
							Name: "heat", Run: counted(0, heat), Queries: []world.Query{heating},
							Split: c.split,
						},
						{Name: "chill", Run: counted(1, cool), Queries: cooling, Local: c.local},
						{Name: "again", Run: counted(1, cool), Queries: cooling, Local: c.local},
					},
				}))
				s := weather(t, objects)
				defer func() { world.Close(s) }()
				s = world.Must(sched.Run(s, "step"))
				for b := range comparing.In(s) {
					for i, h := range world.Column(b, jobHeat) {
						sum = sum*31 + uint64(math.Float32bits(h+world.Column(b, jobCold)[i]))
					}
				}
				return counts[0].Load(), counts[1].Load(), sum
			}
			_, _, want := run(1, schedule.Concat)
			for _, workers := range []int{1, 3} {
				heats, chills, sum := run(workers, schedule.Merge)
				assert.Equal(t, want, sum)
				assert.Equal(t, c.heat, heats)
				if c.local { // in turns of some blocks
					assert.GreaterOrEqual(t, chills, c.chill)
				} else {
					assert.Equal(t, c.chill, chills)
				}
			}
		})
	}
}

// A panic in a job says its name, also of one of several that take turns.
func TestAPanicNamesItsJob(t *testing.T) {
	for _, local := range []bool{false, true} {
		sched := schedule.New(2)
		t.Cleanup(sched.Close)
		require.NoError(t, sched.Register(schedule.Pipeline{
			Name: "step", Groups: []schedule.Group{{Name: "all", Elements: []string{"heat", "melt"}}},
			Jobs: []schedule.Job{
				{Name: "heat", Run: heat, Queries: []world.Query{heating}, Local: local},
				{Name: "melt", Run: cool, Queries: []world.Query{heating}, Local: local},
			},
		}))
		s := weather(t, 20_000)
		t.Cleanup(func() { systems.Discard(s) })
		func() {
			defer func() {
				fault, ok := recover().(*systems.PanicError)
				require.True(t, ok)
				assert.Regexp(t, `^flatecs: job "melt": this job walks .*cold.*, which it does not `+
					`list; add it to the job's Queries$`, fault.Cause())
				assert.Contains(t, fault.Stack, "schedule_test.cool(")
			}()
			_, _ = sched.Run(s, "step")
		}()
	}
}

// A job on all objects writes by id beside others, with the same bytes as alone.
func TestJobsWriteByIDBesideOthers(t *testing.T) {
	chill := func(s world.State) world.State {
		cold := world.WriterOf(s, jobCold)
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

// regions are worlds that the jobs of a group step side by side.
type regions []world.State

func newRegions(t *testing.T, n int) regions {
	t.Helper()
	r := make(regions, n)
	for i := range r {
		r[i] = world.Must(world.CreateState(world.Counts{
			Kinds: layout.Kinds(
				jobKind.Count(8000), heroes.Position.Count(8000), heroes.Velocity.Count(8000),
			),
			Recipes: []world.Recipe{jobRecipe},
		}))
		r[i] = world.Must(world.SpawnN(r[i], jobRecipe, 8000, nil))
	}
	return r
}

// register adds the pipeline of a region, and a pipeline of a world whose jobs step the regions by
// it.
func (r regions) register(t *testing.T, s *schedule.Schedule) {
	t.Helper()
	all := schedule.Group{Name: "regions", Link: schedule.Merge}
	var jobs []schedule.Job
	for i := range r {
		job := schedule.Job{Name: fmt.Sprint("region ", i), Run: func(whole world.State) world.State {
			var err error
			if r[i], err = s.Run(r[i], "region"); err != nil {
				panic(err)
			}
			return whole
		}}
		all.Elements, jobs = append(all.Elements, job.Name), append(jobs, job)
	}
	require.NoError(t, s.Register(
		schedule.Pipeline{Name: "world", Groups: []schedule.Group{all}, Jobs: jobs},
		schedule.Pipeline{
			Name:   "region",
			Groups: []schedule.Group{{Name: "weather", Link: schedule.Merge, Elements: []string{"warm", "chill"}}},
			Jobs: []schedule.Job{
				{Name: "warm", Run: heat, Queries: []world.Query{heating}},
				{Name: "chill", Run: cool, Queries: []world.Query{cooling}},
			},
		}))
}

// TestJobsRunOtherWorldsByTheirSchedule: side by side, more of them than there are workers, with
// the same bytes for any number of workers, and with all of their times.
func TestJobsRunOtherWorldsByTheirSchedule(t *testing.T) {
	var want uint64
	for _, workers := range []int{1, 2, 3, 8} {
		sched := schedule.New(workers)
		sched.Clock = func() time.Duration { return 0 }
		r := newRegions(t, 5)
		r.register(t, sched)
		s := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
		for range 4 {
			s = world.Must(sched.Run(s, "world"))
		}
		if want == 0 {
			want = world.Digest(r[0])
		}
		for i := range r {
			assert.Equal(t, want, world.Digest(r[i]), "region %d, %d workers", i, workers)
		}
		for _, job := range sched.Times("region") {
			assert.Equal(t, 20, job.Runs, "%s, %d workers", job.Name, workers)
		}
		sched.Close()
	}
}
