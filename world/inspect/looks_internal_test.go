package inspect

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What differs between two frames is told as tools tell it.
func TestFramesAreCompared(t *testing.T) {
	both(t, func(t *testing.T, g *traveller) {
		t.Helper()
		for range 45 {
			g.turn()
		}
		var a, b world.State
		for frame, to := range map[int]*world.State{10: &a, 40: &b} {
			s := world.Must(g.past.At(frame))
			*to = world.Must(world.Clone(s))
		}
		defer world.Close(a)
		defer world.Close(b)
		first, _ := world.Must2(tool.FirstDifference(a, b))
		changes := world.Must(tool.Changes(a, b, 2))
		require.NotEmpty(t, changes)
		found := g.ask("diff?a=10&b=40&most=2")
		assert.Equal(t, first.String(), found["first"])
		list := found["changes"].([]any)
		require.Len(t, list, len(changes))
		for n, c := range changes {
			shown := list[n].(map[string]any)
			assert.Equal(t, c.String(), shown["name"])
			assert.EqualValues(t, c.Objects, shown["objects"])
			assert.Len(t, shown["rows"], len(c.First))
		}
		assert.Empty(t, g.ask("diff?a=10&b=10")["changes"])
		assert.Empty(t, g.ask("diff?a=now&b=now")["changes"])
		Statuses(t, g.get, map[string]int{
			"diff": 400, "diff?a=1": 400, "diff?a=10&b=99": 404, "diff?a=10&b=other": 404,
			"diff?a=10&b=40&most=-1": 400, "diff?a=10&b=40&most=501": 400,
		})
	})
}

// A chart has the values of all frames, and nothing where there was none.
func TestChartsOfValues(t *testing.T) {
	both(t, func(t *testing.T, g *traveller) {
		t.Helper()
		values := map[int]any{}
		for frame := range 45 {
			values[frame] = nil
			id, err := tool.GameObjectAt(g.state, 0)
			if err == nil && id.Generation() == 1 {
				values[frame] = float64(world.Must(world.Get(g.state, id, purse)))
			}
			g.turn()
		}
		const of = "chart?object=0v1&field=purse+of+time"
		found := g.ask(of)
		frames, points := found["frames"].([]any), found["points"].([]any)
		require.Len(t, frames, 45)
		for n, frame := range frames {
			require.EqualValues(t, n, frame)
			require.Equal(t, values[n], points[n].([]any)[0], "frame %d", n)
		}
		assert.Len(t, g.ask(of + "&from=40&to=42")["frames"], 3)
		assert.Len(t, g.ask(of + "&from=40&to=999999")["frames"], 5)
		Statuses(t, g.get, map[string]int{
			"chart": 404, "chart?field=purse+of+time": 400, of + "&part=x": 404,
			of + "&from=-1": 400, of + "&from=x": 400, of + "&from=44&to=3": 404,
			of + "&to=99999999999999999999": 400, "chart?object=x&field=purse+of+time": 404,
			"chart?object=39v7&field=purse+of+time": 200, // it never was
		})
	})
}

// Long times are charted at the frames that are kept, in as many turns as it takes.
func TestChartsOfLongTimes(t *testing.T) {
	g := travelling(t, true)
	for range 900 {
		g.turn()
	}
	var now atomic.Int64
	g.inspector.options.Clock = func() time.Duration {
		return time.Duration(now.Add(int64(chartTurn) + 1)) // each frame takes a turn's time
	}
	frames := g.ask("chart?object=0v1&field=purse+of+time")["frames"].([]any)
	assert.Len(t, frames, (900+6)/7)
	for n, frame := range frames {
		require.EqualValues(t, 7*n, frame)
	}
}

// Who wrote a value is told as package why tells it.
func TestWhoWroteAValue(t *testing.T) {
	g := travelling(t, true)
	assert.Equal(t, http.StatusNotFound, g.get("why?object=0&field=purse+of+time").Code,
		"the program does not tell")
	past := why.Past{Timeline: g.past.(*timeline.Timeline)}
	g.inspector.options.Why = past.Wrote
	for range 44 {
		g.turn()
	}
	require.Positive(t, world.Len(g.state))
	for id := range world.GameObjects(g.state) {
		found := g.ask(fmt.Sprintf("why?object=%v&field=purse+of+time&writes=10", id))
		before := uint64(why.Now)
		for _, w := range found["writes"].([]any) {
			want := world.Must(past.Wrote(id, purse, before))
			require.Equal(t, want.String(), w.(map[string]any)["text"])
			before = want.Tick
		}
		if _, err := past.Wrote(id, purse, before); err != nil {
			assert.Equal(t, err.Error(), found["end"])
		}
	}
	Statuses(t, g.get, map[string]int{
		"why": 404, "why?field=purse+of+time": 400, "why?field=x&object=0": 404,
		"why?object=0v1&field=purse+of+time&writes=11": 400,
		"why?object=0v1&field=purse+of+time&before=-1": 400,
		"why?object=0v1&field=purse+of+time&before=0":  200,
	})
}

