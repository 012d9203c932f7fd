package inspect

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
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
	recent "github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

var (
	purse  = layout.NewComponent[int32]("purse of time")
	linked = layout.NewRelation("heir of time", layout.Relation{Disposed: layout.Clear})
)

// spend is a step: one is born or dies by the input, and each purse counts.
func spend(s world.State, input []byte) world.State {
	s = world.Advance(s)
	switch ids := world.Len(s); {
	case len(input) > 1:
		panic("thirteen")
	case input[0]%4 == 0 && ids < 30:
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, purse))
		s = world.Must(world.Set(s, id, purse, int32(input[0])))
	case input[0]%4 == 1:
		for id := range world.GameObjects(s) {
			s = world.Must(world.Dispose(s, id))
			break
		}
	}
	for row := range world.All(s, purse.Kind()) {
		s = world.SetRow(s, purse, row, world.GetRow(s, purse, row)+int32(input[0]))
	}
	return s
}

// A traveller is a program with a past, and the model of it: the digests of all frames.
type traveller struct {
	*testing.T

	state world.State
	past  interface {
		Past
		Record(s world.State, input []byte) error
	}
	inspector *Inspector
	now       atomic.Int64

	mutex   sync.Mutex
	digests []uint64 // of the world before each frame
	inputs  []byte
	live    byte // the next input
}

func travelling(t *testing.T, long bool) *traveller {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 40, Kinds: layout.Kinds(purse, linked),
	}))
	g := &traveller{T: t, state: s}
	if long {
		p := world.Must(timeline.New(s, timeline.Options{
			Step: spend, Frames: 1000, InputBytes: 1, Every: 7,
		}))
		t.Cleanup(p.Close)
		g.past = p
	} else {
		p := world.Must(recent.New(s, 50, 1))
		t.Cleanup(p.Close)
		g.past = p
	}
	i := world.Must(New(s, Options{
		Clock: func() time.Duration { return time.Duration(g.now.Load()) }, Past: g.past, Step: spend, Edit: true,
	}))
	g.inspector = i
	t.Cleanup(func() {
		i.Close()
		world.Close(g.state)
	})
	return g
}

// turn is a turn of the program's loop. It returns how many steps were taken.
func (g *traveller) turn() int {
	var n int
	g.state, n = g.inspector.Turn(g.state)
	for range n {
		g.live += 7
		input := g.inspector.Input([]byte{g.live})
		require.NoError(g, g.past.Record(g.state, input))
		_, next := g.past.Frames()
		g.mutex.Lock()
		g.digests = append(g.digests[:next-1], world.Digest(g.state))
		g.inputs = append(g.inputs[:next-1], input[0])
		g.mutex.Unlock()
		g.state = spend(g.state, input)
	}
	require.NoError(g, g.inspector.Publish(g.state))
	return n
}

func (g *traveller) turns(n int) {
	for range n {
		g.turn()
	}
}

func (g *traveller) digest(frame int) uint64 {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.digests[frame]
}

// wish posts a wish, and takes turns until it is answered.
func (g *traveller) wish(body string) *httptest.ResponseRecorder { return g.post("time", body) }

// goOn does what was asked for, but no step.
func (g *traveller) goOn() { g.state = g.inspector.past.doAsked(g.state) }

func (g *traveller) post(path, body string) *httptest.ResponseRecorder {
	return During(func() *httptest.ResponseRecorder {
		return Post(g.inspector.Handler(), "/api/"+path, body, g.inspector.past.asks.token)
	}, g.goOn)
}

// get asks, whatever the answer.
func (g *traveller) get(path string) *httptest.ResponseRecorder {
	h := g.inspector.Handler()
	return During(func() *httptest.ResponseRecorder { return Ask(h, "/api/"+path) }, g.goOn)
}

