package systems

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A stage is a world with kinds A, B, C and marks X, Y, described in a few words.
type stage struct {
	*testing.T
	s State
}

func newStage(t *testing.T, objects int, watchers ...Watcher) *stage {
	t.Helper()
	s := sure(CreateState(Counts{GameObjects: objects, Watchers: watchers, Kinds: layout.Kinds(
		kindA.Count(objects), kindB.Count(objects), kindC.Count(objects), markX.Count(0),
		markY.Count(0), Position.Count(objects),
	)}))
	return &stage{t, s}
}

func (g *stage) create(kinds ...Kind) (id GameObject) {
	g.Helper()
	g.s, id = made(Create(g.s))
	g.add(id, kinds...)
	return id
}

func (g *stage) add(id GameObject, kinds ...Kind) {
	g.Helper()
	for _, k := range kinds {
		g.s = sure(Add(g.s, id, k))
	}
}

func (g *stage) remove(id GameObject, kinds ...Kind) {
	g.Helper()
	for _, k := range kinds {
		g.s = sure(Remove(g.s, id, k))
	}
}

func (g *stage) dispose(ids ...GameObject) {
	g.Helper()
	for _, id := range ids {
		g.s = sure(Dispose(g.s, id))
	}
}

// looks has w look, and compares what it finds.
func (g *stage) looks(w Watcher, left, entered []GameObject) {
	g.Helper()
	g.s = w.Look(g.s)
	assert.Equal(g, left, slices.Collect(w.Left(g.s)), "left")
	assert.Equal(g, entered, slices.Collect(w.Entered(g.s)), "entered")
}

type ids = []GameObject

// ascending sorts objects by their index.
func ascending(all ids) ids {
	slices.SortFunc(all, func(a, b GameObject) int { return int(a.Index()) - int(b.Index()) })
	return all
}

func TestWatcherMisuse(t *testing.T) {
	w, twice := NewWatcher(NewQuery(With(kindA))), NewWatcher(NewQuery(With(kindA)))
	g := newStage(t, 10, w)
	g.create(kindA)
	g.s = w.Look(g.s)
	name := "that was given" // a release is small
	if statesChecked {
		name = "NewQuery(With("
	}
	panicsWith(t, func() { _ = twice.Look(g.s) }, "no watcher "+name, "name it in Counts.Watchers")
	assert.Panics(t, func() { _ = Watcher{}.Look(g.s) })
	assert.PanicsWithValue(t,
		"flatecs: this watcher cannot look in a loop over its results; look again after the loop",
		func() {
			for range w.Entered(g.s) {
				g.s = w.Look(g.s)
			}
		})
	g.looks(w, nil, nil) // the loop is closed
	assert.PanicsWithValue(t,
		"flatecs: a watcher is in Counts.Watchers twice; declare one for each system",
		func() { newStage(t, 10, twice, twice) })
	assert.Panics(t, func() { newStage(t, 10, Watcher{}) })
	assert.Panics(t, func() { newStage(t, 10, NewWatcher(Query{})) })
}

func TestLeftAndEnteredStopEarly(t *testing.T) {
	w := NewWatcher(NewQuery(With(kindA)))
	g := newStage(t, 200, w)
	for range 200 {
		g.create(kindA)
	}
	g.s = w.Look(g.s)
	for range 2 {
		n := 0
		for range w.Entered(g.s) {
			if n++; n == 70 {
				break
			}
		}
		for range w.Members(g.s) {
			if n++; n == 140 {
				break
			}
		}
		assert.Equal(t, 140, n)
	}
	g.dispose(slices.Collect(GameObjects(g.s))...)
	g.s = w.Look(g.s)
	for range w.Left(g.s) {
		break
	}
	g.looks(w, nil, nil)
}

var (
	benchWatcher  = NewWatcher(NewQuery(With(Position, Velocity)))
	benchWatchers = []Watcher{
		benchWatcher, NewWatcher(benchWatcher.Query()), NewWatcher(NewQuery(With(Position), Without(MaxVelocity))),
		NewWatcher(NewQuery(Any(Velocity, MaxVelocity))), NewWatcher(NewQuery(Without(MaxVelocity))),
	}
)

// blink takes the velocity of each of some objects away and gives it back.
func blink(s State, some []GameObject) State {
	for _, id := range some {
		s, _ = Remove(s, id, Velocity.Kind())
		s, _ = Add(s, id, Velocity.Kind())
	}
	return s
}

