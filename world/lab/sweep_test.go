package lab_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// csv returns the table of a sweep.
func csv(t *testing.T, w lab.Sweep[walk]) string {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, w.Run(t.Context(), lab.NewCSV(&text)))
	return text.String()
}

// one makes a run by hand, in a world of its own.
func one(t *testing.T, p walk, seed uint64, steps int) (alive, mean, digest float64) {
	t.Helper()
	c := counts(p)
	c.Seed, c.Random = seed, true
	s := world.Must(world.CreateState(c))
	defer func() { world.Close(s) }()
	s = world.Must(setup(s, p))
	for range steps {
		s = world.Must(step(s))
	}
	digest = float64(world.Digest(s))
	for b := range placed.In(s) {
		for _, x := range world.Column(b, place) {
			alive++
			mean += x
		}
	}
	return alive, mean / alive, digest
}

func TestSweepIsTheRunsByHand(t *testing.T) {
	w, sets := sweep(twoSets(t)...), twoSets(t)
	w.Seeds[3] = 0 // a seed like others
	var table lab.Table
	require.NoError(t, w.Run(t.Context(), &table))
	assert.Equal(t, strings.Fields("walkers stride half_width drift title seed step alive place "+
		"oldest digest error"), strings.Fields(strings.ReplaceAll(
		strings.Join(table.Columns, "\t"), "half width", "half_width")))
	require.Len(t, table.Rows, 2*5*5)
	for i, row := range table.Rows {
		set, seed, steps := sets[i/25], w.Seeds[i/5%5], i%5*5
		alive, mean, digest := one(t, set, seed, steps)
		for column, want := range []float64{
			1: set.Stride, 2: 3, 3: 0, 6: float64(steps), 7: alive, 8: mean,
			9: float64(steps), 10: digest,
		} {
			if column == 8 && alive == 0 {
				require.True(t, row[8].Missing(), "the mean of nobody")
				require.True(t, row[9].Missing())
			} else if column > 0 && column != 4 && column != 5 && (column != 9 || alive > 0) {
				got, ok := row[column].Float64()
				require.True(t, ok)
				require.Equal(t, want, got, "row %d, column %s", i, table.Columns[column])
			}
		}
		require.Equal(t, "a,b", row[4].String())
		require.True(t, row[11].Missing())
	}
	before, _ := table.Rows[0][10].Float64()
	after, _ := table.Rows[5][10].Float64()
	assert.NotEqual(t, before, after, "seeds are different worlds")
}

func TestSameBytesForAnyNumberOfWorkers(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Workers = 1
	want := csv(t, w)
	assert.Equal(t, 1+50, strings.Count(want, "\n"))
	for _, workers := range []int{0, 2, 3, 16} {
		w.Workers = workers
		require.Equal(t, want, csv(t, w), "%d workers", workers)
	}
}

func TestUntilAndWhen(t *testing.T) {
	w := sweep(walk{Walkers: 30, Stride: 1, Width: 2})
	w.Steps, w.Every = 0, 1
	query := world.NewQuery(world.With(walker))
	w.Until = func(s world.State) bool { return query.Count(s) < 5 }
	w.When = func(s world.State) bool { return query.Count(s)%2 == 0 }
	var table lab.Table
	require.NoError(t, w.Run(t.Context(), &table))
	ends, last := 0, -1.0
	for i, row := range table.Rows {
		alive, _ := row[7].Float64()
		at, _ := row[6].Float64()
		end := i == len(table.Rows)-1
		if !end {
			next, _ := table.Rows[i+1][6].Float64()
			end = next <= at
		}
		if end {
			assert.Less(t, alive, 5.0)
			ends++
		} else {
			assert.GreaterOrEqual(t, alive, 5.0)
			assert.Zero(t, math.Mod(alive, 2))
		}
		last = at
	}
	assert.Equal(t, 5, ends)
	assert.Positive(t, last)
	w.Every, w.When = 0, nil
	require.NoError(t, w.Run(t.Context(), &table))
	assert.Len(t, table.Rows, 5, "only the end of each")
	w.Until = func(world.State) bool { return true }
	require.NoError(t, w.Run(t.Context(), &table))
	assert.Equal(t, []float64{0, 0, 0, 0, 0}, table.Column("step"))
}

