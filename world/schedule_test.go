package world_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var (
	jobHeat    = layout.NewField[float32]("heat", 1)
	jobCold    = layout.NewField[float32]("cold", 1)
	jobKind    = layout.NewKind("weather", jobHeat, jobCold)
	heating    = world.NewQuery(world.Write(jobHeat))
	cooling    = world.NewQuery(world.Write(jobCold))
	comparing  = world.NewQuery(world.Read(jobHeat, jobCold))
	anySystem  = func(s world.State) world.State { return s }
	jobRecipe  = world.NewRecipe("weather", jobKind, world.PositionKind, world.VelocityKind)
	schedWorld = world.Counts{
		Kinds: []layout.Count{jobKind.Count(300_000)}, Recipes: []world.Recipe{jobRecipe},
		Positions: 300_000, Velocities: 300_000, Commands: 10_000,
	}
)

// TestSeed_D18_ModulesMakeAPipelineTogether: groups of jobs and groups, linked concat or merge;
// modules add jobs before and after elements; a pipeline runs by name.
func TestSeed_D18_ModulesMakeAPipelineTogether(t *testing.T) {
	var log []string
	does := func(name string) world.Job {
		return world.Job{Name: name, Do: func(s world.State) (world.State, error) {
			log = append(log, name)
			return s, nil
		}}
	}
	sched := world.NewSchedule(0)
	defer sched.Close()
	require.NoError(t, sched.Register(
		world.Pipeline{
			Name: "update",
			Groups: []world.Group{
				{Name: "frame", Elements: []string{"input", "simulate", "draw"}},
				{Name: "simulate", Elements: []string{"move"}},
			},
			Jobs: []world.Job{does("input"), does("move"), does("draw")},
		},
		world.Pipeline{ // another module
			Name:   "update",
			Groups: []world.Group{{Name: "physics", Elements: []string{"fall", "collide"}}},
			Jobs:   []world.Job{does("fall"), does("collide"), does("count"), does("last")},
			Inserts: []world.Insert{
				{Element: "count", After: "physics"},
				{Element: "physics", Before: "move"},
				{Element: "last", After: "draw"},
			},
		},
		world.Pipeline{Name: "init", Groups: []world.Group{{Name: "all", Elements: []string{"load"}}}, Jobs: []world.Job{does("load")}},
	))
	s := must(world.CreateState(world.Counts{}))
	for _, pipeline := range []string{"init", "update"} {
		var err error
		s, err = sched.Run(s, pipeline)
		require.NoError(t, err)
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
	require.NoError(t, sched.Unregister("init"))
	_, err := sched.Run(s, "init")
	require.ErrorIs(t, err, world.ErrNoPipeline)
	require.ErrorIs(t, sched.Unregister("init"), world.ErrNoPipeline)
}

// TestSeed_D18_RefusedPipelines: each error names the elements, and nothing is registered.
func TestSeed_D18_RefusedPipelines(t *testing.T) {
	job := func(name string, queries ...world.Query) world.Job {
		return world.Job{Name: name, Run: anySystem, Queries: queries}
	}
	group := func(link world.Link, elements ...string) []world.Group {
		return []world.Group{{Name: "all", Link: link, Elements: elements}}
	}
	do := func(s world.State) (world.State, error) { return s, nil }
	for _, c := range []struct {
		name  string
		part  world.Pipeline
		err   error
		names []string
	}{
		{"a job nobody provides", world.Pipeline{Groups: group(world.Concat, "move")}, world.ErrNoElement, []string{"move"}},
		{"a group named twice", world.Pipeline{Groups: append(group(0), group(0)...)}, world.ErrGroupTwice, []string{"all"}},
		{"a job named twice", world.Pipeline{Groups: group(0, "a"), Jobs: []world.Job{job("a"), job("a")}}, world.ErrJobTwice, []string{"a"}},
		{"a job with a group's name", world.Pipeline{Groups: group(0), Jobs: []world.Job{job("all")}}, world.ErrJobTwice, []string{"all"}},
		{"no group", world.Pipeline{Jobs: []world.Job{job("a")}}, world.ErrNoGroup, nil},
		{"an insert of nothing", world.Pipeline{
			Groups: group(0), Inserts: []world.Insert{{After: "a"}},
		}, world.ErrInsert, nil},
		{"an insert nowhere", world.Pipeline{
			Groups: group(0), Inserts: []world.Insert{{Element: "a"}},
		}, world.ErrInsert, []string{"a"}},
		{"an insert at nothing", world.Pipeline{Groups: group(0), Jobs: []world.Job{job("a")}, Inserts: []world.Insert{{Element: "a", After: "b"}}}, world.ErrNoElement, []string{"b"}},
		{"inserts at each other", world.Pipeline{
			Groups: group(0), Jobs: []world.Job{job("a"), job("b")},
			Inserts: []world.Insert{{Element: "a", After: "b"}, {Element: "b", Before: "a"}},
		}, world.ErrNoElement, []string{"b"}},
		{"a job in no group", world.Pipeline{Groups: group(0), Jobs: []world.Job{job("a")}}, world.ErrUnplaced, []string{"a"}},
		{"an element twice", world.Pipeline{Groups: group(0, "a", "a"), Jobs: []world.Job{job("a")}}, world.ErrPlacedTwice, []string{"a"}},
		{"a group in itself", world.Pipeline{Groups: []world.Group{
			{Name: "all", Elements: []string{"b"}}, {Name: "b", Elements: []string{"all"}},
		}}, world.ErrCycle, []string{"all", "b"}},
		{"no name", world.Pipeline{Groups: group(0, ""), Jobs: []world.Job{job("")}}, world.ErrJob, nil},
		{"neither run nor do", world.Pipeline{Groups: group(0, "a"), Jobs: []world.Job{{Name: "a"}}}, world.ErrJob, []string{"a"}},
		{"both", world.Pipeline{Groups: group(0, "a"), Jobs: []world.Job{{Name: "a", Run: anySystem, Do: do}}}, world.ErrJob, []string{"a"}},
		{"writer beside reader", world.Pipeline{
			Groups: group(world.Merge, "a", "b"), Jobs: []world.Job{job("a", comparing), job("b", heating)},
		}, world.ErrSideBySide, []string{"a", "b", "heat", "weather"}},
		{"deep down", world.Pipeline{
			Groups: append(group(world.Merge, "a", "g"), world.Group{Name: "g", Elements: []string{"b", "c"}}),
			Jobs:   []world.Job{job("a", heating), job("b", cooling), job("c", heating)},
		}, world.ErrSideBySide, []string{"a", "c", "heat"}},
		{"one may do anything", world.Pipeline{
			Groups: group(world.Merge, "a", "b"), Jobs: []world.Job{job("a", comparing), {Name: "b", Do: do}},
		}, world.ErrSideBySide, []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sched := world.NewSchedule(0)
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

// schedule returns jobs of every sort: split, local ones that are fused, side by side, and one that
// applies commands.
func schedule(t *testing.T, workers int) *world.Schedule {
	t.Helper()
	sched := world.NewSchedule(workers)
	t.Cleanup(sched.Close)
	require.NoError(t, sched.Register(world.Pipeline{
		Name: "step",
		Groups: []world.Group{
			{Name: "all", Elements: []string{"move", "update", "heat", "weather", "swap", "apply"}},
			{Name: "weather", Link: world.Merge, Elements: []string{"cool", "look"}},
		},
		Jobs: []world.Job{
			{Name: "move", Run: world.MoveAll, Queries: []world.Query{world.MoveQuery}, Local: true},
			{Name: "update", Run: world.Update, Queries: []world.Query{world.UpdateQuery}, Local: true},
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
			world.Column(b, jobHeat)[i] = h*1.25 + 0.5
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
	if testing.Short() {
		n, all = 140_000, []int{0, 3}
	}
	var want []byte
	for _, workers := range all {
		sched := schedule(t, workers)
		s := must(world.CreateState(schedWorld))
		s, err := world.SpawnN(s, jobRecipe, n, nil)
		require.NoError(t, err)
		for range 3 {
			s, err = sched.Run(s, "step")
			require.NoError(t, err)
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
	sched := world.NewSchedule(2)
	defer sched.Close()
	sched.Clock = func() time.Duration { return time.Duration(now.Add(1000)) }
	runs := 0
	require.NoError(t, sched.Register(world.Pipeline{
		Name: "p", Groups: []world.Group{{Name: "all", Elements: []string{"some", "fails", "never"}}},
		Jobs: []world.Job{
			{Name: "some", Run: anySystem, When: func(world.State) bool { return on }},
			{Name: "fails", Do: func(s world.State) (world.State, error) { return s, broken }, When: func(world.State) bool { return !on }},
			{Name: "never", Do: func(s world.State) (world.State, error) { runs++; return s, nil }},
		},
	}))
	s := must(world.CreateState(world.Counts{Positions: 10}))
	s, err := sched.Run(s, "p")
	require.NoError(t, err)
	on = false
	_, err = sched.Run(s, "p")
	require.ErrorIs(t, err, broken)
	assert.Contains(t, err.Error(), `pipeline "p": job "fails"`)
	assert.Equal(t, 1, runs)
	times := fmt.Sprint(sched.Times("p"))
	assert.Equal(t, "[{some 1 0s 1µs} {fails 1 1µs 1µs} {never 1 0s 1µs}]", times)
}

func TestScheduleDOT(t *testing.T) {
	dot := schedule(t, 0).DOT("step")
	for _, edge := range []string{`"move" -> "update"`, `"heat" -> "cool"`, `"heat" -> "look"`, `"cool" -> "swap"`, `"look" -> "swap"`} {
		assert.Contains(t, dot, edge)
	}
	assert.NotContains(t, dot, `"cool" -> "look"`)
}

func TestAllocsSchedule(t *testing.T) {
	sched := schedule(t, 2)
	s := must(world.CreateState(schedWorld))
	s, err := world.SpawnN(s, jobRecipe, 1000, nil)
	require.NoError(t, err)
	for range 3 {
		s, err = sched.Run(s, "step")
	}
	assert.Zero(t, testing.AllocsPerRun(50, func() { s, err = sched.Run(s, "step") }))
	require.NoError(t, err)
}

func BenchmarkSchedule(b *testing.B) {
	sched := world.NewSchedule(0)
	jobs := make([]world.Job, 100)
	group := world.Group{Name: "all"}
	for i := range jobs {
		jobs[i] = world.Job{Name: fmt.Sprint("job", i), Run: anySystem}
		group.Elements = append(group.Elements, jobs[i].Name)
	}
	if err := sched.Register(world.Pipeline{Name: "p", Groups: []world.Group{group}, Jobs: jobs}); err != nil {
		b.Fatal(err)
	}
	s := must(world.CreateState(world.Counts{Positions: 1000}))
	for range b.N {
		s, _ = sched.Run(s, "p")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/job")
}
