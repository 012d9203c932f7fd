package systems

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A chorus notes what listeners were called with, in order.
type chorus struct{ heard []string }

func (c *chorus) hear(word string) func(State, GameObject) State {
	return func(s State, id GameObject) State {
		c.heard = append(c.heard, fmt.Sprint(word, " ", id))
		return s
	}
}

// notifies has w notify, and compares what was heard.
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
	g.notifies(w, c) // nobody listens
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
	copied := sure(Clone(g.s))
	_, first := w.Once(copied)
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