func TestFaultsAreNamedAndNothingIsLost(t *testing.T) {
	bad := map[string]struct {
		change func(w *lab.Sweep[walk])
		says   []string
	}{
		"a reporter that panics": {func(w *lab.Sweep[walk]) {
			w.Reports = append(w.Reports[:1:1], lab.Report("weird", func(s world.State) float64 {
				if world.Resource(s, ruleField).Stride == 1 && world.Tick(s) > 10 {
					panic("so weird")
				}
				return 1
			}))
		}, []string{"run 5", "stride=1", "step 10", "reporter weird panicked", "so weird"}},
		"a reporter of NaN": {func(w *lab.Sweep[walk]) {
			w.Reports = append(w.Reports[:1:1], lab.Report("weird", func(s world.State) float64 {
				return 0 / (1 - world.Resource(s, ruleField).Stride)
			}))
		}, []string{"run 5", "step 0", "reporter weird found NaN"}},
		"a field of NaN": {func(w *lab.Sweep[walk]) {
			w.Setup = func(s world.State, p walk) (world.State, error) {
				s, err := setup(s, p)
				id, _ := world.NewQuery(world.With(walker)).First(s)
				if p.Stride == 1 && err == nil {
					s, err = world.Set(s, id, place, math.NaN())
				}
				return s, err
			}
		}, []string{"run 5", "step 0", "reporter place found NaN"}},
		"a step that panics": {func(w *lab.Sweep[walk]) {
			w.Step = func(s world.State) (world.State, error) {
				s, err := step(s)
				if world.Resource(s, ruleField).Stride == 1 && world.Tick(s) > 10 {
					panic("lost my way")
				}
				return s, err
			}
		}, []string{"run 5", "step 9", "panic: lost my way"}},
		"a step that refuses": {func(w *lab.Sweep[walk]) {
			w.Step = func(s world.State) (world.State, error) {
				s, err := step(s)
				if world.Resource(s, ruleField).Stride == 1 && world.Tick(s) > 10 {
					return world.State{}, errTitle
				}
				return s, err
			}
		}, []string{"run 5", "step 9", errTitle.Error()}},
		"an error of Setup": {func(w *lab.Sweep[walk]) {
			w.Params[1].Title = "refused"
		}, []string{"run 5", "title=refused", "step 0", errTitle.Error()}},
		"counts that are none": {func(w *lab.Sweep[walk]) {
			w.Params[1].Walkers = -1
		}, []string{"run 5", "walkers=-1", "step 0"}},
	}
	for name, c := range bad {
		t.Run(name, func(t *testing.T) {
			w := sweep(twoSets(t)...)
			c.change(&w)
			testFaults(t, &w, c.says)
		})
	}
}

// testFaults runs a sweep whose second set fails: the first failure contains all of these texts,
// and the other runs are in the table.
func testFaults(t *testing.T, w *lab.Sweep[walk], says []string) {
	t.Helper()
	w.Workers = 2
	var table lab.Table
	err := w.Run(t.Context(), &table)
	var failed *lab.FailedError
	require.ErrorAs(t, err, &failed)
	require.Len(t, failed.Failures, 5)
	require.ErrorIs(t, err, failed.Failures[0].Err)
	assert.Contains(t, err.Error(), "5 of 10 runs failed")
	for _, text := range says {
		assert.Contains(t, failed.Failures[0].Err.Error(), text)
	}
	assert.GreaterOrEqual(t, len(table.Column("alive")), 25, "the others are there")
	faults := 0
	for _, row := range table.Rows {
		require.Len(t, row, len(table.Columns))
		if !row[len(row)-1].Missing() {
			faults++
		}
	}
	assert.Equal(t, 5, faults)
}

func TestSweepsThatCannotBe(t *testing.T) {
	type private struct{ a, B int }
	for name, c := range map[string]struct {
		change func(w *lab.Sweep[walk])
		says   string
	}{
		"no sets":      {func(w *lab.Sweep[walk]) { w.Params = nil }, "0 sets"},
		"no seeds":     {func(w *lab.Sweep[walk]) { w.Seeds = nil }, "0 seeds"},
		"no start":     {func(w *lab.Sweep[walk]) { w.Counts = nil }, "one of the two"},
		"no step":      {func(w *lab.Sweep[walk]) { w.Step = nil }, "without Step"},
		"no end":       {func(w *lab.Sweep[walk]) { w.Steps = 0 }, "no end"},
		"backwards":    {func(w *lab.Sweep[walk]) { w.Steps = -1 }, "below 0"},
		"NaN":          {func(w *lab.Sweep[walk]) { w.Params[1].Stride = math.NaN() }, "parameter stride is NaN"},
		"same columns": {func(w *lab.Sweep[walk]) { w.Reports = append(w.Reports, w.Reports[0]) }, `"alive"`},
		"zero report":  {func(w *lab.Sweep[walk]) { w.Reports = make([]lab.Reporter, 1) }, "zero Reporter"},
	} {
		w := sweep(twoSets(t)...)
		c.change(&w)
		require.ErrorContains(t, w.Run(t.Context(), &lab.Table{}), c.says, name)
	}
	hidden := lab.Sweep[private]{
		Params: []private{{a: 1}}, Seeds: []uint64{1}, Step: step, Steps: 1,
		Counts: func(private) world.Counts { return world.Counts{} },
	}
	require.ErrorContains(t, hidden.Run(t.Context(), &lab.Table{}), "field a")
	_, err := lab.Grid(cut{}, lab.Axis{Name: "a=b", Values: []float64{1}})
	require.ErrorContains(t, err, `"a=b", and = ends a name`)
	number := lab.Sweep[int]{
		Params: []int{1}, Seeds: []uint64{1}, Step: step, Steps: 1,
		Counts: func(int) world.Counts { return world.Counts{} },
	}
	require.ErrorContains(t, number.Run(t.Context(), &lab.Table{}), "declare a struct")
}

