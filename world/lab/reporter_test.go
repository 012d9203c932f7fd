package lab_test

import (
	"bytes"
	"context"
	reader "encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/list"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crowd is a world of walkers at places.
func crowd(t *testing.T, places ...float64) world.State {
	t.Helper()
	c := counts(walk{Walkers: max(len(places), 1)})
	c.Seed = 3
	s := world.Must(world.CreateState(c))
	t.Cleanup(func() { systems.Discard(s) })
	s = world.Must(world.SpawnN(s, person, len(places), func(b world.Batch) {
		copy(world.Column(b, place), places)
		places = places[b.Len():]
	}))
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

// Reporters together equal the single reporters, in one plot of a panel.
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

var purse = layout.NewList[uint16]("purse")

func TestListsAreMeasured(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 9, Kinds: layout.Kinds(purse),
	}))
	for n := range 4 {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, purse))
		for k := range n {
			s = world.Must(list.Append(s, id, purse, uint16(10*k)))
		}
	}
	length := lab.OfList(purse, func(all []uint16) float64 { return float64(len(all)) })
	p := world.Must(lab.NewPanel(length.Sum("sum"), length.Max("most"), length.Mean("mean")))
	row := make([]float64, 3)
	require.NoError(t, p.Read(row, s))
	assert.Equal(t, []float64{6, 3, 1.5}, row)
	assert.PanicsWithValue(t, "lab: OfList of a nil function; give it one", func() {
		lab.OfList(purse, nil)
	})
}

var (
	roomy  = layout.NewComponent[float64]("roomy")
	guest  = world.NewRecipe("guest", roomy)
	free   = world.Counts{Kinds: layout.Kinds(roomy), Recipes: []world.Recipe{guest}}
	digest = lab.Digest("digest")
)

// A world of free room: its digest is in each table as flatecs prints it, to be compared by eye.
func TestDigestsAreWrittenAsOthersPrintThem(t *testing.T) {
	s := world.Must(world.CreateState(free))
	defer func() { world.Close(s) }()
	var asCSV, asJSON bytes.Buffer
	var table lab.Table
	sinks := []lab.Sink{lab.NewCSV(&asCSV), lab.NewNDJSON(&asJSON), &table}
	var recorders []*lab.Recorder
	for _, dst := range sinks {
		recorders = append(recorders, world.Must(lab.NewRecorder(dst, 1, lab.Of(roomy).Sum("sum"), digest)))
	}
	var want []string
	for i := range 40 {
		next, id := world.Must2(world.Spawn(s, guest))
		s = world.Must(world.Set(next, id, roomy, float64(i)))
		want = append(want, fmt.Sprintf("%016x", world.Digest(s)))
		for _, r := range recorders {
			require.NoError(t, r.Observe(s))
		}
	}
	for _, r := range recorders {
		require.NoError(t, r.Close())
	}
	rows, lines := strings.Fields(asCSV.String()), json.NewDecoder(&asJSON)
	for i, text := range want {
		assert.Equal(t, text, rows[1+i][strings.LastIndex(rows[1+i], ",")+1:])
		var line struct{ Digest string }
		require.NoError(t, lines.Decode(&line))
		assert.Equal(t, text, line.Digest)
		cell := table.Rows[i][2]
		bits, whole := cell.Uint64()
		assert.True(t, whole)
		assert.Equal(t, text, fmt.Sprintf("%016x", bits))
		assert.Equal(t, text, cell.String())
		assert.Equal(t, reflect.Uint64, cell.Kind())
	}
}

// Digests whose bits are NaN, infinite or 0 as numbers are digests all the same.
func TestDigestsOfAnyBitsGoThroughJournals(t *testing.T) {
	for _, bits := range []uint64{
		0, 1, math.MaxUint64, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000001, 1 << 63,
		0xfff0000000000000, 0xfff4000000000000, 0x8000000000000001, 0x0123456789abcdef,
	} {
		text := lab.JournalCell(bits)
		assert.Equal(t, fmt.Sprintf(`"%016x"`, bits), text)
		back, cell := world.Must2(lab.FromJournal(text))
		assert.Equal(t, bits, back)
		assert.Equal(t, fmt.Sprintf("%016x", bits), cell.String())
	}
	for _, text := range []string{"", `""`, "null", `"x"`, `"10000000000000000"`, "{}", "1e3"} {
		_, _, err := lab.FromJournal(text)
		assert.Error(t, err, text)
	}
}

// A plot has numbers: digests are rounded there.
func TestAPanelRoundsDigests(t *testing.T) {
	s := world.Must(world.CreateState(free))
	defer func() { world.Close(s) }()
	p := world.Must(lab.NewPanel(lab.Of(roomy).Sum("sum"), digest, lab.Count("n", world.With(roomy))))
	dst := make([]float64, 3)
	for range 9 {
		s = world.Must(world.SpawnN(s, guest, 1, nil))
		require.NoError(t, p.Read(dst, s))
		assert.Equal(t, float64(world.Digest(s)), dst[1])
	}
}

type every struct {
	Low   int8
	High  uint64
	Ratio float32
	On    bool
	Name  string
}

