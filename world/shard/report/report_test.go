package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/report"
)

var two = []report.Report{
	{Shard: 0, State: "runs", Tick: 7, Objects: 3, Stats: shard.Stats{
		Ticks: 7, Sent: 100, Step: 1500 * time.Millisecond,
	}},
	{Shard: 1, State: "restarts", Tick: 5, Lag: 2, Objects: 4},
}

func TestRegionsInWords(t *testing.T) {
	words := func(p shard.Partition) (all []string) {
		for i := range p.Shards {
			all = append(all, report.Region(&p, i))
		}
		return all
	}
	assert.Equal(t, []string{"everywhere"}, words(shard.Strips(1, 0, 10)))
	assert.Equal(t, []string{"x below 10", "x 10 to 20", "x from 20"}, words(shard.Strips(3, 0, 30)))
	assert.Equal(t, []string{
		"x below 5, y below 3", "x from 5, y below 3", "x below 5, y from 3", "x from 5, y from 3",
	}, words(shard.Grid(2, 2, [2]float32{}, [2]float32{10, 6})))
	assert.Equal(t, []string{"x below 5", "nowhere", "x from 5"}, words(shard.Strips(3, 5, 5)))
	assert.Equal(t, []string{"", ""}, words(shard.Partition{Shards: 2}))
}

func TestAReportIsOfNow(t *testing.T) {
	jobs := schedule.New(1)
	defer jobs.Close()
	require.NoError(t, jobs.Register(schedule.Pipeline{
		Name: "tick", Groups: []schedule.Group{{Name: "all"}},
	}))
	s := world.Must(shard.Start(t.Context(), nil, shard.Options{
		Name: "test", Partition: shard.Strips(1, 0, 10), Schedule: jobs, Pipeline: "tick",
		Position: heroes.Position,
		Counts: world.Counts{
			GameObjects: 10, Globals: 10, Kinds: layout.Kinds(heroes.Position, shard.Ghost),
		},
		Populate: func(s world.State, _ func([3]float32) bool) (world.State, error) {
			s, id, err := world.CreateWith(s, heroes.Position)
			if err != nil {
				return s, err
			}
			return pack.SetGlobal(s, id, 1)
		},
	}))
	defer s.Close()
	require.NoError(t, s.Run(t.Context(), 3))
	r := report.Of(0, s)
	assert.EqualValues(t, 3, r.Tick)
	assert.Equal(t, 1, r.Objects)
	assert.Equal(t, 3, r.Stats.Ticks)

	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("runs", "now", r)
	assert.Contains(t, log.String(), "now.shard=0 now.tick=3 now.objects=1")
}

// Each metric has a figure per shard, and a row in docs/SCALE.md.
func TestMetricsAreListed(t *testing.T) {
	text := world.Must(os.ReadFile("../../../docs/SCALE.md"))
	names := map[string]bool{}
	for _, m := range report.Metrics(two...) {
		assert.False(t, names[m.Name], "%s is there twice", m.Name)
		names[m.Name] = true
		assert.Len(t, m.Samples, 2, m.Name)
		assert.True(t, m.Unit == "" || strings.HasSuffix(m.Name, "_"+m.Unit), m.Name)
		row := "| `" + m.Name + "` | " + m.Type + " | " + unitOf(m) + " |"
		assert.Contains(t, string(text), row)
	}
}

func unitOf(m inspect.Metric) string {
	if m.Unit == "" {
		return "–"
	}
	return m.Unit
}

func ask(t *testing.T, path string, change func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	h := report.Guard().Handler(report.Handler(report.Options{
		Name: "a <b>", Reports: func() []report.Report { return two },
	}))
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080"+path, nil)
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestThePageShowsAllShards(t *testing.T) {
	page := ask(t, "/debug/shards", nil)
	require.Equal(t, http.StatusOK, page.Code)
	assert.Contains(t, page.Body.String(), "<title>a &lt;b&gt; · shards</title>")
	assert.Contains(t, page.Header().Get("Content-Security-Policy"), "script-src 'sha256-")

	var got []report.Report
	require.NoError(t, json.Unmarshal(ask(t, "/debug/shards/api", nil).Body.Bytes(), &got))
	assert.Equal(t, two, got)

	text := ask(t, "/debug/shards/metrics", nil).Body.String()
	for _, line := range []string{
		`flatecs_shard_tick{shard="1"} 5`, `flatecs_shard_lag_ticks{shard="1"} 2`,
		`flatecs_shard_sent_bytes_total{shard="0"} 100`,
		`flatecs_shard_step_seconds_total{shard="0"} 1.5`, "# EOF",
	} {
		assert.Contains(t, text, line+"\n")
	}
	assert.Equal(t, http.StatusNotFound, ask(t, "/debug/else", nil).Code)
}

// Other sites cannot reach it: not by host name, not from their pages, not by writing.
func TestThePageIsOfThisMachine(t *testing.T) {
	for name, change := range map[string]func(*http.Request){
		"a name":    func(r *http.Request) { r.Host = "evil.example" },
		"a machine": func(r *http.Request) { r.Host = "10.0.0.1:8080" },
		"a site":    func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"a fetch":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"a write":   func(r *http.Request) { r.Method = http.MethodPost },
	} {
		for _, path := range []string{"/debug/shards", "/debug/shards/api"} {
			w := ask(t, path, change)
			assert.Contains(t, []int{http.StatusForbidden, http.StatusMethodNotAllowed}, w.Code, name)
			assert.NotContains(t, w.Body.String(), "Shard", name)
		}
	}
	_, err := report.Guard().Listen("0.0.0.0:0")
	require.ErrorIs(t, err, inspect.ErrRemote)
}

// A shard is killed by a post of the page itself, if there is a function for it.
func TestThePageKills(t *testing.T) {
	var killed []int
	o := report.Options{Reports: func() []report.Report { return two }}
	post := func(query string, site string) int {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/debug/shards/kill"+query, nil)
		r.Header.Set("Origin", site)
		w := httptest.NewRecorder()
		report.Guard().Handler(report.Handler(o)).ServeHTTP(w, r)
		return w.Code
	}
	const own = "http://localhost"
	assert.Equal(t, http.StatusNotFound, post("?shard=1", own))
	o.Kill = func(shard int) error {
		if killed = append(killed, shard); shard > 1 {
			return errors.New("no such shard")
		}
		return nil
	}
	assert.Equal(t, http.StatusNoContent, post("?shard=1", own))
	assert.Equal(t, http.StatusBadRequest, post("?shard=2", own))
	assert.Equal(t, http.StatusBadRequest, post("", own))
	assert.Equal(t, http.StatusForbidden, post("?shard=0", "http://evil.example"))
	assert.Equal(t, []int{1, 2}, killed)
}

func TestHandlerNeedsReports(t *testing.T) {
	assert.PanicsWithValue(t,
		"shard/report: Handler without a function; give it one that returns reports",
		func() { report.Handler(report.Options{}) })
}
