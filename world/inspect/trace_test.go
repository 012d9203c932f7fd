package inspect_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

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

// BenchmarkTrace calls what a Trace adds to each call of a job, while nobody asks: 20 ns at most,
// of which docs/INSPECTOR.md tells. While it records, a call takes more.
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
