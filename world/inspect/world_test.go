package inspect_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/stage"
)

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
	s, err := world.CreateState(world.Counts{
		GameObjects: n + 10, Names: 100,
		Kinds: layout.Kinds(
			Health.Count(n), Frozen.Count(0), Title.Count(n), Pointer.Count(n), crowd.Count(0),
			heroes.Position.Count(n+5),
		),
		Watchers: []world.Watcher{fleet},
	})
	require.NoError(tb, err)
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
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/debug/ecs"+path, nil))
	var found map[string]any
	require.NoError(tb, json.Unmarshal(w.Body.Bytes(), &found), "%s", w.Body)
	return w.Code, found
}

func inspector(tb testing.TB, s world.State) *inspect.Inspector {
	tb.Helper()
	i, err := inspect.New(s, inspect.Options{Clock: stage.Clock(time.Now)})
	require.NoError(tb, err)
	return i
}