// A cut is a set of parameters, one of which has a name that no axis can have.
type cut struct {
	A int `lab:"a=b"`
}

var errFull = errors.New("no space left on device")

// full is a sink whose disk is full after some rows.
type full struct {
	lab.Table
	left int
}

func (f *full) Row(values []lab.Value) error {
	if f.left--; f.left < 0 {
		return errFull
	}
	return f.Table.Row(values)
}

func TestAFullDiskStopsASweep(t *testing.T) {
	w := sweep(twoSets(t)...)
	for _, left := range []int{0, 1, 12, 49} {
		sink := &full{left: left}
		err := w.Run(t.Context(), sink)
		require.ErrorIs(t, err, errFull)
		require.ErrorContains(t, err, "of 10 runs were made; a sweep with a Journal can go on")
		assert.Len(t, sink.Rows, left)
	}
}

func TestCancellation(t *testing.T) {
	w := sweep(twoSets(t)...)
	ctx, cancel := context.WithCancelCause(t.Context())
	errEnough := errors.New("enough")
	last := 0
	w.Progress = func(done, total int) {
		assert.Equal(t, 10, total)
		assert.Greater(t, done, last)
		if last = done; done == 3 {
			cancel(errEnough)
		}
	}
	var table lab.Table
	require.ErrorIs(t, w.Run(ctx, &table), errEnough)
	assert.Less(t, last, 10)
	endless := sweep(twoSets(t)...)
	endless.Steps, endless.Every = 0, 0
	endless.Until = func(world.State) bool { return false }
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, endless.Run(ctx, &table), context.Canceled)
}

// No row and no step of a run takes memory.
func TestAllocsOfSteps(t *testing.T) {
	bytesOf := func(steps int) float64 {
		w := sweep(walk{Walkers: 64, Stride: 0.01, Width: 1000})
		w.Seeds, w.Workers, w.Every, w.Steps = w.Seeds[:1], 1, 1, steps
		w.Reports = append(w.Reports, lab.Of(place).Histogram("bins", -1, 1, 10),
			lab.Of(place).Quantiles("q", .1, .5), lab.Of(place).Sample("some", 3))
		return testing.AllocsPerRun(3, func() { require.NoError(t, w.Run(t.Context(), nowhere{})) })
	}
	few, many := bytesOf(100), bytesOf(1100)
	assert.Less(t, many-few, 20.0, "%v and %v allocations", few, many)
}

// nowhere is a sink that keeps nothing.
type nowhere struct{}

func (nowhere) Begin([]string) error  { return nil }
func (nowhere) Row([]lab.Value) error { return nil }
func (nowhere) End() error            { return nil }

// Each world has equipment of its own, which is closed with it, and the table is the same.
func TestEquipmentIsOfOneWorld(t *testing.T) {
	sets := twoSets(t)
	sets[1].Walkers = 60 // other counts, so another world
	want := csv(t, sweep(sets...))
	for _, workers := range []int{1, 3} {
		var equipped, closed, steps atomic.Int64
		w := sweep(sets...)
		w.Workers, w.Step = workers, nil
		w.Equip = func(s world.State) (lab.Equipment, error) {
			equipped.Add(1)
			before, calls := world.Digest(s), 0 // of one goroutine: -race tells
			return lab.Equipment{
				Step: func(s world.State) (world.State, error) {
					if calls++; calls == 1 && world.Digest(s) == before {
						t.Error("Equip comes before Setup")
					}
					steps.Add(1)
					return step(s)
				},
				Close: func() { closed.Add(1) },
			}, nil
		}
		assert.Equal(t, want, csv(t, w), "%d workers", workers)
		assert.EqualValues(t, 2*5*20, steps.Load())
		assert.Equal(t, equipped.Load(), closed.Load())
		assert.GreaterOrEqual(t, equipped.Load(), int64(2))
		assert.LessOrEqual(t, equipped.Load(), int64(2*workers))
	}
}

