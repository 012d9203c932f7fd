package inspect_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

// scrape asks for the metrics, and reads them by the standard's grammar.
func scrape(t *testing.T, i *inspect.Inspector) map[string]*openFamily {
	t.Helper()
	w := inspect.Ask(i.Handler(), "/metrics")
	require.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "application/openmetrics-text; version=1.0.0; charset=utf-8", w.Header().Get("Content-Type"))
	return world.Must(parseOpenMetrics(w.Body.String()))
}

func TestMetricsTellOfTheWorld(t *testing.T) {
	s := small(t, 128)
	s, _ = world.Must2(world.CreateComponent(s, Health))
	found := scrape(t, inspector(t, s))
	for name, want := range map[string]map[string]float64{
		"flatecs_objects":              {"": 128},
		"flatecs_objects_room":         {"": 138},
		"flatecs_world_reserved_bytes": {"": float64(len(world.Bytes(s)))},
		"flatecs_tick":                 {"": float64(world.Tick(s))},
		"flatecs_commands_refused":     {"_total": 0},
		"flatecs_frames":               {"_total": 0},
		"flatecs_frame_seconds":        {},
		"flatecs_job_seconds":          {},
		"flatecs_kind_used_rows": {
			"{kind=health}": 65, "{kind=frozen}": 43, "{kind=title}": 0, "{kind=pointer}": 0,
			"{kind=crowd}": 0, "{kind=position}": 128, "{kind=name}": 10,
		},
		"flatecs_kind_room_rows": {
			"{kind=health}": 128, "{kind=title}": 128, "{kind=pointer}": 128, "{kind=position}": 133,
			"{kind=name}": 100,
		},
	} {
		if assert.Contains(t, found, name) {
			assert.Equal(t, want, found[name].samples, name)
		}
	}
	used := found["flatecs_world_used_bytes"]
	assert.Greater(t, used.samples[""], 0.)
	assert.Less(t, used.samples[""], float64(len(world.Bytes(s))))
}

// What the program gives is among the metrics, and docs/INSPECTOR.md names all of them.
func TestMetricsTellWhatTheProgramGives(t *testing.T) {
	h := hand{}
	calls := 0
	s := small(t, 3)
	i := world.Must(inspect.New(s, inspect.Options{Clock: h.read, Sources: inspect.Sources{
		Dropped:   func() time.Duration { calls++; return 1500 * time.Millisecond },
		SaveAge:   func() time.Duration { return time.Minute },
		Rollbacks: func() int { return 7 },
		Desyncs:   func() int { return 1 },
	}}))
	assert.NotContains(t, scrape(t, i), "flatecs_session_desyncs", "before the first frame")
	require.NoError(t, i.Publish(s))
	require.Equal(t, 1, calls)
	found := scrape(t, i)
	assert.Equal(t, map[string]float64{"_total": 1.5}, found["flatecs_loop_dropped_seconds"].samples)
	assert.Equal(t, map[string]float64{"": 60}, found["flatecs_save_age_seconds"].samples)
	assert.Equal(t, map[string]float64{"_total": 7}, found["flatecs_session_rollbacks"].samples)
	assert.Equal(t, map[string]float64{"_total": 1}, found["flatecs_session_desyncs"].samples)
	page := world.Must(os.ReadFile("../../docs/INSPECTOR.md"))
	for name, f := range found {
		row := "| `" + name + "` | " + f.kind + " | " + cmp.Or(f.unit, "–") + " |"
		assert.Contains(t, string(page), row, "a row of each metric begins so")
	}
	h.now += time.Hour
	require.NoError(t, i.Publish(s))
	assert.Equal(t, 1, calls, "nobody looks")
	i = world.Must(inspect.New(s, inspect.Options{Clock: h.read}))
	scrape(t, i)
	require.NoError(t, i.Publish(s))
	assert.NotContains(t, scrape(t, i), "flatecs_save_age_seconds", "nobody tells it")
}

func TestWhatWasRefusedIsCounted(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 4, Kinds: layout.Kinds(Health.Count(1), heroes.Position.Count(4)),
	}))
	i := inspector(t, s)
	i.Refused(nil)
	i.Refused(errors.New("of something else"))
	s, a := world.Must2(world.CreateWith(s, Health))
	_, _, err := world.CreateWith(s, Health)
	i.Refused(err)
	_, err = world.Add(s, a, Health)
	i.Refused(err) // is no lack of room
	c := world.Record(s)
	for range 4 { // one finds no room for objects, and all find none among the healths
		world.Put(c, c.Create(), health, 3)
	}
	s, err = world.Apply(s)
	i.Refused(err)
	var refused *world.ApplyError
	require.ErrorAs(t, err, &refused)
	require.NoError(t, i.Publish(s))

	found := scrape(t, i)
	assert.Equal(t, map[string]float64{"_total": float64(len(refused.Refused))},
		found["flatecs_commands_refused"].samples)
	_, kinds := get(t, i.Handler(), "/api/kinds")
	_, o := get(t, i.Handler(), "/api/overview")
	assert.Equal(t, float64(len(refused.Refused)), part(t, o, "refused", "commands"))
	full, objects := part(t, kinds, "kinds", 0, "refused").(float64), part(t, o, "refused", "objects").(float64)
	assert.Equal(t, map[string]float64{
		"_total{kind=health}": full, "_total{kind=game object}": objects, "_total{kind=position}": 0,
	}, found["flatecs_room_refused"].samples)
	assert.Equal(t, 0., part(t, kinds, "kinds", 1, "refused"))
	assert.InDelta(t, 4, full, 0, "one at once, three commands")
	assert.InDelta(t, 1, objects, 0)
}