// Sinks of their own find out what a value is, and get whole numbers of 64 bits.
func TestValuesSayWhatTheyAre(t *testing.T) {
	var table lab.Table
	require.NoError(t, lab.Sweep[every]{
		Params: []every{{-3, math.MaxUint64, .5, true, "x"}, {3, 7, .5, true, "x"}},
		Seeds:  []uint64{1},
		Counts: func(every) world.Counts { return world.Counts{GameObjects: 1} },
		Step:   func(s world.State) (world.State, error) { return world.Advance(s), nil }, Steps: 1,
	}.Run(context.Background(), &table))
	first, second := table.Rows[0], table.Rows[1]
	kinds := []reflect.Kind{
		reflect.Int64, reflect.Uint64, reflect.Float64, reflect.Bool, reflect.String,
		reflect.Uint64, reflect.Int64, reflect.Invalid,
	}
	for i, want := range kinds {
		assert.Equal(t, want, first[i].Kind(), table.Columns[i])
	}
	low, ok := first[0].Int64()
	assert.True(t, ok && low == -3)
	_, ok = first[0].Uint64()
	assert.False(t, ok, "it is negative")
	high, ok := first[1].Uint64()
	assert.True(t, ok && high == math.MaxUint64)
	_, ok = first[1].Int64()
	assert.False(t, ok, "it is too large")
	for _, v := range second[:2] { // both are both
		_, asInt := v.Int64()
		_, asUint := v.Uint64()
		assert.True(t, asInt && asUint)
	}
	for _, v := range first[2:5] {
		_, asInt := v.Int64()
		_, asUint := v.Uint64()
		assert.False(t, asInt || asUint)
	}
}

// Rows are selected by values, and their means equal means computed by hand.
func TestMeansOfSelectedRows(t *testing.T) {
	var table lab.Table
	w := sweep(twoSets(t)...)
	w.Until = func(s world.State) bool { return world.Tick(s) > 12 } // after 12 steps
	w.Params[0].Width, w.Params[1].Width = 3e6, 3e6
	require.NoError(t, w.Run(t.Context(), &table))
	for column, values := range map[string][]any{
		"walkers": {50, uint8(50), 50.0, float32(50)}, "half width": {3000000, 3e6, float32(3e6)},
		"drift": {false}, "title": {"a,b"}, "error": {""},
	} {
		for _, value := range values {
			assert.Equal(t, table.Rows, table.Where(column, value).Rows, "%s %T", column, value)
		}
	}
	assert.Empty(t, table.Where("seed", w.Seeds[1]+1).Rows, "seeds are exact")
	half, steps := table.Where("stride", 0.5), []int{}
	for step, mean := range half.Mean("place") {
		steps = append(steps, step)
		rows := half.Where("step", step).Column("place")
		assert.Equal(t, (rows[0]+rows[1]+rows[2]+rows[3]+rows[4])/5, mean)
	}
	assert.Equal(t, []int{0, 5, 10, 12}, steps)
	assert.Empty(t, append(table.Column("title"), table.Column("error")...))
	for step := range table.Mean("title") {
		t.Error(step, "has no number")
	}
	all := "; give one of " + strings.Join(table.Columns, ", ")
	for says, f := range map[string]func(){
		"lab: there is no column ill" + all:  func() { table.Mean("ill") },
		"lab: there is no column wdth" + all: func() { table.Where("wdth", 1) },
		"lab: Table.Where of seed for a []int; give a number, a bool or a text": func() {
			table.Where("seed", []int{})
		},
	} {
		assert.PanicsWithValue(t, says, f)
	}
}

func TestAPanelReadsAll(t *testing.T) {
	s := crowd(t, 4, 1, 2, -1, 0)
	p := world.Must(lab.NewPanel(all...))
	names := p.Columns()
	require.Len(t, names, len(all))
	assert.Equal(t, []string{"h_0", "h_1"}, names[6])
	want, n := row(t, s, all...), 0
	dst := make([]float64, len(want)-1)
	require.NoError(t, p.Read(dst, s))
	for _, columns := range names {
		for _, name := range columns {
			assert.Equal(t, want[name], number(dst[n]), name)
			n++
		}
	}
	assert.Zero(t, testing.AllocsPerRun(20, func() { require.NoError(t, p.Read(dst, s)) }))
}

// A failing reporter is named, and has no numbers; its walk is closed, so that the copy can be
// taken again.
func TestAPanelReadsOnAfterAFault(t *testing.T) {
	s := crowd(t, 1, 2)
	p := world.Must(world.NewSnapshot(s))
	defer p.Close()
	require.NoError(t, p.Take(s))
	panel, err := lab.NewPanel(
		lab.OfFunc(place, func(float64) float64 { panic("no number") }).Sum("broken"),
		lab.OfFunc(place, func(float64) float64 { return math.Inf(1) }).Histogram("far", 0, 1, 2),
		lab.Of(place).Sum("sum"),
	)
	require.NoError(t, err)
	dst := make([]float64, 4)
	for range 3 {
		err = panel.Read(dst, p.State())
		require.EqualError(t, err, "lab: reporter broken panicked: no number\n"+
			"lab: reporter far_0 found NaN or infinite")
		for _, x := range dst[:3] {
			assert.True(t, math.IsNaN(x))
		}
		assert.InDelta(t, 3, dst[3], 0)
		require.NoError(t, p.Take(s))
	}
}

func TestPanelsThatCannotBe(t *testing.T) {
	_, err := lab.NewPanel(lab.Reporter{})
	require.ErrorContains(t, err, "a zero Reporter reports nothing")
	var none *lab.Panel
	assert.PanicsWithValue(t, "lab: this Panel is nil or was not made; make one by NewPanel",
		func() { none.Columns() })
	p := world.Must(lab.NewPanel(all...))
	assert.PanicsWithValue(t, "lab: Read into 0 numbers; give it 13, one a column",
		func() { _ = p.Read(nil, crowd(t)) })
}

// number prints a number as a table does.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
