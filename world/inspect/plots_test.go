package inspect_test

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/stage"
)

// ticks are plots of a world's tick, and of nothing at odd ones. They fail at tick 5.
type ticks struct {
	lines [][]string
	reads int
}

var errPlot = errors.New("no plot at tick 5")

func (p *ticks) Columns() [][]string { return p.lines }

func (p *ticks) Read(dst []float64, s world.State) error {
	p.reads++
	t := float64(world.Tick(s))
	dst[0], dst[1], dst[2] = t, math.NaN(), 2*t
	if t == 5 {
		return errPlot
	}
	return nil
}

func newTicks() *ticks { return &ticks{lines: [][]string{{"tick"}, {"none", "twice"}}} }

// The rules of a model that the page adjusts.
type rules struct {
	Chance float64
	Steps  int32
	On     bool
	Rest   [3]uint8
}

var (
	ruleField = layout.NewField[rules]("rules")
	ruleBook  = world.NewResource("book", ruleField)
)

func ruled(t *testing.T, o inspect.Options) (world.State, *inspect.Inspector, *float64) {
	t.Helper()
	now := new(float64) // seconds
	*now = 100
	o.Clock = func() time.Duration { return time.Duration(*now * float64(time.Second)) }
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 4, Names: 2, Seed: 1, Resources: []world.ResourceKind{ruleBook},
	}))
	s = world.SetResource(s, ruleField, rules{Chance: .25, Steps: 3})
	i, err := inspect.New(s, o)
	require.NoError(t, err)
	t.Cleanup(func() { i.Close(); systems.Discard(s) })
	return s, i, now
}

type plotted struct {
	Count  int
	Window int
	Plots  [][]string
	Ticks  []int
	Points [][]*float64
	Fault  string
}

func plotsOf(t *testing.T, h http.Handler, query string) (p plotted) {
	t.Helper()
	_, text := raw(t, h, "/api/plots"+query)
	require.NoError(t, json.Unmarshal(text, &p))
	return p
}

func TestPlotsAreReadOncePerFrame(t *testing.T) {
	p := newTicks()
	s, i, now := ruled(t, inspect.Options{Plots: p})
	h := i.Handler()
	first := plotsOf(t, h, "")
	assert.Equal(t, 1, first.Count)
	assert.Equal(t, p.lines, first.Plots)
	assert.Equal(t, first, plotsOf(t, h, ""), "the frame was read")
	assert.Equal(t, 1, p.reads)
	for range 6 {
		*now++
		s = world.Advance(s)
		require.NoError(t, i.Publish(s))
		plotsOf(t, h, "")
	}
	all, late := plotsOf(t, h, ""), plotsOf(t, h, "?since=5")
	assert.Equal(t, 7, p.reads)
	assert.Equal(t, 7, all.Count)
	assert.Equal(t, all.Ticks[5:], late.Ticks)
	for n, tick := range all.Ticks {
		assert.InDelta(t, float64(tick), *all.Points[n][0], 0)
		assert.Nil(t, all.Points[n][1])
		assert.InDelta(t, 2*float64(tick), *all.Points[n][2], 0)
	}
	assert.Empty(t, all.Fault)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/debug/ecs/api/plots?since=x", nil))
	assert.Equal(t, http.StatusBadRequest, w.Code)
	assert.Empty(t, plotsOf(t, inspector(t, s).Handler(), "").Plots)
}

func TestAFaultOfThePlotsIsShown(t *testing.T) {
	s, i, now := ruled(t, inspect.Options{Plots: newTicks()})
	h := i.Handler()
	for world.Tick(s) < 5 {
		s = world.Advance(s)
	}
	plotsOf(t, h, "")
	*now++
	require.NoError(t, i.Publish(s))
	assert.Equal(t, errPlot.Error(), plotsOf(t, h, "").Fault)
}

// What nobody looked at is a gap in the lines, and no line leads over it.
func TestPlotsHaveGaps(t *testing.T) {
	s, i, now := ruled(t, inspect.Options{Plots: newTicks()})
	h := i.Handler()
	look := func() []int {
		*now++
		s = world.Advance(s)
		require.NoError(t, i.Publish(s))
		return plotsOf(t, h, "").Ticks
	}
	plotsOf(t, h, "")
	require.Equal(t, []int{1, 2}, look())
	*now += 60 // the world stands still
	require.NoError(t, i.Publish(s))
	plotsOf(t, h, "")
	require.Equal(t, []int{1, 2, 3}, look())
	for range 10 { // it runs, and nobody looks
		*now++
		s = world.Advance(s)
		require.NoError(t, i.Publish(s))
	}
	stale := plotsOf(t, h, "").Ticks
	all := look()
	assert.Equal(t, append(stale, 13, 14), all)
	assert.Nil(t, plotsOf(t, h, "").Points[len(all)-2][0])
}

// The last 1,200 points are kept, and frames without a look are not read.
func TestPlotsAreBounded(t *testing.T) {
	p := newTicks()
	s, i, now := ruled(t, inspect.Options{Plots: p})
	h := i.Handler()
	for range 1300 {
		*now++
		s = world.Advance(s)
		require.NoError(t, i.Publish(s))
		plotsOf(t, h, "?since=999999")
	}
	all := plotsOf(t, h, "")
	assert.Equal(t, 1300, all.Count)
	assert.Len(t, all.Ticks, all.Window)
	assert.Equal(t, int(world.Tick(s)), all.Ticks[len(all.Ticks)-1])
	assert.Equal(t, all.Ticks[0]+all.Window-1, all.Ticks[all.Window-1])
	reads := p.reads
	*now += 60
	assert.Zero(t, testing.AllocsPerRun(100, func() { require.NoError(t, i.Publish(s)) }))
	assert.Equal(t, reads, p.reads, "nobody looks")
}

