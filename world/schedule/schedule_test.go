package schedule_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	jobHeat    = layout.NewField[float32]("heat", 1)
	jobCold    = layout.NewField[float32]("cold", 1)
	jobKind    = layout.NewKind("weather", jobHeat, jobCold)
	heating    = world.NewQuery(world.Write(jobHeat))
	cooling    = world.NewQuery(world.Write(jobCold))
	comparing  = world.NewQuery(world.Read(jobHeat, jobCold))
	anySystem  = func(s world.State) world.State { return s }
	jobRecipe  = world.NewRecipe("weather", jobKind, heroes.Position, heroes.Velocity)
	schedWorld = world.Counts{
		Kinds: layout.Kinds(
			jobKind.Count(300_000), heroes.Position.Count(300_000), heroes.Velocity.Count(300_000),
		), Recipes: []world.Recipe{jobRecipe},
		Commands: 10_000,
	}
)

// TestSeed_D18_ModulesMakeAPipelineTogether: groups of jobs and groups, linked concat or merge;
// modules add jobs before and after elements; a pipeline runs by name.
func TestSeed_D18_ModulesMakeAPipelineTogether(t *testing.T) {
	var log []string
	does := func(name string) schedule.Job {
		return schedule.Job{Name: name, Do: func(s world.State) (world.State, error) {
			log = append(log, name)
			return s, nil
		}}
	}
	sched := schedule.New(0)
	defer sched.Close()
	require.NoError(t, sched.Register(
		schedule.Pipeline{
			Name: "update",
			Groups: []schedule.Group{
				{Name: "frame", Elements: []string{"input", "simulate", "draw"}},
				{Name: "simulate", Elements: []string{"move"}},
			},
			Jobs: []schedule.Job{does("input"), does("move"), does("draw")},
		},
		schedule.Pipeline{ // another module
			Name:   "update",
			Groups: []schedule.Group{{Name: "physics", Elements: []string{"fall", "collide"}}},
			Jobs:   []schedule.Job{does("fall"), does("collide"), does("count"), does("last")},
			Inserts: []schedule.Insert{
				{Element: "count", After: "physics"},
				{Element: "physics", Before: "move"},
				{Element: "last", After: "draw"},
			},
		},
		schedule.Pipeline{Name: "init", Groups: []schedule.Group{{Name: "all", Elements: []string{"load"}}}, Jobs: []schedule.Job{does("load")}},
	))
	s := world.Must(world.CreateState(world.Counts{}))
	for _, pipeline := range []string{"init", "update"} {
		s = world.Must(sched.Run(s, pipeline))
	}
	assert.Equal(t, "load input fall collide count move draw last", strings.Join(log, " "))
	assert.Equal(t, `pipeline init
  all (concat)
    load, alone
pipeline update
  frame (concat)
    input, alone
    simulate (concat)
      physics (concat)
        fall, alone
        collide, alone
      count, alone
      move, alone
    draw, alone
    last, alone
`, sched.String())
	_, err := sched.Run(s, "none")
	require.ErrorIs(t, err, schedule.ErrNoPipeline)
	require.EqualError(t, err, `schedule: pipeline "none": `+schedule.ErrNoPipeline.Error()+" Register each name once, before its use")
}

