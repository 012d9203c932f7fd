package lab_test

import (
	"bytes"
	reader "encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// crowd is a world of walkers at places.
func crowd(t *testing.T, places ...float64) world.State {
	t.Helper()
	c := counts(walk{Walkers: max(len(places), 1)})
	c.Seed = 3
	s := world.Must(world.CreateState(c))
	t.Cleanup(func() { systems.Discard(s) })
	s, err := world.SpawnN(s, person, len(places), func(b world.Batch) {
		copy(world.Column(b, place), places)
		places = places[b.Len():]
	})
	require.NoError(t, err)
	return s
}

// row returns what reporters find in s, by column.
func row(t *testing.T, s world.State, reports ...lab.Reporter) map[string]string {
	t.Helper()
	var table lab.Table
	r := world.Must(lab.NewRecorder(&table, 1, reports...))
	before := world.Digest(s)
	require.NoError(t, r.Observe(s))
	require.NoError(t, r.Close())
	require.Equal(t, before, world.Digest(s), "reporters only read")
	found := map[string]string{}
	for i, name := range table.Columns {
		found[name] = table.Rows[0][i].String()
	}
	return found
}

var all = []lab.Reporter{
	lab.Count("n", world.With(walker)), lab.Of(place).Sum("sum"), lab.Of(place).Mean("mean"),
	lab.Of(place).Min("min"), lab.Of(place).Max("max"), lab.Of(place).Variance("variance"),
	lab.Of(place).Histogram("h", 0, 4, 2), lab.Of(place).Quantiles("q", 0, .25, .5, 1),
	lab.Report("twice", func(s world.State) float64 { return 2 * float64(world.Len(s)) }),
}

func TestReporters(t *testing.T) {
	for _, c := range []struct {
		places []float64
		want   string
	}{
		{nil, "1 0 0 - - - - 0 0 - - - - 0"},
		{[]float64{3}, "1 1 3 3 3 3 - 0 1 3 3 3 3 2"},
		{[]float64{4, 1, 2, -1, 0}, "1 5 6 1.2 -1 4 3.6999999999999997 2 2 -1 0 1 4 10"},
		{[]float64{1, 2, 3, 4.5}, "1 4 10.5 2.625 1 4.5 2.2291666666666665 1 2 1 1.75 2.5 4.5 8"},
	} {
		found := row(t, crowd(t, c.places...), all...)
		wants := strings.Fields(c.want)
		for i, name := range strings.Fields("tick n sum mean min max variance h_0 h_1 q_0 q_0.25 " +
			"q_0.5 q_1 twice") {
			want := wants[i]
			if want == "-" {
				want = ""
			}
			assert.Equal(t, want, found[name], "%s of %v", name, c.places)
		}
	}
}

func TestSample(t *testing.T) {
	sample := lab.Of(place).Sample("x", 3)
	found := row(t, crowd(t, 7, 8), sample)
	assert.Equal(t, map[string]string{"tick": "1", "x_0": "7", "x_1": "8", "x_2": ""}, found)
	s := crowd(t, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	drawn := map[string]int{}
	for range 500 {
		found := row(t, s, sample)
		assert.Equal(t, found, row(t, s, sample), "of a tick, the same")
		for _, name := range []string{"x_0", "x_1", "x_2"} {
			drawn[found[name]]++
		}
		assert.Less(t, found["x_0"], found["x_1"])
		s = world.Advance(s)
	}
	for x, times := range drawn {
		assert.InDelta(t, 150, times, 45, x)
	}
	require.Len(t, drawn, 10)
}

func TestReportersThatCannotBe(t *testing.T) {
	zero := lab.Measure{}
	for name, f := range map[string]func(){
		"reads":         func() { lab.Of(place, world.Write(age)) },
		"reads rows":    func() { lab.Count("x", world.RowWise()) },
		"its func":      func() { lab.OfFunc[float64](place, nil) },
		"nil":           func() { lab.Report("x", nil) },
		"measures":      func() { zero.Mean("x") },
		"bins":          func() { lab.Of(place).Histogram("x", 0, 1, 0) },
		"backwards":     func() { lab.Of(place).Histogram("x", 1, 0, 3) },
		"NaN bins":      func() { lab.Of(place).Histogram("x", math.NaN(), 1, 3) },
		"shares":        func() { lab.Of(place).Quantiles("x", 1.5) },
		"no shares":     func() { lab.Of(place).Quantiles("x") },
		"samples":       func() { lab.Of(place).Sample("x", 0) },
		"zero recorder": func() { _ = new(lab.Recorder).Observe(world.State{}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				text, ok := recover().(string)
				assert.True(t, ok)
				assert.Regexp(t, "^lab: .+; .+", text)
			}()
			f()
		})
	}
	_, err := lab.NewRecorder(nil, 1)
	require.ErrorContains(t, err, "give it a sink")
	_, err = lab.NewRecorder(&lab.Table{}, 0)
	require.ErrorContains(t, err, "1 or more")
}

func TestRecorderStreams(t *testing.T) {
	var text bytes.Buffer
	r := world.Must(lab.NewRecorder(lab.NewNDJSON(&text), 3, lab.Count("n", world.With(walker)),
		lab.Of(place).Mean("mean of\tplace")))
	s := crowd(t, 1, 2)
	for range 7 {
		require.NoError(t, r.Observe(s))
		s = world.Advance(s)
	}
	require.NoError(t, r.Close())
	assert.Equal(t, `{"tick":3,"n":2,"mean of\tplace":1.5}
{"tick":6,"n":2,"mean of\tplace":1.5}
`, text.String())
	assert.Zero(t, testing.AllocsPerRun(20, func() { require.NoError(t, r.Observe(s)) }))
	r = world.Must(lab.NewRecorder(lab.NewCSV(nowhereWriter{}), 1, all...))
	require.NoError(t, r.Observe(s))
	assert.Zero(t, testing.AllocsPerRun(20, func() { require.NoError(t, r.Observe(s)) }))
	text.Reset()
	r = world.Must(lab.NewRecorder(lab.NewCSV(&text), 10)) // a step of a schedule with eight phases
	for range 20 {
		for range 8 {
			s = world.Advance(s)
		}
		require.NoError(t, r.Observe(s))
	}
	require.NoError(t, r.Close())
	assert.Equal(t, "tick\n88\n168\n", text.String())
	bad := world.Must(lab.NewRecorder(&full{}, 1))
	require.ErrorIs(t, bad.Observe(s), errFull)
}

type nowhereWriter struct{}

func (nowhereWriter) Write(b []byte) (int, error) { return len(b), nil }

// What the sinks write, Go's own readers read.
func TestSinksAreRead(t *testing.T) {
	w := sweep(walk{Walkers: 3, Width: 0.5, Stride: 1, Title: "a,\"b\"\nc é \x01"})
	var table lab.Table
	require.NoError(t, w.Run(t.Context(), &table))
	var asCSV, asJSON bytes.Buffer
	require.NoError(t, table.WriteTo(lab.NewCSV(&asCSV)))
	require.NoError(t, table.WriteTo(lab.NewNDJSON(&asJSON)))
	rows := world.Must(reader.NewReader(&asCSV).ReadAll())
	require.Equal(t, table.Columns, rows[0])
	lines := json.NewDecoder(&asJSON)
	missing := 0
	for i, cells := range table.Rows {
		object := map[string]any{}
		require.NoError(t, lines.Decode(&object))
		for j, v := range cells {
			require.Equal(t, v.String(), rows[i+1][j])
			switch got := object[table.Columns[j]].(type) {
			case nil:
				require.True(t, v.Missing())
				missing++
			case float64:
				want, _ := v.Float64()
				require.Equal(t, want, got)
			case string:
				require.Equal(t, v.String(), got)
			}
		}
	}
	assert.Positive(t, missing)
}

// Reporters together are those one by one, in one plot of a panel.
func TestReportersTogether(t *testing.T) {
	number := func(name string, x float64) lab.Reporter {
		return lab.Report(name, func(world.State) float64 { return x })
	}
	both := lab.Together(number("a", 1), lab.Together(number("b", 2), number("c", 3)))
	panel := world.Must(lab.NewPanel(both, number("d", 4)))
	assert.Equal(t, [][]string{{"a", "b", "c"}, {"d"}}, panel.Columns())
	s := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	defer world.Close(s)
	found := make([]float64, 4)
	require.NoError(t, panel.Read(found, s))
	assert.Equal(t, []float64{1, 2, 3, 4}, found)
	assert.PanicsWithValue(t, "lab: Together without reporters; pass two or more",
		func() { lab.Together() })
	for _, r := range []lab.Reporter{{}, lab.Digest("digest")} {
		assert.Panics(t, func() { lab.Together(r) })
	}
}
