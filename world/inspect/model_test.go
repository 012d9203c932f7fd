package inspect_test

import (
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ticks draw a world's tick, and nothing at odd ones. They fail at tick 5, and panic over the
// picture of tick 3.
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

func (*ticks) Draw(s world.State) image.Image {
	switch world.Tick(s) {
	case 3:
		panic("three")
	case 4:
		return nil
	}
	m := image.NewRGBA(image.Rect(0, 0, 2, 2))
	m.SetRGBA(1, 0, color.RGBA{uint8(world.Tick(s)), 2, 3, 255})
	return m
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

func ruled(t *testing.T, o inspect.Options) (world.State, *inspect.Inspector, *atomic.Int64) {
	t.Helper()
	now := &atomic.Int64{}
	now.Store(int64(time.Minute))
	o.Clock = func() time.Duration { return time.Duration(now.Load()) }
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 4, Names: 2, Seed: 1, Resources: []world.ResourceKind{ruleBook},
	}))
	s = world.SetResource(s, ruleField, rules{Chance: .25, Steps: 3})
	i := world.Must(inspect.New(s, o))
	t.Cleanup(func() { i.Close(); systems.Discard(s) })
	return s, i, now
}

type plotted struct {
	Frame, Tick int
	Plots       [][]string
	Points      []*float64
	Fault       string
}

func plotsOf(t *testing.T, h http.Handler) (p plotted) {
	t.Helper()
	_, text := raw(t, h, "/api/plots")
	require.NoError(t, json.Unmarshal(text, &p))
	return p
}

func TestPlotsAreOfTheFrame(t *testing.T) {
	p := newTicks()
	s, i, now := ruled(t, inspect.Options{Model: p})
	h := i.Handler()
	for n := 1; n < 8; n++ {
		found := plotsOf(t, h)
		assert.Equal(t, n, found.Frame)
		assert.Equal(t, int(world.Tick(s)), found.Tick)
		assert.Equal(t, p.lines, found.Plots)
		require.Len(t, found.Points, 3)
		assert.InDelta(t, float64(found.Tick), *found.Points[0], 0)
		assert.Nil(t, found.Points[1])
		assert.InDelta(t, 2*float64(found.Tick), *found.Points[2], 0)
		assert.Equal(t, map[bool]string{true: errPlot.Error()}[found.Tick == 5], found.Fault)
		now.Add(int64(time.Second))
		s = world.Advance(s)
		require.NoError(t, i.Publish(s))
	}
	reads := p.reads
	now.Add(int64(time.Minute))
	assert.Zero(t, testing.AllocsPerRun(100, func() { require.NoError(t, i.Publish(s)) }))
	assert.Equal(t, reads, p.reads, "nobody looks")
	assert.Empty(t, plotsOf(t, inspector(t, s).Handler()).Plots)
}

// A picture shows the requested frame. Without a picture, or if the model panics, the request is
// refused.
func TestThePictureIsOfTheFrame(t *testing.T) {
	s, i, now := ruled(t, inspect.Options{Model: newTicks()})
	ask := func(i *inspect.Inspector) *httptest.ResponseRecorder {
		return inspect.Ask(i.Handler(), "/api/picture")
	}
	require.Equal(t, http.StatusOK, ask(i).Code, "somebody looks from now on")
	for world.Tick(s) < 5 {
		now.Add(int64(time.Second))
		s = world.Advance(s)
		require.NoError(t, i.Publish(s))
		w := ask(i)
		switch world.Tick(s) {
		case 3:
			assert.Equal(t, http.StatusInternalServerError, w.Code)
			assert.Contains(t, w.Body.String(), "the picture panicked: three")
		case 4:
			assert.Equal(t, http.StatusNotFound, w.Code)
			empty := inspect.Ask(i.Handler(), "/api/picture?maybe")
			assert.Equal(t, http.StatusOK, empty.Code, "no error in a page's console")
			assert.Zero(t, empty.Body.Len())
		default:
			m := world.Must(png.Decode(w.Body))
			assert.Equal(t, image.Pt(2, 2), m.Bounds().Size())
			r, _, _, _ := m.At(1, 0).RGBA()
			assert.Equal(t, world.Tick(s), uint64(r>>8))
		}
	}
	assert.Equal(t, http.StatusNotFound, ask(inspector(t, s)).Code)
}