func TestPlotsAreAStream(t *testing.T) {
	p := newTicks()
	s := small(t, 10)
	i, err := inspect.New(s, inspect.Options{Clock: stage.Clock(time.Now), Plots: p, Rate: 1000})
	require.NoError(t, err)
	server := httptest.NewServer(i.Handler())
	defer server.Close()
	next, stop := listen(t, server.URL+"/debug/ecs/api/events?topics=plots,resources&points=0")
	defer stop()
	count := 0
	for count < 5 {
		e := next()
		if e.name == "resources" {
			assert.Empty(t, e.found["resources"])
			s = world.Advance(s)
			require.NoError(t, i.Publish(s))
			continue
		}
		count += len(e.found["ticks"].([]any))
		assert.InDelta(t, count, e.found["count"], 0, "each point comes once")
	}
}

func TestPlotsAndControlsThatCannotBe(t *testing.T) {
	s, _, _ := ruled(t, inspect.Options{})
	many := &ticks{lines: [][]string{make([]string, 257)}}
	clock := func() time.Duration { return 0 }
	_, err := inspect.New(s, inspect.Options{Clock: clock, Plots: many})
	require.ErrorIs(t, err, inspect.ErrPlots)
	require.ErrorContains(t, err, "257 lines")
	for want, c := range map[string]inspect.Control{
		"has no field":                      {},
		`book.rules has no part "Chanse"`:   {Field: ruleField, Part: "Chanse", Max: 1},
		"slider from 1 to 1 by 0":           {Field: ruleField, Part: "Chance", Min: 1, Max: 1},
		"slider from 0 to NaN":              {Field: ruleField, Part: "Chance", Max: math.NaN()},
		"slider from 0 to +Inf":             {Field: ruleField, Part: "Chance", Max: math.Inf(1)},
		"by -1":                             {Field: ruleField, Part: "Chance", Max: 1, Step: -1},
		"book.rules.On, a bool, has a slid": {Field: ruleField, Part: "On", Max: 1},
	} {
		_, err := inspect.New(s, inspect.Options{Clock: clock, Controls: []inspect.Control{c}})
		require.ErrorIs(t, err, inspect.ErrControl)
		assert.ErrorContains(t, err, want)
	}
}

func TestResourcesAreSet(t *testing.T) {
	e := &editor{t: t}
	s, i, _ := ruled(t, inspect.Options{Edit: true, Controls: []inspect.Control{
		{Field: ruleField, Part: "Chance", Max: 1, Step: .05},
		{Field: ruleField, Part: "On", Fixed: true},
	}})
	e.state, e.inspector, e.handler, e.carryOut = s, i, i.Handler(), i.Edit
	e.token = tokenOf(t, e.handler)
	set := func(kind, part, values string) (int, string) {
		status, answer := e.post(`{"op":"set","kind":"`+kind+`","field":"rules","part":"`+part+`","values":`+values+`}`, e.token)
		return status, answer["error"]
	}
	snapshot := world.Must(world.NewSnapshot(e.state))
	defer snapshot.Close()
	require.NoError(t, snapshot.Take(e.state))
	for part, values := range map[string]string{"Chance": `["0.5"]`, "Steps": `["-70000"]`} {
		status, why := set("book", part, values)
		assert.Equal(t, http.StatusOK, status, why)
	}
	assert.Equal(t, rules{Chance: .5, Steps: -70000}, world.Resource(e.state, ruleField))
	require.NoError(t, snapshot.Take(e.state))
	assert.True(t, world.Equal(snapshot.State(), e.state), "what was set is stamped")
	require.NoError(t, tool.Verify(e.state))

	before := world.Digest(e.state)
	for _, c := range []struct {
		kind, part, values string
		status             int
		why                string
	}{
		{"book", "Chance", `["1.01"]`, 400, "book.rules.Chance is 1.01; give 0 to 1"},
		{"book", "Chance", `["-1"]`, 400, "give 0 to 1"},
		{"book", "Chance", `["NaN"]`, 400, "no float64 that fits"},
		{"book", "Chance", `["1","1"]`, 400, "2 values for 1 lanes"},
		{"book", "Chance", `[]`, 400, "0 values"},
		{"book", "On", `["true"]`, 400, "book.rules.On is fixed"},
		{"book", "Steps", `["2147483648"]`, 400, "no int32 that fits"},
		{"book", "Stops", `["1"]`, 404, "no part"},
		{"random", "Seed", `["1"]`, 404, "no resource"},
		{"name", "text", `["1"]`, 404, "no resource"},
	} {
		status, why := set(c.kind, c.part, c.values)
		assert.Equal(t, c.status, status, "%v", c)
		assert.Contains(t, why, c.why)
	}
	assert.Equal(t, before, world.Digest(e.state))
}

// Kinds of the library itself are no resources of the program's.
func TestResourcesAreThoseOfTheProgram(t *testing.T) {
	_, i, _ := ruled(t, inspect.Options{Controls: []inspect.Control{
		{Field: ruleField, Part: "Chance", Max: 1},
	}})
	_, text := raw(t, i.Handler(), "/api/resources")
	assert.JSONEq(t, `{"frame":1,"resources":[{"name":"book",
		"fields":[{"name":"rules","bytes":16,"parts":[{"name":"Chance","type":"float64","lanes":1},
			{"name":"Steps","type":"int32","lanes":1},{"name":"On","type":"bool","lanes":1},
			{"name":"Rest","type":"uint8","lanes":3}]}],
		"values":[[0.25,3,false,0,0,0]],
		"controls":[{"field":"rules","part":"Chance","min":0,"max":1,"step":0,"fixed":false}]}]}`, string(text))
}
