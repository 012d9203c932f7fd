package systems

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
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

	assert.True(t, first.Stop(g.s))
	assert.False(t, first.Stop(g.s), "it was taken off already")
	g.dispose(b)
	g.remove(d, kindA)
	g.add(d, kindA)
	g.notifies(w, c, "third: leave 1", "third: leave 2", "second: enter 2")
	assert.True(t, third.Stop(g.s))
	g.dispose(d)
	g.notifies(w, c)
}

func TestSeed_B1_TakenOffDuringDelivery(t *testing.T) {
	w := NewWatcher(NewQuery(With(kindA)))
	g, c := newStage(t, 100, w), &chorus{}
	var second Listener
	w.Listen(g.s, func(s State, id GameObject) State {
		if id.Index() == 1 {
			assert.True(t, second.Stop(s))
			w.Listen(s, c.hear("late"), nil)
		}
		return c.hear("first")(s, id)
	}, nil)
	second = w.Listen(g.s, c.hear("second"), nil)
	w.Listen(g.s, c.hear("third"), nil)
	g.create(kindA)
	g.create(kindA)
	g.notifies(w, c, "first 0", "second 0", "third 0", "first 1", "third 1")
	g.create(kindA)
	g.notifies(w, c, "first 2", "third 2", "late 2")
}

func TestSeed_B1_ListenersChangeTheWorld(t *testing.T) {
	w := NewWatcher(NewQuery(With(kindA)))
	g, c := newStage(t, 100, w), &chorus{}
	w.Listen(g.s, func(s State, id GameObject) State {
		s = sure(Remove(s, id, kindA))
		return s
	}, nil)
	w.Listen(g.s, c.hear("enter"), c.hear("leave"))
	g.create(kindA)
	g.create(kindA)
	g.notifies(w, c, "enter 0", "enter 1")
	g.notifies(w, c, "leave 0", "leave 1")
	g.notifies(w, c)
}

func TestListenersAreOfOneWorld(t *testing.T) {
	w := NewWatcher(NewQuery(With(kindA)))
	g, c := newStage(t, 100, w), &chorus{}
	l := w.Listen(g.s, c.hear("enter"), nil)
	copied := sure(Clone(g.s))
	other := &stage{t, copied}
	assert.False(t, l.Stop(other.s))
	other.create(kindA)
	other.notifies(w, c)
	g.create(kindA)
	g.notifies(w, c, "enter 0")
}

func TestListenerMayNotLook(t *testing.T) {
	w := NewWatcher(NewQuery(With(kindA)))
	g := newStage(t, 100, w)
	w.Listen(g.s, func(s State, _ GameObject) State { return w.Notify(s) }, nil)
	g.create(kindA)
	assert.Panics(t, func() { g.s = w.Notify(g.s) })
}