// ask sends a request, which must be answered.
func (g *traveller) ask(path string) (found map[string]any) {
	g.Helper()
	w := g.get(path)
	require.Equal(g, http.StatusOK, w.Code, "%s: %s", path, w.Body)
	require.NoError(g, json.Unmarshal(w.Body.Bytes(), &found), "%s", w.Body)
	return found
}

// look returns the digest of a moment.
func (g *traveller) look(name string) (digest uint64, err error) {
	err = During(func() error {
		return g.inspector.past.lookAt(g.Context(), name, func(v *view) error {
			digest = world.Digest(v.state)
			return tool.Verify(v.state)
		})
	}, g.goOn)
	return digest, err
}

func both(t *testing.T, f func(t *testing.T, g *traveller)) {
	t.Helper()
	for name, long := range map[string]bool{"timeline": true, "history": false} {
		t.Run(name, func(t *testing.T) { f(t, travelling(t, long)) })
	}
}

// Each frame opens as it was, while the program goes on, for several readers.
func TestFramesOpenAsTheyWere(t *testing.T) {
	both(t, func(t *testing.T, g *traveller) {
		t.Helper()
		g.turns(20)
		var readers sync.WaitGroup
		looks := 100
		if worldtest.AtLength() {
			looks = 2000
		}
		for n := range 3 {
			readers.Go(func() {
				r := rand.New(rand.NewPCG(uint64(n), 1))
				for range looks {
					g.mutex.Lock()
					next := len(g.digests)
					g.mutex.Unlock()
					frame := max(next-1-r.IntN(40), 0)
					err := g.inspector.past.lookAt(t.Context(), fmt.Sprint(frame), func(v *view) error {
						assert.Equal(t, g.digest(frame), world.Digest(v.state), "frame %d", frame)
						return nil
					})
					if err != nil { // it went meanwhile
						assert.ErrorContains(t, err, "does not have this frame")
					}
				}
			})
		}
		During(func() bool { readers.Wait(); return true }, func() { g.turn() })
		assert.LessOrEqual(t, len(g.inspector.past.moments.all), maxMoments)
	})
}

// Going back, and on from there, with the same inputs leads to the same worlds; with others the
// future of before goes on beside it.
func TestGoingBack(t *testing.T) {
	both(t, func(t *testing.T, g *traveller) {
		t.Helper()
		r := rand.New(rand.NewPCG(3, 4))
		g.turns(30)
		for range 20 {
			first, next := g.past.Frames()
			frame := first + r.IntN(next-first)
			before, inputs := append([]uint64{}, g.digests...), append([]byte{}, g.inputs...)
			now, fork, same := world.Digest(g.state), r.IntN(2) == 0, r.IntN(2) == 0
			kind := map[bool]string{true: "same", false: "live"}[same]
			w := g.wish(fmt.Sprintf(`{"op":"back","frame":%d,"inputs":%q,"fork":%v}`,
				frame, kind, fork))
			require.Equal(t, http.StatusOK, w.Code, "%s", w.Body)
			require.Equal(t, before[frame], world.Digest(g.state))
			_, is := g.past.Frames()
			require.Equal(t, frame, is)
			for at := frame; at < next; at++ {
				if fork {
					require.Equal(t, before[at], world.Must(g.look("other")), "the other future at %d", at)
				}
				g.turn()
				if same {
					require.Equal(t, before[at], g.digests[at])
					require.Equal(t, inputs[at], g.inputs[at])
				}
				require.Equal(t, g.digests[at], world.Must(g.look(fmt.Sprint(at))), "frame %d", at)
			}
			if same {
				require.Equal(t, now, world.Digest(g.state))
			}
			if fork {
				require.Equal(t, now, world.Must(g.look("other")))
			}
			require.Equal(t, world.Digest(g.state), world.Must(g.look("now")))
			g.turns(r.IntN(12))
		}
		require.Equal(t, http.StatusOK, g.wish(`{"op":"join"}`).Code)
		_, err := g.look("other")
		require.ErrorContains(t, err, "no other future")
	})
}