func TestAllocsLook(t *testing.T) {
	s, all := heroes(t, 1000, benchWatchers...)
	count := 0
	told := func(s State, _ GameObject) State {
		count++
		return s
	}
	benchWatcher.Listen(s, told, told)
	if n := testing.AllocsPerRun(10, func() {
		s, _ = Dispose(s, all[0])
		s, all[0], _ = Create(s)
		s, _ = Add(s, all[0], Position.Kind())
		s = blink(s, all[1:100])
		for _, w := range benchWatchers[1:] {
			s = w.Look(s)
			for range w.Left(s) {
				count++
			}
			for range w.Entered(s) {
				count++
			}
			for range w.Members(s) {
				count++
			}
		}
		s = benchWatcher.Notify(s)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if count < 11*99*4 {
		t.Errorf("only %d objects were found", count)
	}
}

func TestSeed_A10_EqualRulesMakeOneGroup(t *testing.T) {
	for _, c := range []struct {
		name   string
		a, b   Query
		groups int
	}{
		{"equal", NewQuery(With(kindA, kindB)), NewQuery(With(kindA, kindB)), 1},
		{"in another order", NewQuery(With(kindA), Without(kindB, markX)), NewQuery(Without(markX, kindB), With(kindA)), 1},
		{"twice the same", NewQuery(With(kindA)), NewQuery(With(kindA, kindA), With(kindA)), 1},
		{"by other verbs", NewQuery(With(kindA)), NewQuery(Read(fieldA), Optional(fieldC), Changed(kindC), RowWise()), 1},
		{"any", NewQuery(Any(kindA, kindB), Any(markX, markY)), NewQuery(Any(markY, markX), Any(kindB, kindA)), 1},
		{"only", NewQuery(Only(kindA, markX)), NewQuery(Only(markX, kindA)), 1},
		{"none", NewQuery(), NewQuery(), 1},
		{"more", NewQuery(With(kindA)), NewQuery(With(kindA, kindB)), 2},
		{"other", NewQuery(With(kindA)), NewQuery(Without(kindA)), 2},
		{"any is not all", NewQuery(With(kindA, kindB)), NewQuery(Any(kindA, kindB)), 2},
		{"one of two sets", NewQuery(Any(kindA, kindB)), NewQuery(Any(kindA, kindB), Any(kindC)), 2},
		{"only is more than all", NewQuery(With(kindA)), NewQuery(Only(kindA)), 2},
		{"any of nothing", NewQuery(), NewQuery(Any()), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newStage(t, 100, NewWatcher(c.a), NewWatcher(c.b))
			assert.Len(t, g.s.use().world.arena.Watches, c.groups)
			copied := sure(Clone(g.s))
			assert.Len(t, copied.use().world.arena.Watches, c.groups, "in a copy too")
		})
	}
}

func TestSeed_A11_EnterAndLeave(t *testing.T) {
	all := NewQuery(With(kindA, markX))
	for _, c := range []struct {
		name          string
		kinds         []Kind // of the object at the first look
		between       func(g *stage, id GameObject)
		left, entered bool
	}{
		{"nothing happened", []Kind{kindA, markX}, func(*stage, GameObject) {}, false, false},
		{"came", []Kind{kindA}, func(g *stage, id GameObject) { g.add(id, markX) }, false, true},
		{"went", []Kind{kindA, markX}, func(g *stage, id GameObject) { g.remove(id, kindA) }, true, false},
		{"was disposed", []Kind{kindA, markX, kindB}, func(g *stage, id GameObject) { g.dispose(id) }, true, false},
		{"came and went", []Kind{kindA}, func(g *stage, id GameObject) {
			g.add(id, markX)
			g.remove(id, markX)
		}, false, false},
		{"came and was disposed", []Kind{kindA}, func(g *stage, id GameObject) {
			g.add(id, markX)
			g.dispose(id)
		}, false, false},
		{"left and came back", []Kind{kindA, markX}, func(g *stage, id GameObject) {
			g.remove(id, markX)
			g.add(id, markX)
		}, true, true},
		{"came, went, came", []Kind{kindA}, func(g *stage, id GameObject) {
			g.add(id, markX)
			g.remove(id, kindA)
			g.add(id, kindA)
		}, false, true},
		{"left, came back, left", []Kind{kindA, markX}, func(g *stage, id GameObject) {
			g.remove(id, markX)
			g.add(id, markX)
			g.remove(id, kindA)
		}, true, false},
		{"another kind", []Kind{kindA, markX}, func(g *stage, id GameObject) {
			g.add(id, kindB)
			g.remove(id, kindB)
		}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, idle := NewWatcher(all), NewWatcher(all)
			g := newStage(t, 100, w, idle)
			g.create(kindA, markX)
			id := g.create(c.kinds...)
			g.s = w.Look(g.s)
			c.between(g, id)
			var left, entered ids
			if c.left {
				left = ids{id}
			}
			if c.entered {
				entered = ids{id}
			}
			g.looks(w, left, entered)
			g.looks(w, nil, nil)
		})
	}
}

func TestSeed_A11_ByRow(t *testing.T) {
	w := NewWatcher(NewQuery(With(Position), Without(Instance)))
	g := newStage(t, 100, w)
	id := g.create()
	s, row := made(CreateComponent(g.s, Position.Kind()))
	g.s = s
	g.looks(w, nil, nil)
	g.s = sure(Mount(g.s, id, Position.Kind(), row))
	g.looks(w, nil, ids{id})
	g.s = DisposeComponent(g.s, Position.Kind(), row)
	g.looks(w, ids{id}, nil)
}

