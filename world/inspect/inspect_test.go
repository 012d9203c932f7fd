package inspect_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A bench is an inspected world with a clock that a test turns.
type bench struct {
	hand
	t testing.TB
	s world.State
	i *inspect.Inspector
	h http.Handler
}

func newBench(tb testing.TB, o inspect.Options) *bench {
	tb.Helper()
	b := &bench{t: tb, s: small(tb, 20)}
	b.now = time.Hour
	o.Clock = b.read
	b.i = world.Must(inspect.New(b.s, o))
	b.h = b.i.Handler()
	return b
}

// step ends a frame some time after the one before.
func (b *bench) step(after time.Duration) {
	b.t.Helper()
	b.now += after
	b.s = world.Advance(b.s)
	require.NoError(b.t, b.i.Publish(b.s))
}

func (b *bench) overview() map[string]any {
	b.t.Helper()
	status, found := get(b.t, b.h, "/api/overview")
	require.Equal(b.t, http.StatusOK, status)
	return found
}

func TestNewWithoutAClock(t *testing.T) {
	_, err := inspect.New(small(t, 1), inspect.Options{})
	require.ErrorIs(t, err, inspect.ErrClock)
	assert.Contains(t, err.Error(), "; set Options.Clock")
}

func TestFramesArePublishedWhileSomebodyLooks(t *testing.T) {
	b := newBench(t, inspect.Options{Rate: 10})
	b.step(16 * time.Millisecond)
	assert.InDelta(t, 1, newestOf(b), 0, "nobody looked")

	b.overview()
	b.step(16 * time.Millisecond)
	assert.InDelta(t, 2, newestOf(b), 0)
	for range 5 {
		b.step(16 * time.Millisecond)
	}
	assert.InDelta(t, 2, newestOf(b), 0, "not more than ten a second")
	b.step(20 * time.Millisecond)
	assert.InDelta(t, 3, newestOf(b), 0)
	assert.InDelta(t, world.Tick(b.s), b.overview()["tick"], 0)

	b.step(3100 * time.Millisecond)
	assert.InDelta(t, 3, newestOf(b), 0, "nobody looks any more")
	b.step(16 * time.Millisecond)
	assert.InDelta(t, 4, newestOf(b), 0, "but the line above")

	b.step(10 * time.Second)
	found := inspect.During(b.overview, func() { require.NoError(t, b.i.Publish(b.s)) })
	assert.InDelta(t, 5, found["frame"], 0, "the first request after a while waits for the next frame")
}

// newestOf looks when the clock stands, so that it does not wait.
func newestOf(b *bench) float64 {
	b.t.Helper()
	return b.overview()["frame"].(float64)
}

func TestOverviewTellsWhenTheWorldStandsStill(t *testing.T) {
	b := newBench(t, inspect.Options{})
	assert.Equal(t, true, b.overview()["still"], "no frame yet")
	for range 60 {
		b.step(20 * time.Millisecond)
	}
	found := b.overview()
	assert.Equal(t, false, found["still"])
	assert.InDelta(t, 50, found["fps"], 1e-9)
	b.now += time.Second
	found = b.overview()
	assert.Equal(t, true, found["still"])
	assert.InDelta(t, 0, found["fps"], 0)
}

func TestASlowCopyIsMadeSeldom(t *testing.T) {
	slow := &slowHand{step: 4 * time.Millisecond}
	s := small(t, 20)
	i := world.Must(inspect.New(s, inspect.Options{Clock: slow.read, Rate: 1000}))
	get(t, i.Handler(), "/api/overview")
	before := slow.now
	for range 2000 {
		slow.now += 4 * time.Millisecond
		get(t, i.Handler(), "/api/watchers")
		require.NoError(t, i.Publish(s))
	}
	_, found := get(t, i.Handler(), "/api/overview")
	passed := slow.now - before
	copies := found["frame"].(float64) - 1
	assert.Greater(t, copies, 10.)
	assert.LessOrEqual(t, copies*4, passed.Seconds()*1000/100+4, "a small part of the time")
}

// A slowHand is a clock that moves on whenever it is read.
type slowHand struct{ now, step time.Duration }

func (h *slowHand) read() time.Duration { h.now += h.step; return h.now }