// A page that is there before the first Turn draws its buttons.
func TestWhatAProgramCanDoIsSaidAtOnce(t *testing.T) {
	g := travelling(t, true)
	said, ok := world.Must(g.inspector.past.time(nil, nil)).(timeView)
	require.True(t, ok)
	assert.True(t, said.Fork, "Options.Step is set")
	assert.InDelta(t, 1, said.Speed, 0)
	assert.Equal(t, world.Tick(g.state), said.Tick)
}

// A page pauses the program, steps it, and slows it down and speeds it up.
func TestPauseStepAndSpeed(t *testing.T) {
	g := travelling(t, true)
	count := func(turns int) (steps int) {
		for range turns {
			g.now.Add(int64(16 * time.Millisecond))
			steps += g.turn()
		}
		return steps
	}
	assert.Equal(t, 50, count(50))
	assert.Contains(t, g.wish(`{"op":"pause"}`).Body.String(), `"paused":true`)
	assert.Zero(t, count(3))
	g.wish(`{"op":"step"}`)
	assert.Equal(t, 1, count(3))
	g.wish(`{"op":"step","steps":5}`)
	assert.Equal(t, 5, count(9))
	g.wish(`{"op":"go"}`)
	assert.Equal(t, 5, count(5))
	assert.Contains(t, g.wish(`{"op":"speed","speed":3}`).Body.String(), `"speed":8,`)
	assert.Equal(t, 40, count(5))
	g.wish(`{"op":"speed","speed":-2}`)
	assert.InDelta(t, 10, count(40), 3, "a quarter of what is usual")
	g.wish(`{"op":"speed","speed":0}`)
	assert.Equal(t, 4, count(4))
}

// What a page edits is in the past, though no step leads to it.
func TestEditsInThePast(t *testing.T) {
	both(t, func(t *testing.T, g *traveller) {
		t.Helper()
		for range 30 {
			g.turn()
			if id, err := tool.GameObjectAt(g.state, 0); err == nil {
				w := g.post("edit", fmt.Sprintf(
					`{"op":"set","object":%q,"kind":"purse of time","field":"purse of time",`+
						`"values":["-1000"]}`, id))
				require.Equal(t, http.StatusOK, w.Code, "%s", w.Body)
			}
		}
		g.turn()
		for frame := 30; frame >= 0; frame-- {
			require.Equal(t, g.digests[frame], world.Must(g.look(fmt.Sprint(frame))), "frame %d", frame)
		}
	})
}

func TestARefusedEditKeepsNoWorld(t *testing.T) {
	g := travelling(t, true)
	g.turns(2)
	require.Equal(t, http.StatusNotFound, g.post("edit", `{"op":"dispose","object":"39"}`).Code)
	g.turn()
	assert.Zero(t, world.Must(g.past.Kept(2)))
}

// What differs between two frames is told as tools tell it.
func TestFramesAreCompared(t *testing.T) {
	both(t, func(t *testing.T, g *traveller) {
		t.Helper()
		g.turns(45)
		var a, b world.State
		for frame, to := range map[int]*world.State{10: &a, 40: &b} {
			*to = world.Must(world.Clone(world.Must(g.past.At(frame))))
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
	g.turns(900)
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
	g.turns(44)
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

// A relation is a tree: its roots, and the children of each object.
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
	g.turns(60)
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
	g.turns(50)
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

// TestAPanicLeavesNoRequestWaiting: where a program recovers from it.
func TestAPanicLeavesNoRequestWaiting(t *testing.T) {
	q := &asks{more: make(chan struct{}, 1)}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			assert.ErrorContains(t, q.inWorld(t.Context(), true, func(world.State) (world.State, error) {
				panic("thirteen")
			}), "panicked")
		})
	}
	require.Eventually(t, func() bool {
		q.mutex.Lock()
		defer q.mutex.Unlock()
		return len(q.waiting) == 3
	}, time.Minute, time.Millisecond)
	require.Panics(t, func() { q.doAll(world.State{}, true) })
	all.Wait()
}