func TestMetricsAsAVariable(t *testing.T) {
	state := small(t, 20)
	i := world.Must(inspect.New(state, inspect.Options{
		Clock: new(hand).read, Sources: inspect.Sources{Others: func() []inspect.Metric {
			return []inspect.Metric{{Name: "mean", Samples: []inspect.Sample{{Value: math.NaN()}}}}
		}},
	}))
	assert.NotContains(t, i.Var().String(), "mean")
	require.NoError(t, i.Publish(state))
	assert.Contains(t, i.Var().String(), `"mean":null`)
	var found map[string]float64
	require.NoError(t, json.Unmarshal([]byte(i.Var().String()), &found))
	assert.Equal(t, 20., found["flatecs_objects"])
	assert.Equal(t, 10., found[`flatecs_kind_used_rows{kind="health"}`])
	list := world.Must(i.Metrics(t.Context()))
	samples := 0
	for _, m := range list {
		samples += len(m.Samples)
	}
	assert.Len(t, found, samples)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := i.Metrics(ended)
	require.ErrorIs(t, err, context.Canceled)
	i.Close()
	assert.Equal(t, "{}", i.Var().String())
}

// An openFamily is a family of an OpenMetrics text, as parseOpenMetrics reads it.
type openFamily struct {
	kind, unit string
	samples    map[string]float64 // by suffix and labels
}

const label = `[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"`

var (
	openHead = regexp.MustCompile(`^# TYPE ([a-z][a-z0-9_]*) (gauge|counter|summary)\n` +
		`(?:# UNIT ([a-z0-9_]+) ([a-z]+)\n)?# HELP ([a-z0-9_]+) [^\n]+\n`)
	openSample = regexp.MustCompile(`^([a-z0-9_]+?)(_total|_sum|_count)?` +
		`(\{` + label + `(?:,` + label + `)*\})? ([0-9][0-9.e+]*)\n`)
	openLabel = regexp.MustCompile(`([a-z_]+)="((?:[^"\\\n]|\\.)*)"`)
	unescape  = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
)

// parseOpenMetrics reads families as we write them, a part of what the standard's grammar allows:
// each with its type, unit and help before its samples, in one piece, and an end that says so.
func parseOpenMetrics(text string) (map[string]*openFamily, error) {
	families := map[string]*openFamily{}
	for text != "# EOF\n" {
		head := openHead.FindStringSubmatch(text)
		if len(head) == 0 || head[5] != head[1] || head[4] != "" && head[3] != head[1] ||
			!strings.HasSuffix(head[1], head[4]) || families[head[1]] != nil {
			return nil, fmt.Errorf("no head, or that of a family twice: %.200q", text)
		}
		f := &openFamily{head[2], head[4], map[string]float64{}}
		families[head[1]], text = f, text[len(head[0]):]
		for !strings.HasPrefix(text, "# ") {
			found := openSample.FindStringSubmatch(text)
			if len(found) == 0 || found[1] != head[1] || (found[2] == "_total") != (f.kind == "counter") ||
				(found[2] == "_sum" || found[2] == "_count") && f.kind != "summary" {
				return nil, fmt.Errorf("no sample of %s, a %s: %.200q", head[1], f.kind, text)
			}
			key, quantile := found[2], false
			for _, l := range openLabel.FindAllStringSubmatch(found[3], -1) {
				key += "{" + l[1] + "=" + unescape.Replace(l[2]) + "}"
				quantile = quantile || l[1] == "quantile"
			}
			value, err := strconv.ParseFloat(found[4], 64)
			_, twice := f.samples[key]
			if err != nil || twice || quantile != (f.kind == "summary" && found[2] == "") {
				return nil, fmt.Errorf("no number, or twice, or a quantile: %.200q", text)
			}
			f.samples[key], text = value, text[len(found[0]):]
		}
	}
	return families, nil
}

// A traceEvent is one of a trace: times in microseconds, rows from 0, that of the frames.
type traceEvent struct {
	Name, Ph string
	TS, Dur  float64
	TID      int
}

// eventsOf returns the events of a trace, but for the names of rows.
func eventsOf(t *testing.T, text []byte) (all []traceEvent) {
	t.Helper()
	var found struct{ TraceEvents []traceEvent }
	require.NoError(t, json.Unmarshal(text, &found))
	for _, e := range found.TraceEvents {
		if e.Ph == "X" {
			all = append(all, e)
		}
	}
	return all
}