func TestAWorldOfOtherCountsIsShownToo(t *testing.T) {
	b := newBench(t, inspect.Options{})
	b.overview()
	b.s = world.Must(world.Resized(b.s, world.Counts{
		GameObjects: 1000, Names: 200,
		Kinds: layout.Kinds(
			Health.Count(500), Frozen.Count(0), Title.Count(500), Pointer.Count(500),
			crowd.Count(7), heroes.Position.Count(1000),
		),
		Watchers: []world.Watcher{fleet},
	}))
	b.step(time.Second)
	assert.InDelta(t, 1000, part(t, b.overview(), "objects", "capacity"), 0)
	status, rows := get(t, b.h, "/api/rows?kind=position&page=1&size=19")
	require.Equal(t, http.StatusOK, status)
	assert.InDelta(t, 20, rows["total"], 0)
	assert.Len(t, rows["rows"], 1)
}

func TestNewAndPublishInAWalk(t *testing.T) {
	b := newBench(t, inspect.Options{})
	b.overview()
	b.now += time.Second
	for range systems.NewQuery(systems.Read(heroes.Position)).In(b.s) {
		_, err := inspect.New(b.s, inspect.Options{Clock: b.read})
		require.ErrorIs(t, err, world.ErrWalking)
		b.overview()
		require.ErrorIs(t, b.i.Publish(b.s), world.ErrWalking)
	}
	assert.InDelta(t, 1, newestOf(b), 0)
}

func TestTimesOfFramesAndJobs(t *testing.T) {
	clock := &hand{now: time.Minute}
	work := 2 * time.Millisecond
	sched := schedule.New(1)
	sched.Clock = clock.read
	s := small(t, 3)
	i := world.Must(inspect.New(s, inspect.Options{
		Clock: clock.read, Schedule: sched, Pipeline: "frame", Window: 100,
	}))
	busy := func(share time.Duration) func(world.State) (world.State, error) {
		return func(s world.State) (world.State, error) { clock.now += work / share; return s, nil }
	}
	register(t, sched, schedule.Job{Name: "fall", Do: busy(1)},
		schedule.Job{Name: `a "fly"`, Do: busy(2)}, i.Job())
	for n := range 150 {
		work = 2 * time.Millisecond
		if n == 140 {
			work = 20 * time.Millisecond
		}
		clock.now += 10*time.Millisecond - work - work/2
		s = world.Must(sched.Run(s, "frame"))
	}
	_, found := get(t, i.Handler(), "/api/times")
	assert.InDelta(t, 149, found["count"], 0)
	assert.InDelta(t, 100, found["window"], 0)
	assert.Len(t, part(t, found, "interval", "historyMs"), 100)
	for name, want := range map[string]float64{"lastMs": 10, "p50Ms": 10, "p99Ms": 10, "maxMs": 10, "meanMs": 10} {
		assert.InDelta(t, want, part(t, found, "interval", name), 1e-3, name)
	}
	for name, want := range map[string]float64{"lastMs": 3, "p50Ms": 3, "p95Ms": 3, "maxMs": 30, "meanMs": 3.27} {
		assert.InDelta(t, want, part(t, found, "work", name), 1e-3, name)
	}
	assert.InDelta(t, 30, part(t, found, "work", "historyMs", 90), 1e-3)
	assert.Equal(t, "fall", part(t, found, "jobs", 0, "name"))
	assert.InDelta(t, 150, part(t, found, "jobs", 0, "runs"), 0)
	assert.InDelta(t, 318, part(t, found, "jobs", 0, "totalMs"), 1e-3)
	assert.InDelta(t, 1, part(t, found, "jobs", 1, "p50Ms"), 1e-3)
	assert.InDelta(t, 10, part(t, found, "jobs", 1, "historyMs", 90), 1e-3)
	assert.Equal(t, "inspect", part(t, found, "jobs", 2, "name"))

	_, found = get(t, i.Handler(), "/api/times?since=145")
	assert.Len(t, part(t, found, "interval", "historyMs"), 4)
	assert.Len(t, part(t, found, "jobs", 0, "historyMs"), 4)
	assert.InDelta(t, 30, part(t, found, "work", "maxMs"), 1e-3, "sums are over all that is kept")

	scraped := scrape(t, i) // in seconds
	assert.Equal(t, map[string]float64{"_total": 149}, scraped["flatecs_frames"].samples)
	assert.Equal(t, map[string]float64{"{quantile=0.5}": .01, "{quantile=0.99}": .01},
		scraped["flatecs_frame_seconds"].samples)
	assert.Equal(t, map[string]float64{
		`{job=fall}{quantile=0.5}`: .002, `{job=fall}{quantile=0.99}`: .002,
		`_sum{job=fall}`: .318, `_count{job=fall}`: 150,
		`{job=a "fly"}{quantile=0.5}`: .001, `{job=a "fly"}{quantile=0.99}`: .001,
		`_sum{job=a "fly"}`: .159, `_count{job=a "fly"}`: 150,
		`{job=inspect}{quantile=0.5}`: 0, `{job=inspect}{quantile=0.99}`: 0,
		`_sum{job=inspect}`: 0, `_count{job=inspect}`: 150,
	}, scraped["flatecs_job_seconds"].samples)
}