// TestSeed_A15_Clear: everything is removed, every leave is delivered, and what watches goes on.
func TestSeed_A15_Clear(t *testing.T) {
	w, bare := NewWatcher(NewQuery(With(kindA))), NewWatcher(NewQuery(Without(kindA)))
	g := newStage(t, 5000, w, bare)
	var with, without ids
	for i := range 5000 {
		if i%3 == 0 {
			with = append(with, g.create(kindA, markX))
		} else {
			without = append(without, g.create(kindB))
		}
	}
	g.looks(w, nil, with)
	g.looks(bare, nil, without)
	g.dispose(slices.Collect(GameObjects(g.s))...)
	g.looks(w, with, nil)
	g.looks(bare, without, nil)
	assert.Empty(t, slices.Collect(w.Members(g.s)))
	g.looks(w, nil, ids{g.create(kindA)})
	g.looks(bare, nil, nil)
}

// A chorus notes what listeners were called with, in order.
type chorus struct{ heard []string }

func (c *chorus) hear(word string) func(State, GameObject) State {
	return func(s State, id GameObject) State {
		c.heard = append(c.heard, fmt.Sprint(word, " ", id))
		return s
	}
}

// notifies calls Notify of w, and compares the calls.
func (g *stage) notifies(w Watcher, c *chorus, heard ...string) {
	g.Helper()
	c.heard = nil
	g.s = w.Notify(g.s)
	assert.Equal(g, heard, c.heard)
}

func TestSeed_B1_Listeners(t *testing.T) {
	w := NewWatcher(NewQuery(With(kindA)))
	g, c := newStage(t, 100, w), &chorus{}
	a := g.create(kindA)
	g.notifies(w, c) // without listeners
	first := w.Listen(g.s, c.hear("first: enter"), c.hear("first: leave"))
	w.Listen(g.s, c.hear("second: enter"), nil)
	third := w.Listen(g.s, nil, c.hear("third: leave"))
	g.notifies(w, c)

	b := g.create(kindA)
	d := g.create(kindA)
	g.dispose(a)
	g.notifies(w, c, "first: leave 0", "third: leave 0",
		"first: enter 1", "second: enter 1", "first: enter 2", "second: enter 2")

	assert.True(t, first(g.s))
	assert.False(t, first(g.s), "it was taken off already")
	g.dispose(b)
	g.remove(d, kindA)
	g.add(d, kindA)
	g.notifies(w, c, "third: leave 1", "third: leave 2", "second: enter 2")
	assert.True(t, third(g.s))
	g.dispose(d)
	g.notifies(w, c)
}

// TestOnceIsInTheBytes: a copy and restored bytes know whether it was called.
func TestOnceIsInTheBytes(t *testing.T) {
	w, other := NewWatcher(NewQuery(With(kindA))), NewWatcher(NewQuery(With(kindA)))
	g := newStage(t, 100, w, other)
	once := func(want bool, w Watcher) {
		t.Helper()
		var first bool
		g.s, first = w.Once(g.s)
		assert.Equal(t, want, first)
	}
	before := bytes.Clone(Bytes(g.s))
	once(true, w)
	once(false, w)
	_, first := w.Once(sure(Clone(g.s)))
	assert.False(t, first)
	once(true, other)
	copy(g.s.use().world.arena.Bytes, before)
	once(true, w)
}

// TestForget: a watcher that forgot is a new one.
func TestForget(t *testing.T) {
	w, bare := NewWatcher(NewQuery(With(kindA))), NewWatcher(NewQuery(Without(kindA)))
	g, c := newStage(t, 5000, w, bare), &chorus{}
	var with, without ids
	for i := range 200 {
		if id := g.create(); i%2 == 0 {
			g.add(id, kindA)
			with = append(with, id)
		} else {
			without = append(without, id)
		}
	}
	g.looks(w, nil, with)
	g.looks(bare, nil, without)
	g.dispose(with[0], without[0])
	l := w.Listen(g.s, c.hear("enter"), c.hear("leave"))
	g.s, _ = w.Once(g.s)

	g.s = bare.Forget(w.Forget(g.s))
	require.NoError(t, ToolsOf(g.s).Verify())
	assert.Zero(t, w.Count(g.s))
	assert.False(t, l(g.s), "it was taken off")
	var first bool
	g.s, first = w.Once(g.s)
	assert.True(t, first)
	g.looks(bare, nil, without[1:])
	g.notifies(w, c)
	require.NoError(t, ToolsOf(g.s).Verify())
	g.looks(w, nil, nil)
	assert.Equal(t, 99, w.Count(g.s))
	assert.Panics(t, func() {
		for range w.Members(g.s) {
			g.s = w.Forget(g.s)
		}
	})
}