// A run that failed leaves nothing behind: the next one has new equipment.
func TestEquipmentIsClosedAfterAFault(t *testing.T) {
	var equipped, closed int
	w := sweep(twoSets(t)...)
	w.Workers, w.Step = 1, nil
	w.Equip = func(s world.State) (lab.Equipment, error) {
		equipped++
		return lab.Equipment{
			Step: func(s world.State) (world.State, error) {
				if world.Resource(s, ruleField).Stride == 1 {
					return s, errTitle
				}
				return step(s)
			},
			Close: func() { closed++ },
		}, nil
	}
	var failed *lab.FailedError
	require.ErrorAs(t, w.Run(t.Context(), &lab.Table{}), &failed)
	assert.Len(t, failed.Failures, 5)
	assert.Equal(t, 1+4, equipped, "one for the first set, which the first that fails uses too")
	assert.Equal(t, equipped, closed)
}

func TestEquipmentThatCannotBeHad(t *testing.T) {
	for text, equip := range map[string]func(world.State) (lab.Equipment, error){
		errTitle.Error(): func(world.State) (lab.Equipment, error) {
			return lab.Equipment{Close: func() { t.Error("there is nothing to close") }}, errTitle
		},
		"Equip returned no Step": func(world.State) (lab.Equipment, error) { return lab.Equipment{}, nil },
		"panic: no tools":        func(world.State) (lab.Equipment, error) { panic("no tools") },
	} {
		w := sweep(twoSets(t)...)
		w.Step, w.Equip = nil, equip
		var failed *lab.FailedError
		require.ErrorAs(t, w.Run(t.Context(), &lab.Table{}), &failed)
		assert.Len(t, failed.Failures, 10)
		require.ErrorContains(t, failed.Failures[9].Err, "run 9")
		require.ErrorContains(t, failed.Failures[9].Err, text)
	}
}

// The model of the tests: walkers on a line that die at its ends.
type walk struct {
	Walkers int
	Stride  float64
	Width   float64 `lab:"half width"`
	Drift   bool
	Title   string
}

type rules struct{ Stride, Width, Drift float64 }

var (
	place   = layout.NewField[float64]("place")
	age     = layout.NewField[uint32]("age")
	walker  = layout.NewKind("walker", place, age)
	walking = world.NewQuery(world.Write(place, age))
	placed  = world.NewQuery(world.Read(place))

	ruleField = layout.NewField[rules]("rules")
	ruled     = world.NewResource("rules", ruleField)
	person    = world.NewRecipe("walker", walker)
)

func counts(p walk) world.Counts {
	return world.Counts{
		GameObjects: p.Walkers, Kinds: []layout.Count{walker.Count(p.Walkers)},
		Recipes: []world.Recipe{person}, Queries: []world.Query{walking},
		Resources: []world.ResourceKind{ruled}, Commands: p.Walkers,
	}
}

var errTitle = errors.New("the title is refused")

func setup(s world.State, p walk) (world.State, error) {
	if p.Title == "refused" {
		return s, errTitle
	}
	drift := 0.0
	if p.Drift {
		drift = 0.1
	}
	s = world.SetResource(s, ruleField, rules{p.Stride, p.Width, drift})
	return world.SpawnN(s, person, p.Walkers, nil)
}

func step(s world.State) (world.State, error) {
	r := world.Resource(s, ruleField)
	for b := range walking.In(s) {
		at, ages := world.Column(b, place), world.Column(b, age)
		for i := range at {
			n := world.Random(s, uint64(b.ID(i)))
			at[i] += float64(r.Stride*n.Norm()) + r.Drift
			ages[i]++
			if at[i] > r.Width || at[i] < -r.Width {
				b.Dispose(i)
			}
		}
	}
	s, err := world.Apply(s)
	return world.Advance(s), err
}

var reports = []lab.Reporter{
	lab.Count("alive", world.With(walker)),
	lab.Of(place).Mean("place"),
	lab.Of(age, world.Read(place)).Max("oldest"),
	lab.Digest("digest"),
}

func sweep(sets ...walk) lab.Sweep[walk] {
	return lab.Sweep[walk]{
		Params: sets, Seeds: lab.Seeds(1, 5), Counts: counts, Setup: setup, Step: step,
		Steps: 20, Reports: reports, Every: 5, Build: "tests",
	}
}

func twoSets(t *testing.T) []walk {
	t.Helper()
	sets, err := lab.Grid(walk{Walkers: 50, Width: 3, Title: "a,b"}, lab.Range("stride", 0.5, 1, 2))
	require.NoError(t, err)
	return sets
}
