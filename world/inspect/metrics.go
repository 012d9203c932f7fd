package inspect

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Sources are figures for metrics that only the program knows. The metric of a nil source is
// omitted. Publish calls them for each published frame, on the goroutine that calls Publish.
type Sources struct {
	Dropped   func() time.Duration // time without steps: the method of a stage.Timed
	SaveAge   func() time.Duration // since the world was last saved
	Rollbacks func() int           // Rollbacks of a session's Status
	Desyncs   func() int           // worlds that differ from other players' worlds
	Others    func() []Metric      // more metrics, such as those of package shard/report
}

// A Metric is a family of figures of one name, in the terms of OpenMetrics. docs/INSPECTOR.md lists
// all of them.
type Metric struct {
	Name    string   // with its unit, and without the suffixes of its samples
	Type    string   // "gauge", "counter" or "summary"
	Unit    string   // "seconds", "bytes", "rows", or none
	Help    string   // a sentence
	Samples []Sample // their labels differ
}

// A Sample is one figure of a [Metric].
type Sample struct {
	Suffix string  // "_total" of counters, "_sum" and "_count" of summaries, or none
	Labels []Label // ascending by name
	Value  float64
}

// A Label is a label of a [Sample].
type Label struct{ Name, Value string }

// ServeMetrics answers a request with metrics as OpenMetrics text, for programs without an
// [Inspector].
func ServeMetrics(w http.ResponseWriter, list []Metric) {
	if w == nil {
		panic("inspect: ServeMetrics without a ResponseWriter; give it that of the request")
	}
	w.Header().Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
	_, _ = w.Write(appendMetrics(nil, list)) // the client may have disconnected
}

// A given is the figures of the sources at a frame.
type given struct {
	asked   bool
	figures [len(sources)]float64 // NaN: the source is missing
	others  []Metric
}

// sources are the metrics of the first sources in [Sources].
var sources = [...]struct{ name, kind, unit, help string }{
	{"loop_dropped_seconds", "counter", "seconds", "Time that no step was run for."},
	{"save_age_seconds", "gauge", "seconds", "Time since the world was last saved."},
	{"session_rollbacks", "counter", "", "Times that a session went back to correct a prediction."},
	{"session_desyncs", "counter", "", "Worlds that were found to differ from those of others."},
}

func (s *Sources) ask() given {
	g := given{asked: true, figures: [...]float64{
		told(s.Dropped) / 1e9, told(s.SaveAge) / 1e9, told(s.Rollbacks), told(s.Desyncs),
	}}
	if s.Others != nil {
		g.others = s.Others()
	}
	return g
}

// told returns the figure of a source, or NaN if it is nil.
func told[T int | time.Duration](source func() T) float64 {
	if source == nil {
		return math.NaN()
	}
	return float64(source())
}

// metrics computes the figures of the world, of its frames and of its refusals.
type metrics struct {
	options  *Options
	frames   *frames
	times    times
	refusals refusals
}

func newMetrics(o *Options, f *frames) *metrics {
	m := &metrics{options: o, frames: f}
	m.times.frames, m.times.work = make(ring, o.Window), make(ring, o.Window)
	return m
}

// serve answers with OpenMetrics text.
func (m *metrics) serve(w http.ResponseWriter, r *http.Request) {
	list, err := m.all(r.Context())
	if err != nil {
		refuseWith(w, err)
		return
	}
	ServeMetrics(w, list)
}

// all returns the figures of the newest frame.
func (m *metrics) all(ctx context.Context) (list []Metric, err error) {
	err = m.frames.look(ctx, func(v *view) error {
		list = append(append(m.ofWorld(v), m.ofTimes()...), v.given.metrics()...)
		return ctx.Err()
	})
	return list, err
}

// ofWorld returns the figures of the world, of its kinds and of its refusals.
func (m *metrics) ofWorld(v *view) []Metric {
	commands, full := m.refusals.now()
	var inUse, room []Sample
	refused := []Sample{sampleOf("_total", "kind", objectsKind, full[objectsKind])}
	for _, k := range v.known.kinds {
		if k.Role == roleBeside {
			continue
		}
		inUse = append(inUse, sampleOf("", "kind", k.Name, k.rows()))
		if k.Capacity > 0 {
			room = append(room, sampleOf("", "kind", k.Name, k.Capacity))
		}
		if k.Name != objectsKind {
			refused = append(refused, sampleOf("_total", "kind", k.Name, full[k.Name]))
		}
	}
	return []Metric{
		one("objects", "gauge", "", "Game objects that are alive.", world.Len(v.state)),
		one("objects_room", "gauge", "", "Game objects that there is room for.",
			tool.Capacity(v.state)),
		one("world_used_bytes", "gauge", "bytes", "Bytes of the world that were ever used.",
			v.usedBytes()),
		one("world_reserved_bytes", "gauge", "bytes", "Bytes that are reserved for the world.",
			len(world.Bytes(v.state))),
		one("tick", "gauge", "", "The world's tick. A rollback takes it back.", v.tick),
		one("commands_refused", "counter", "", "Recorded commands that Apply refused.", commands),
		{
			"flatecs_kind_used_rows", "gauge", "rows",
			"Rows of a kind in use; of a mark, objects that have it.", inUse,
		},
		{
			"flatecs_kind_room_rows", "gauge", "rows",
			"Rows of a kind that there is room for; marks have none.", room,
		},
		{
			"flatecs_room_refused", "counter", "",
			"What was refused because a kind, or the game objects, had no room.", refused,
		},
	}
}