// TestSeed_D18_RefusedPipelines: each error names the elements, and nothing is registered.
func TestSeed_D18_RefusedPipelines(t *testing.T) {
	job := func(name string, queries ...world.Query) schedule.Job {
		return schedule.Job{Name: name, Run: anySystem, Queries: queries}
	}
	group := func(link schedule.Link, elements ...string) []schedule.Group {
		return []schedule.Group{{Name: "all", Link: link, Elements: elements}}
	}
	do := func(s world.State) (world.State, error) { return s, nil }
	for _, c := range []struct {
		name  string
		part  schedule.Pipeline
		err   error
		names []string
	}{
		{"a job nobody provides", schedule.Pipeline{Groups: group(schedule.Concat, "move")}, schedule.ErrNoElement, []string{"move"}},
		{"a group named twice", schedule.Pipeline{Groups: append(group(0), group(0)...)}, schedule.ErrGroupTwice, []string{"all"}},
		{"a job named twice", schedule.Pipeline{Groups: group(0, "a"), Jobs: []schedule.Job{job("a"), job("a")}}, schedule.ErrJobTwice, []string{"a"}},
		{"a job with a group's name", schedule.Pipeline{Groups: group(0), Jobs: []schedule.Job{job("all")}}, schedule.ErrJobTwice, []string{"all"}},
		{"no group", schedule.Pipeline{Jobs: []schedule.Job{job("a")}}, schedule.ErrNoGroup, nil},
		{"an insert of nothing", schedule.Pipeline{
			Groups: group(0), Inserts: []schedule.Insert{{After: "a"}},
		}, schedule.ErrInsert, nil},
		{"an insert nowhere", schedule.Pipeline{
			Groups: group(0), Inserts: []schedule.Insert{{Element: "a"}},
		}, schedule.ErrInsert, []string{"a"}},
		{"an insert at nothing", schedule.Pipeline{Groups: group(0), Jobs: []schedule.Job{job("a")}, Inserts: []schedule.Insert{{Element: "a", After: "b"}}}, schedule.ErrNoElement, []string{"b"}},
		{"inserts at each other", schedule.Pipeline{
			Groups: group(0), Jobs: []schedule.Job{job("a"), job("b")},
			Inserts: []schedule.Insert{{Element: "a", After: "b"}, {Element: "b", Before: "a"}},
		}, schedule.ErrNoElement, []string{"b"}},
		{"a job in no group", schedule.Pipeline{Groups: group(0), Jobs: []schedule.Job{job("a")}}, schedule.ErrUnplaced, []string{"a"}},
		{"an element twice", schedule.Pipeline{Groups: group(0, "a", "a"), Jobs: []schedule.Job{job("a")}}, schedule.ErrPlacedTwice, []string{"a"}},
		{"a group in itself", schedule.Pipeline{Groups: []schedule.Group{
			{Name: "all", Elements: []string{"b"}}, {Name: "b", Elements: []string{"all"}},
		}}, schedule.ErrCycle, []string{"all", "b"}},
		{"no name", schedule.Pipeline{Groups: group(0, ""), Jobs: []schedule.Job{job("")}}, schedule.ErrJob, nil},
		{"neither run nor do", schedule.Pipeline{Groups: group(0, "a"), Jobs: []schedule.Job{{Name: "a"}}}, schedule.ErrJob, []string{"a"}},
		{"both", schedule.Pipeline{Groups: group(0, "a"), Jobs: []schedule.Job{{Name: "a", Run: anySystem, Do: do}}}, schedule.ErrJob, []string{"a"}},
		{"writer beside reader", schedule.Pipeline{
			Groups: group(schedule.Merge, "a", "b"), Jobs: []schedule.Job{job("a", comparing), job("b", heating)},
		}, schedule.ErrSideBySide, []string{"a", "b", "heat", "weather"}},
		{"deep down", schedule.Pipeline{
			Groups: append(group(schedule.Merge, "a", "g"), schedule.Group{Name: "g", Elements: []string{"b", "c"}}),
			Jobs:   []schedule.Job{job("a", heating), job("b", cooling), job("c", heating)},
		}, schedule.ErrSideBySide, []string{"a", "c", "heat"}},
		{"one may do anything", schedule.Pipeline{
			Groups: group(schedule.Merge, "a", "b"), Jobs: []schedule.Job{job("a", comparing), {Name: "b", Do: do}},
		}, schedule.ErrSideBySide, []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sched := schedule.New(0)
			c.part.Name = "update"
			err := sched.Register(c.part)
			require.ErrorIs(t, err, c.err)
			for _, name := range append(c.names, "update") {
				assert.Contains(t, err.Error(), name)
			}
			assert.Empty(t, sched.String())
		})
	}
}

