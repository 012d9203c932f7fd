package inspect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/world/schedule"
)

const (
	usualTraced = 60 // frames
	mostTraced  = 3600
	tracedFor   = 20 * time.Second
	mostEvents  = 1 << 18 // 20 MB
)

// A Trace records when the jobs of a schedule ran, for ui.perfetto.dev: one row for frames, and one
// per goroutine that ran jobs at the same time. Gaps are waits. A Trace that is not started costs
// each call of a job a few nanoseconds.
type Trace struct {
	on    atomic.Bool
	asked sync.Mutex // serializes requests
	clock func() time.Duration

	mutex  sync.Mutex
	events []traced
	last   time.Duration // end of the previous frame
	left   int           // remaining frames
	done   func()        // called after them
}

// A traced is an event of the trace event format. Times are in microseconds.
type traced struct {
	Name   string            `json:"name"`
	Phase  string            `json:"ph"`
	Begin  float64           `json:"ts"`
	Length float64           `json:"dur"`
	PID    int               `json:"pid"`
	Row    int               `json:"tid"` // 0: frames; -1: not assigned yet
	Args   map[string]string `json:"args,omitempty"`
}

// Attach makes a schedule report its jobs to t. The schedule needs a Clock. Call Attach before the
// schedule runs.
func (t *Trace) Attach(s *schedule.Schedule) {
	if t.mustBe(); s == nil {
		panic("inspect: a Trace is attached to no Schedule; give the one that runs")
	}
	before := s.Span
	t.clock = s.Clock
	s.Span = func(job string, begin, end time.Duration) {
		if before != nil {
			before(job, begin, end)
		}
		if t.on.Load() {
			t.called(job, begin, end)
		}
	}
}

// called adds a call. It is a separate function so that an inactive trace costs jobs no defer.
func (t *Trace) called(job string, begin, end time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.add(job, -1, begin, end)
}

func (t *Trace) mustBe() *Trace {
	if t == nil {
		panic("inspect: a nil *Trace records nothing; take the address of a Trace")
	}
	return t
}

// add adds an event if there is room.
func (t *Trace) add(name string, row int, begin, end time.Duration) {
	if len(t.events) < mostEvents {
		micros := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
		e := traced{name, "X", micros(begin), micros(end - begin), 1, row, nil}
		t.events = append(t.events, e)
	}
}

// Start starts recording. It records nothing before [Trace.Attach].
func (t *Trace) Start() { t.mustBe().record(0, nil) }

// record is Start for a number of frames. It calls done, unless nil, after them.
func (t *Trace) record(frames int, done func()) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.events, t.last, t.left, t.done = nil, 0, frames, done
	t.on.Store(t.clock != nil)
}

// Frame marks the end of a frame.
func (t *Trace) Frame() {
	if t.mustBe(); !t.on.Load() {
		return
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	now := t.clock()
	if t.last > 0 {
		t.add("frame", 0, t.last, now)
		if t.left--; t.left == 0 && t.done != nil {
			t.done()
		}
	}
	t.last = now
}

// WriteTo ends the recording, and writes its first 262,144 calls and frames in Chrome's trace event
// format.
func (t *Trace) WriteTo(w io.Writer) (int64, error) {
	if t.mustBe(); w == nil {
		panic("inspect: a Trace is written to a nil Writer; give a file, or a buffer")
	}
	t.on.Store(false)
	t.mutex.Lock()
	defer t.mutex.Unlock()
	slices.SortStableFunc(t.events, func(a, b traced) int { return cmp.Compare(a.Begin, b.Begin) })
	rows := []float64{0} // end of the last event per row; row 0 shows frames
	for n := range t.events {
		e := &t.events[n]
		if e.Row < 0 {
			free := func(end float64) bool { return end <= e.Begin }
			if e.Row = 1 + slices.IndexFunc(rows[1:], free); e.Row == 0 {
				e.Row = len(rows)
			}
		}
		if e.Row == len(rows) { // also if an earlier call assigned the row
			rows = append(rows, 0)
		}
		rows[e.Row] = e.Begin + e.Length
	}
	all := []traced{{"process_name", "M", 0, 0, 1, 0, map[string]string{"name": "jobs"}}}
	for row := range rows {
		name := "goroutine " + strconv.Itoa(row)
		if row == 0 {
			name = "frames"
		}
		args := map[string]string{"name": name}
		all = append(all, traced{"thread_name", "M", 0, 0, 1, row, args})
	}
	all = append(all, t.events...)
	// With "ms", Chrome's viewer draws jobs shorter than a microsecond inside the previous one.
	text, err := json.Marshal(map[string]any{"traceEvents": all, "displayTimeUnit": "ns"})
	if err != nil {
		return 0, err
	}
	return bytes.NewReader(text).WriteTo(w)
}

// serve answers with a trace of the next frames.
func (t *Trace) serve(_ http.ResponseWriter, r *http.Request) (any, error) {
	frames, err := number(r.URL.Query(), "frames", usualTraced, mostTraced)
	switch {
	case err != nil:
		return nil, err
	case t.clock == nil:
		return nil, notFound("this program names no jobs; set Options.Schedule, with a Clock")
	case !t.asked.TryLock():
		return nil, busy("another trace is being recorded; ask again after it")
	}
	defer t.asked.Unlock()
	ctx, cancel := context.WithTimeout(r.Context(), tracedFor)
	defer cancel()
	t.record(max(frames, 1), cancel)
	<-ctx.Done()
	var text bytes.Buffer
	_, err = t.WriteTo(&text)
	return body{"application/json", text.Bytes()}, err
}