// A relation is a tree: its roots, and who is below whom.
func TestTreesOfRelations(t *testing.T) {
	g := travelling(t, true)
	var ids []world.GameObject
	for n := range 12 {
		var id world.GameObject
		g.state, id = world.Must2(world.CreateWith(g.state, linked))
		if ids = append(ids, id); n > 2 {
			g.state = world.Must(world.Set(g.state, id, linked, ids[n/3]))
		}
	}
	var walk func(path string) (found []any)
	walk = func(path string) (found []any) {
		for _, o := range g.ask("tree?at=now&relation=heir+of+time" + path)["objects"].([]any) {
			o := o.(map[string]any)
			below := walk(fmt.Sprintf("&object=%v", o["index"]))
			require.EqualValues(t, len(below), o["count"])
			of := world.Must(tool.GameObjectAt(g.state, uint32(o["index"].(float64))))
			n := 0
			for range systems.Children(g.state, linked, of) {
				n++
			}
			require.Len(t, below, n)
			found = append(found, o["index"])
		}
		return found
	}
	assert.Equal(t, []any{1., 2.}, walk(""), "0 has nobody below, and is below nobody")
	Statuses(t, g.get, map[string]int{
		"tree": 404, "tree?relation=purse+of+time": 404, "tree?relation=heir+of+time&object=x": 400,
		"tree?relation=heir+of+time&object=39": 404, "tree?relation=heir+of+time&size=0": 400,
	})
}

// What cannot be is refused, and nothing changes.
func TestRefusedWishes(t *testing.T) {
	g := travelling(t, false)
	assert.Equal(t, http.StatusNotFound, g.wish(`{"op":"back","frame":0,"inputs":"same"}`).Code,
		"nothing is recorded")
	for range 60 {
		g.turn()
	}
	before := world.Digest(g.state)
	Statuses(t, g.wish, map[string]int{
		`{"op":"back","frame":9,"inputs":"same"}`:                   404,
		`{"op":"back","frame":61,"inputs":"same"}`:                  404,
		`{"op":"back","frame":-1,"inputs":"live"}`:                  404,
		`{"op":"back","frame":2147483647,"inputs":"live"}`:          404,
		`{"op":"back","frame":9223372036854775808,"inputs":"live"}`: 400,
		`{"op":"back","frame":20}`:                                  400,
		`{"op":"back","frame":20,"inputs":"same","fork":1}`:         400,
		`{"op":"step","steps":-1}`:                                  400,
		`{"op":"step","steps":10001}`:                               400,
		`{"op":"speed","speed":5}`:                                  400,
		`{"op":"speed","speed":-5}`:                                 400,
		`{"op":"halt"}`:                                             400,
		`{}`:                                                        400,
		`{"op":"pause","more":1}`:                                   400,
		``:                                                          400,
		`{"op":"` + strings.Repeat("x", 5000) + `"}`:                400,
		`{"op":"back","frame":60,"inputs":"live"}`:                  200,
	})
	assert.Equal(t, before, world.Digest(g.state))
	Statuses(t, g.get, map[string]int{
		"overview?at=9": 404, "overview?at=60": 404, "overview?at=-1": 404,
		"overview?at=x": 400, "overview?at=99999999999999999999": 400, "overview?at=other": 404,
		"overview?at=now": 200, "overview?at=59": 200, "rows?at=59&kind=nothing": 404,
		"object?at=59&id=39v1": 404,
	})
	w := Post(g.inspector.Handler(), "/api/time", `{"op":"pause"}`, "another")
	assert.Equal(t, http.StatusForbidden, w.Code, "without the token")
}

// As many worlds are open as may be; when each is being read, others wait.
func TestFewWorldsAreOpen(t *testing.T) {
	g := travelling(t, false)
	for range 50 {
		g.turn()
	}
	for frame := range 50 {
		world.Must(g.look(fmt.Sprint(frame)))
	}
	require.Len(t, g.inspector.past.moments.all, maxMoments)
	spare := g.inspector.past.moments.spare()
	assert.Negative(t, spare.past, "no request finds a slot that is being written")
	g.inspector.past.moments.release(spare)
	for _, m := range g.inspector.past.moments.all {
		g.inspector.past.moments.hold(m)
	}
	_, err := g.look("3")
	require.ErrorContains(t, err, "too many worlds of the past")
	for _, m := range g.inspector.past.moments.all {
		g.inspector.past.moments.release(m)
	}
	world.Must(g.look("3"))
}

// Copies that are being read outlive the inspector, and end with their last reader.
func TestHeldCopiesOutliveTheInspector(t *testing.T) {
	g := travelling(t, false)
	g.turn()
	world.Must(g.look("0"))
	held := []*frame{g.inspector.frames.holdLatest(), g.inspector.past.moments.all[0]}
	g.inspector.past.moments.hold(held[1])
	g.inspector.Close()
	for n, pool := range []*slots{&g.inspector.frames.slots, &g.inspector.past.moments.slots} {
		assert.NotPanics(t, func() { held[n].snapshot.State() })
		pool.release(held[n])
		assert.Panics(t, func() { held[n].snapshot.State() })
	}
	g = travelling(t, false)
	last := g.inspector.frames.latest
	g.inspector.Close()
	assert.Panics(t, func() { last.snapshot.State() }, "nobody reads it")
}

// A program that does not call Turn: requests are refused after a while, and not done later.
func TestTimeOfAWorldThatStandsStill(t *testing.T) {
	t.Parallel()
	g := travelling(t, true)
	g.turn()
	w := Post(g.inspector.Handler(), "/api/time", `{"op":"pause"}`, g.inspector.past.asks.token)
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Contains(t, w.Body.String(), "does not call Turn")
	assert.Equal(t, 1, g.turn())
}
