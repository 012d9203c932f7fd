package inspect

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

var (
	torn     = layout.NewField[[4]uint64]("torn")
	Torn     = layout.NewKind("torn", torn)
	tearing  = systems.NewQuery(systems.Write(torn, heroes.Position))
	watching = systems.NewWatcher(systems.NewQuery(systems.With(Torn)))
)

// hammered is one step: every value changes, and so do the kinds of objects.
func hammered(s world.State, n int) (world.State, error) {
	s = world.Advance(s)
	for b := range tearing.In(s) {
		t, p := systems.Column(b, torn), systems.Column(b, heroes.Position)
		for i := range t {
			t[i][0]++
			t[i][3] = t[i][0]
			p[i][1]++
		}
	}
	id, err := tool.GameObjectAt(s, uint32(n*7%tool.MaxUID(s)))
	if err != nil {
		return s, err
	}
	if world.Has(s, id, Torn) {
		s, err = world.Suspend(s, id, Torn)
	} else {
		s, err = world.Add(s, id, Torn)
	}
	return watching.Look(s), err
}

// No reader sees a torn frame: what it looks at is byte for byte what was published, and stays so
// while it looks.
func TestHammerNoReaderSeesATornFrame(t *testing.T) {
	const objects = 5000
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: objects, Kinds: layout.Kinds(
			Torn.Count(objects), heroes.Position.Count(objects),
		),
		Watchers: []world.Watcher{watching},
	}))
	for range objects {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, Torn, heroes.Position))
		_ = id
	}
	var now atomic.Int64 // a clock by which copies take no time
	now.Store(int64(time.Hour))
	i := world.Must(New(s, Options{
		Clock: func() time.Duration { return time.Duration(now.Load()) }, Rate: 1e6,
	}))
	var digests sync.Map // of each frame, when it was published, by tick
	digests.Store(world.Tick(s), world.Digest(s))

	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	var looks, asks atomic.Int64
	var wrong atomic.Uint64
	for n := range 4 {
		readers.Go(func() {
			for ctx.Err() == nil {
				if n%2 == 0 {
					look(ctx, i, &digests, &wrong)
					looks.Add(1)
				} else {
					askAll(i.Handler(), &wrong)
					asks.Add(1)
				}
			}
		})
	}
	frames, end := 0, 1500
	if !worldtest.AtLength() {
		end = 300
	}
	for limit := 0; limit < 100_000 && (frames < end || looks.Load() < 50 || asks.Load() < 5); limit++ {
		s = world.Must(hammered(s, frames))
		digests.Store(world.Tick(s), world.Digest(s))
		now.Add(int64(time.Millisecond))
		require.NoError(t, i.Publish(s))
		frames++
	}
	stop()
	readers.Wait()
	assert.Zero(t, wrong.Load(), "frames that were not what was published")
	assert.Greater(t, i.frames.count, uint64(20), "frames were published")
	t.Logf("%d frames, %d published, %d skipped, %d looks, %d rounds of questions",
		frames, i.frames.count, i.frames.skipped.Load(), looks.Load(), asks.Load())
}

// look looks at one frame twice.
func look(ctx context.Context, i *Inspector, digests *sync.Map, wrong *atomic.Uint64) {
	err := i.frames.look(ctx, func(v *view) error {
		want, _ := digests.Load(v.tick)
		for range 2 {
			if any(world.Digest(v.state)) != want || world.Tick(v.state) != v.tick {
				wrong.Add(1)
			}
		}
		if tool.Verify(v.state) != nil {
			wrong.Add(1)
		}
		return nil
	})
	if err != nil {
		wrong.Add(1)
	}
}

// askAll asks everything there is.
func askAll(h http.Handler, wrong *atomic.Uint64) {
	for _, path := range []string{
		"overview", "times", "kinds", "watchers", "rows?kind=torn&page=3", "objects?q=12",
		"object?id=7", "column?kind=torn&field=torn&rows=mounted",
	} {
		if Ask(h, "/api/"+path).Code != http.StatusOK {
			wrong.Add(1)
		}
	}
}

func TestColumnsAreFewAtATime(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(3))}))
	i := world.Must(New(s, Options{Clock: func() time.Duration { return 0 }}))
	ask := func(ctx context.Context) int {
		w := httptest.NewRecorder()
		i.Handler().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet,
			"http://localhost/debug/ecs/api/column?kind=position&field=xyz", nil))
		return w.Code
	}
	for range maxColumns {
		require.True(t, i.site.columns.await(t.Context()))
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	assert.Equal(t, http.StatusServiceUnavailable, ask(ctx), "it has waited as long as it would")
	go func() { <-i.site.columns.running }()
	assert.Equal(t, http.StatusOK, ask(t.Context()), "it waits for one to end")
	for range maxColumns - 1 {
		<-i.site.columns.running
	}
	assert.Empty(t, i.site.columns.running)
}

func TestOneProfileAtATime(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{}))
	i := world.Must(New(s, Options{Clock: func() time.Duration { return 0 }}))
	ask := func() int { return Ask(i.Handler(), "/pprof/profile?seconds=0").Code }
	i.site.profiles.running.Store(true)
	assert.Equal(t, http.StatusConflict, ask())
	i.site.profiles.running.Store(false)
	assert.Equal(t, http.StatusOK, ask())
	assert.Equal(t, http.StatusOK, ask(), "the one before has ended")
}