// register gives a schedule a pipeline "frame" of these jobs, one after the other.
func register(t *testing.T, s *schedule.Schedule, jobs ...schedule.Job) {
	t.Helper()
	t.Cleanup(s.Close)
	all := schedule.Group{Name: "all"}
	for _, j := range jobs {
		all.Elements = append(all.Elements, j.Name)
	}
	require.NoError(t, s.Register(schedule.Pipeline{
		Name: "frame", Groups: []schedule.Group{all}, Jobs: jobs,
	}))
}

func TestAllocsOfPublish(t *testing.T) {
	clock := &hand{now: time.Minute}
	sched := schedule.New(1)
	sched.Clock = clock.read
	s := small(t, 1000)
	i := world.Must(inspect.New(s, inspect.Options{
		Clock: clock.read, Schedule: sched, Pipeline: "frame",
	}))
	register(t, sched, i.Job())
	frame := func() {
		clock.now += 200 * time.Millisecond
		s = world.Must(sched.Run(s, "frame"))
	}
	frame()
	assert.Zero(t, testing.AllocsPerRun(20, frame), "nobody looks")
	get(t, i.Handler(), "/api/overview")
	frame()
	assert.Zero(t, testing.AllocsPerRun(8, frame), "somebody looks")
	_, found := get(t, i.Handler(), "/api/overview")
	assert.InDelta(t, 11, found["frame"], 0, "and so frames were published")
}

var (
	health  = layout.NewField[int32]("points", 100)
	wide    = layout.NewField[[2]uint64]("wide")
	Health  = layout.NewKind("health", health, wide)
	Frozen  = layout.NewMark("frozen")
	Title   = layout.NewValues("title", "nobody")
	Pointer = layout.NewValues[*int]("pointer", nil)
	fleet   = systems.NewWatcher(systems.NewQuery(systems.With(Health), systems.Without(Frozen)))
	crowd   = layout.NewKind("crowd")
)

// small returns a world of n objects: all with a position, every second with health, every third
// frozen, and the first ten with names.
func small(tb testing.TB, n int) world.State {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n + 10, Names: 100,
		Kinds: layout.Kinds(
			Health.Count(n), Frozen.Count(0), Title.Count(n), Pointer.Count(n), crowd.Count(0),
			heroes.Position.Count(n+5),
		),
		Watchers: []world.Watcher{fleet},
	}))
	for i := range n {
		var id world.GameObject
		s, id = world.Must2(world.Create(s))
		s = world.Must(world.Add(s, id, heroes.Position))
		s = world.Must(world.Set(s, id, heroes.Position, [3]float32{float32(i), -float32(i), 0.5}))
		if i%2 == 0 {
			s = world.Must(world.Add(s, id, Health))
		}
		if i%3 == 0 {
			s = world.Must(world.Add(s, id, Frozen))
		}
		if i < 10 {
			s = world.Must(world.SetName(s, id, fmt.Sprintf("Hero %d", i)))
		}
	}
	return fleet.Look(s)
}

// A hand is a clock that tests turn.
type hand struct{ now time.Duration }

func (h *hand) read() time.Duration { return h.now }

// get asks a handler, and returns the answer's status and its JSON.
func get(tb testing.TB, h http.Handler, path string) (int, map[string]any) {
	tb.Helper()
	w := inspect.Ask(h, path)
	var found map[string]any
	require.NoError(tb, json.Unmarshal(w.Body.Bytes(), &found), "%s", w.Body)
	return w.Code, found
}

func inspector(tb testing.TB, s world.State) *inspect.Inspector {
	tb.Helper()
	return world.Must(inspect.New(s, inspect.Options{Clock: stage.Clock(time.Now)}))
}