// ofTimes returns the durations of frames and jobs, over the recorded frames.
func (m *metrics) ofTimes() []Metric {
	v := m.times.since(^uint64(0)) // without histories
	var frame, job []Sample
	if v.Count > 0 {
		frame = v.Interval.quantiles()
	}
	for _, j := range v.Jobs {
		if v.Count > 0 {
			job = append(job, j.quantiles(Label{"job", j.Name})...)
		}
		job = append(job, sampleOf("_sum", "job", j.Name, j.TotalMs.seconds()),
			sampleOf("_count", "job", j.Name, j.Runs))
	}
	return []Metric{
		one("frames", "counter", "", "Frames that have ended.", v.Count),
		{
			"flatecs_frame_seconds", "summary", "seconds",
			"From the end of a frame to the end of the next, over the last frames.", frame,
		},
		{
			"flatecs_job_seconds", "summary", "seconds",
			"What a job took in a frame: quantiles over the last frames, sum and count over all.",
			job,
		},
	}
}

func (t *timesOf) quantiles(labels ...Label) []Sample {
	half, most := Label{"quantile", "0.5"}, Label{"quantile", "0.99"}
	return []Sample{
		{"", append(slices.Clone(labels), half), t.P50Ms.seconds()},
		{"", append(slices.Clone(labels), most), t.P99Ms.seconds()},
	}
}

// metrics returns the figures of the program's sources.
func (g *given) metrics() (list []Metric) {
	if !g.asked {
		return nil
	}
	for n, of := range sources {
		if x := g.figures[n]; !math.IsNaN(x) {
			list = append(list, one(of.name, of.kind, of.unit, of.help, x))
		}
	}
	return append(list, g.others...)
}

// one returns a metric with a single sample.
func one[T int | uint64 | float64](name, kind, unit, help string, value T) Metric {
	s := Sample{Value: float64(value)}
	if kind == "counter" {
		s.Suffix = "_total"
	}
	return Metric{"flatecs_" + name, kind, unit, help, []Sample{s}}
}

func sampleOf[T int | uint64 | float64](suffix, label, of string, value T) Sample {
	return Sample{suffix, []Label{{label, of}}, float64(value)}
}

// appendMetrics appends the text of metrics, with its end line.
func appendMetrics(dst []byte, list []Metric) []byte {
	for _, m := range list {
		dst = append(dst, "# TYPE "+m.Name+" "+m.Type+"\n"...)
		if m.Unit != "" {
			dst = append(dst, "# UNIT "+m.Name+" "+m.Unit+"\n"...)
		}
		dst = append(dst, "# HELP "+m.Name+" "+escaped.Replace(m.Help)+"\n"...)
		for _, s := range m.Samples {
			dst = append(s.appendName(dst, m.Name), ' ')
			dst = append(strconv.AppendFloat(dst, s.Value, 'g', -1, 64), '\n')
		}
	}
	return append(dst, "# EOF\n"...)
}

// appendName appends the name and the labels of a sample.
func (s *Sample) appendName(dst []byte, name string) []byte {
	dst = append(dst, name+s.Suffix...)
	for n, l := range s.Labels {
		before := ","
		if n == 0 {
			before = "{"
		}
		text := strings.ToValidUTF8(l.Value, "\ufffd")
		dst = append(dst, before+l.Name+`="`+escaped.Replace(text)+`"`...)
	}
	if len(s.Labels) > 0 {
		dst = append(dst, '}')
	}
	return dst
}

var escaped = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// String returns the samples as JSON, null for those that are no number.
func (m *metrics) String() string {
	found := map[string]point{}
	list, err := m.all(context.Background())
	if err != nil {
		return "{}"
	}
	for _, of := range list {
		for _, s := range of.Samples {
			found[string(s.appendName(nil, of.Name))] = point(s.Value)
		}
	}
	text, _ := json.Marshal(found) // cannot fail: texts and numbers only
	return string(text)
}