// sched returns jobs of every sort: split, local ones that are fused, parallel ones, and one that
// applies commands.
func sched(t *testing.T, workers int) *schedule.Schedule {
	t.Helper()
	sched := schedule.New(workers)
	t.Cleanup(sched.Close)
	require.NoError(t, sched.Register(schedule.Pipeline{
		Name: "step",
		Groups: []schedule.Group{
			{Name: "all", Elements: []string{"move", "update", "heat", "weather", "swap", "apply"}},
			{Name: "weather", Link: schedule.Merge, Elements: []string{"cool", "look"}},
		},
		Jobs: []schedule.Job{
			{Name: "move", Run: heroes.MoveAll, Queries: []world.Query{heroes.MoveQuery}, Local: true},
			{Name: "update", Run: heroes.Update, Queries: []world.Query{heroes.UpdateQuery}, Local: true},
			{Name: "heat", Run: heat, Queries: []world.Query{heating}, Local: true},
			{Name: "cool", Run: cool, Queries: []world.Query{cooling}},
			{Name: "look", Run: look, Queries: []world.Query{justHeat}},
			{Name: "swap", Run: swap, Queries: []world.Query{comparing}, Split: true},
			{Name: "apply", Do: world.Apply},
		},
	}))
	return sched
}

var (
	justHeat = world.NewQuery(world.Read(jobHeat))
	seen     atomic.Int64
)

func heat(s world.State) world.State {
	for b := range heating.In(s) {
		for i, h := range world.Column(b, jobHeat) {
			world.Column(b, jobHeat)[i] = float32(h*1.25) + 0.5
		}
	}
	return s
}

func cool(s world.State) world.State {
	for b := range cooling.In(s) {
		cold := world.Column(b, jobCold)
		for i := range cold {
			cold[i]++
		}
	}
	return s
}

func look(s world.State) world.State {
	for b := range justHeat.In(s) {
		seen.Add(int64(b.Len()))
	}
	return s
}

// swap disposes every hundredth object and spawns another.
func swap(s world.State) world.State {
	c := world.Record(s)
	for b := range comparing.In(s) {
		for i := range b.Len() {
			if b.ID(i).Index()%100 == uint32(world.Tick(s))%100 {
				b.Dispose(i)
				c.Spawn(jobRecipe)
			}
		}
	}
	return s
}

// TestSeed_D17_WorkersShareTheBuffer: the same bytes for any number of workers: they write their own
// rows of one buffer, and the caller goes on when all have ended.
func TestSeed_D17_WorkersShareTheBuffer(t *testing.T) {
	n, all := 290_000, []int{0, 1, 2, 8, 16}
	if !worldtest.AtLength() {
		n, all = 140_000, []int{0, 3}
	}
	var want []byte
	for _, workers := range all {
		sched := sched(t, workers)
		s := world.Must(world.CreateState(schedWorld))
		s = world.Must(world.SpawnN(s, jobRecipe, n, nil))
		for range 3 {
			s = world.Must(sched.Run(s, "step"))
		}
		if want == nil {
			want = bytes.Clone(world.Bytes(s))
		}
		assert.True(t, bytes.Equal(want, world.Bytes(s)), "%d workers", workers)
		world.Close(s)
	}
}

func TestScheduleConditionsTimesAndErrors(t *testing.T) {
	on, broken := true, errors.New("broken")
	var now atomic.Int64
	sched := schedule.New(2)
	defer sched.Close()
	sched.Clock = func() time.Duration { return time.Duration(now.Add(1000)) }
	runs := 0
	require.NoError(t, sched.Register(schedule.Pipeline{
		Name: "p", Groups: []schedule.Group{{Name: "all", Elements: []string{"some", "fails", "never"}}},
		Jobs: []schedule.Job{
			{Name: "some", Run: anySystem, When: func(world.State) bool { return on }},
			{Name: "fails", Do: func(s world.State) (world.State, error) { return s, broken }, When: func(world.State) bool { return !on }},
			{Name: "never", Do: func(s world.State) (world.State, error) { runs++; return s, nil }},
		},
	}))
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(10))}))
	s = world.Must(sched.Run(s, "p"))
	on = false
	_, err := sched.Run(s, "p")
	require.ErrorIs(t, err, broken)
	assert.Contains(t, err.Error(), `pipeline "p": job "fails"`)
	assert.Equal(t, 1, runs)
	times := fmt.Sprint(sched.Times("p"))
	assert.Equal(t, "[{some 1 0s 1µs} {fails 1 1µs 1µs} {never 1 0s 1µs}]", times)
}