// A stream sends the numbers of each frame that is published, once.
func TestPlotsAreAStream(t *testing.T) {
	s, i, now := ruled(t, inspect.Options{Model: newTicks(), Rate: 1000})
	server := httptest.NewServer(i.Handler())
	defer server.Close()
	next, stop := listen(t, server.URL+"/debug/ecs/api/events?topics=plots,resources")
	defer stop()
	const last = 6.
	for frame, rest := 0., 0; rest < 2; { // after the last frame, its numbers come no more
		e := next()
		switch {
		case e.name == "plots":
			frame++
			require.InDelta(t, frame, e.found["frame"], 0, "each frame comes once")
		case frame == last:
			rest++
		default:
			continue
		}
		now.Add(int64(time.Second)) // a frame is due, however slow the machine is
		if s = world.Advance(s); frame < last {
			require.NoError(t, i.Publish(s))
		}
	}
}

func TestControlsThatCannotBe(t *testing.T) {
	clock := func() time.Duration { return 0 }
	s, _, _ := ruled(t, inspect.Options{})
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
	s, _, _ := ruled(t, inspect.Options{})
	e := edited(t, s, inspect.Options{Controls: []inspect.Control{
		{Field: ruleField, Part: "Chance", Max: 1, Step: .05},
		{Field: ruleField, Part: "On", Fixed: true},
	}})
	set := func(status int, kind, part, values string) string {
		return e.post(status, `{"op":"set","kind":"`+kind+`","field":"rules","part":"`+part+`","values":`+values+`}`)["error"]
	}
	e.state = world.Advance(e.state)
	moment := tool.MomentOf(e.state, ruleField.Spec().Kind.Handle())
	set(200, "book", "Chance", `["0.5"]`)
	set(200, "book", "Steps", `["-70000"]`)
	assert.Equal(t, rules{Chance: .5, Steps: -70000}, world.Resource(e.state, ruleField))
	assert.NotEqual(t, moment, tool.MomentOf(e.state, ruleField.Spec().Kind.Handle()), "it is stamped")
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
		assert.Contains(t, set(c.status, c.kind, c.part, c.values), c.why)
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

// The page shows the program's description of the requested client; only Publish calls the program,
// and only while a page requests it.
func TestAClientIsToldOf(t *testing.T) {
	asked := 0
	s, i, now := ruled(t, inspect.Options{Client: func(dst []byte, number int) []byte {
		asked++
		if number > 1 {
			return dst
		}
		return append(dst, "client "+strconv.Itoa(number)+" sees nothing\n"...)
	}})
	ask := func(i *inspect.Inspector, number string) *httptest.ResponseRecorder {
		return inspect.Ask(i.Handler(), "/api/client?number="+number)
	}
	publish := func() {
		now.Add(int64(100 * time.Millisecond))
		s = world.Advance(s)
		require.NoError(t, i.Publish(s))
	}
	publish()
	require.Zero(t, asked)
	w := ask(i, "1")
	require.Equal(t, http.StatusServiceUnavailable, w.Code, "no frame comes")
	assert.Contains(t, w.Body.String(), "no frame has told of client 1 so far: the program is paused")
	require.Zero(t, asked)
	for _, number := range []string{"1", "0", "2", "0", "1"} {
		w = inspect.During(func() *httptest.ResponseRecorder { return ask(i, number) }, publish)
		if number == "2" {
			require.Equal(t, http.StatusNotFound, w.Code)
			assert.Contains(t, w.Body.String(), "the program has no client 2")
			continue
		}
		require.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, "client "+number+" sees nothing\n", w.Body.String())
		assert.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	}
	require.Positive(t, asked)

	for _, number := range []string{"", "x", "-1", "2147483647"} {
		w = ask(i, number)
		assert.Equal(t, http.StatusBadRequest, w.Code)
		assert.Contains(t, w.Body.String(), "number is ")
	}
	w = ask(inspector(t, s), "1")
	assert.Equal(t, http.StatusNotFound, w.Code)
	assert.Contains(t, w.Body.String(), "set Options.Client")
}
