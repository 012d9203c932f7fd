package systems

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
)

// A stage is a world with kinds A, B, C and marks X, Y, told in a few words.
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