func TestScheduleDOT(t *testing.T) {
	dot := sched(t, 0).DOT("step")
	for _, edge := range []string{`"move" -> "update"`, `"heat" -> "cool"`, `"heat" -> "look"`, `"cool" -> "swap"`, `"look" -> "swap"`} {
		assert.Contains(t, dot, edge)
	}
	assert.NotContains(t, dot, `"cool" -> "look"`)
}

func TestAllocsSchedule(t *testing.T) {
	sched := sched(t, 2)
	s := world.Must(world.CreateState(schedWorld))
	s, err := world.SpawnN(s, jobRecipe, 1000, nil)
	require.NoError(t, err)
	for range 3 {
		s, err = sched.Run(s, "step")
	}
	assert.Zero(t, testing.AllocsPerRun(50, func() { s, err = sched.Run(s, "step") }))
	require.NoError(t, err)
}

func BenchmarkSchedule(b *testing.B) {
	sched := schedule.New(0)
	jobs := make([]schedule.Job, 100)
	group := schedule.Group{Name: "all"}
	for i := range jobs {
		jobs[i] = schedule.Job{Name: fmt.Sprint("job", i), Run: anySystem}
		group.Elements = append(group.Elements, jobs[i].Name)
	}
	if err := sched.Register(schedule.Pipeline{Name: "p", Groups: []schedule.Group{group}, Jobs: jobs}); err != nil {
		b.Fatal(err)
	}
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(1000))}))
	for range b.N {
		s, _ = sched.Run(s, "p")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/job")
}

// A part is as large as the job says, and the bytes do not depend on it.
func TestPartsOfAJobThatTakesLong(t *testing.T) {
	const n = 1000
	var want []byte
	for part, calls := range map[int]int64{0: 1, 1: 16, 5: 4, 1 << 20: 1} {
		var called atomic.Int64
		sched := split(t, 3, part, &called)
		assert.Equal(t, 3, sched.Workers().Count())
		s := world.Must(world.CreateState(schedWorld))
		s = world.Must(world.SpawnN(s, jobRecipe, n, nil))
		s = world.Must(sched.Run(s, "step"))
		assert.Equal(t, calls, called.Load(), "parts of %d blocks", part)
		if want == nil {
			want = bytes.Clone(world.Bytes(s))
		}
		assert.True(t, bytes.Equal(want, world.Bytes(s)), "parts of %d blocks", part)
		world.Close(s)
	}
	assert.Nil(t, schedule.New(1).Workers())
}

// TestSeed_B8_Parallel: a system's update that runs a schedule on several goroutines leaves the
// same bytes as on one.
func TestSeed_B8_Parallel(t *testing.T) {
	n := 290_000
	if !worldtest.AtLength() {
		n = 140_000
	}
	watcher := world.NewWatcher(comparing)
	counts := schedWorld
	counts.Watchers = []world.Watcher{watcher}
	var want []byte
	for _, workers := range []int{0, 1, 2, 8} {
		sched := sched(t, workers)
		entered, left := 0, 0
		root := &stage.Root{}
		require.NoError(t, root.Add(stage.System{
			Name: "parallel", Watcher: watcher,
			Enter: func(s world.State) world.State {
				for range watcher.Entered(s) {
					entered++
				}
				return s
			},
			Leave: func(s world.State) world.State {
				for range watcher.Left(s) {
					left++
				}
				return s
			},
			FirstUpdate: heat,
			Update: func(s world.State, _ float32) world.State {
				return world.Must(sched.Run(s, "step"))
			},
		}))
		s := world.Must(world.CreateState(counts))
		s = world.Must(world.SpawnN(s, jobRecipe, n, nil))
		for range 3 {
			s = root.Update(s, 0.02)
		}
		assert.Greater(t, left, n/100)
		assert.Equal(t, n+left, entered, "one came for each that went")
		if want == nil {
			want = bytes.Clone(world.Bytes(s))
		}
		assert.True(t, bytes.Equal(want, world.Bytes(s)), "%d workers", workers)
		world.Close(s)
	}
}