// traced returns a schedule of two jobs beside each other, on two goroutines, and a world for it.
func traced(t *testing.T) (*schedule.Schedule, world.State) {
	t.Helper()
	a, b := layout.NewComponent[int32]("traced a"), layout.NewComponent[int32]("traced b")
	s := schedule.New(2)
	s.Clock = stage.Clock(time.Now)
	var jobs []schedule.Job
	for _, f := range []layout.Field[int32]{a, b} {
		q := world.NewQuery(world.Write(f))
		run := func(s world.State) world.State {
			for range q.In(s) {
				time.Sleep(time.Millisecond)
			}
			return s
		}
		jobs = append(jobs, schedule.Job{Name: f.Spec().String(), Queries: []world.Query{q}, Run: run})
	}
	require.NoError(t, s.Register(schedule.Pipeline{Name: "p", Jobs: jobs, Groups: []schedule.Group{
		{Name: "g", Link: schedule.Merge, Elements: []string{"traced a", "traced b"}},
	}}))
	r := world.NewRecipe("traced", a, b)
	state := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{r}}))
	state = world.Must(world.SpawnN(state, r, 10, nil))
	t.Cleanup(s.Close)
	return s, state
}

// TestATraceHasEachCall, once it is started: in rows in which no two overlap, within their frames.
func TestATraceHasEachCall(t *testing.T) {
	s, state := traced(t)
	defer func() { world.Close(state) }()
	var trace inspect.Trace
	var calls atomic.Int64
	s.Span = func(string, time.Duration, time.Duration) { calls.Add(1) }
	trace.Attach(s)
	run := func() {
		state = world.Must(s.Run(state, "p"))
		trace.Frame()
	}
	run()
	require.Equal(t, int64(2), calls.Load(), "who was told before is told")
	trace.Start()
	for range 4 { // the first begins at an unknown time
		run()
	}
	var text bytes.Buffer
	world.Must(trace.WriteTo(&text))
	run() // after the end
	frames, ends := 0, map[int]float64{}
	names := map[string]int{}
	for _, e := range eventsOf(t, text.Bytes()) {
		names[e.Name]++
		if e.Name == "frame" {
			frames++
			assert.Zero(t, e.TID)
			assert.Greater(t, e.Dur, 900.)
			continue
		}
		assert.Positive(t, e.TID)
		assert.GreaterOrEqual(t, e.TS, ends[e.TID], "two calls in a row overlap")
		ends[e.TID] = e.TS + e.Dur
	}
	assert.Equal(t, map[string]int{"frame": 3, "traced a": 4, "traced b": 4}, names)
	var again bytes.Buffer
	world.Must(trace.WriteTo(&again))
	assert.Len(t, eventsOf(t, again.Bytes()), 11, "nothing is added after the end")
	assert.Equal(t, 1, strings.Count(again.String(), `"process_name"`), "nor a name twice")
	assert.Equal(t, 3, strings.Count(again.String(), `"thread_name"`))
	assert.Contains(t, again.String(), `"displayTimeUnit":"ns"`, "else short jobs are nested")
	_, err := trace.WriteTo(failing{})
	assert.ErrorIs(t, err, io.ErrClosedPipe)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestTheNextFramesAreAnswered, where a program has a schedule with a clock.
func TestTheNextFramesAreAnswered(t *testing.T) {
	s, state := traced(t)
	defer func() { world.Close(state) }()
	i := world.Must(inspect.New(state, inspect.Options{Clock: s.Clock, Schedule: s, Pipeline: "p"}))
	defer i.Close()
	server := httptest.NewServer(i.Handler())
	defer server.Close()
	answer := make(chan []byte, 1)
	go func() {
		r, err := http.Get(server.URL + "/debug/ecs/api/trace?frames=2") //nolint:noctx // it ends
		if err != nil {
			answer <- nil
			return
		}
		text, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		answer <- text
	}()
	var text []byte
	for text == nil {
		state = world.Must(s.Run(state, "p"))
		require.NoError(t, i.Publish(state))
		select {
		case text = <-answer:
			require.NotNil(t, text)
		default:
		}
	}
	assert.GreaterOrEqual(t, len(eventsOf(t, text)), 6)
	r, err := http.Get(server.URL + "/debug/ecs/api/trace?frames=9999") //nolint:noctx // it is refused
	require.NoError(t, err)
	_ = r.Body.Close()
	assert.Equal(t, http.StatusBadRequest, r.StatusCode)
}

// BenchmarkTrace calls the function that a Trace adds to each call of a job, without a request: 20
// ns at most, as docs/INSPECTOR.md says. While it records, a call takes more.
func BenchmarkTrace(b *testing.B) {
	for name, on := range map[string]bool{"nobody asks": false, "recording": true} {
		b.Run(name, func(b *testing.B) {
			s := schedule.New(1)
			defer s.Close()
			s.Clock = stage.Clock(time.Now)
			var trace inspect.Trace
			if trace.Attach(s); on {
				trace.Start()
			}
			for b.Loop() {
				s.Span("job", 1, 2)
			}
		})
	}
}
