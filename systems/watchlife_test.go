package systems

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	copy(g.s.use().Bytes, before)
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
	require.NoError(t, ArenaOf(g.s).Verify())
	assert.Zero(t, w.Count(g.s))
	assert.False(t, l.Stop(g.s), "it was taken off")
	var first bool
	g.s, first = w.Once(g.s)
	assert.True(t, first)
	g.looks(bare, nil, without[1:])
	g.notifies(w, c)
	require.NoError(t, ArenaOf(g.s).Verify())
	g.looks(w, nil, nil)
	assert.Equal(t, 99, w.Count(g.s))
	assert.Panics(t, func() {
		for range w.Members(g.s) {
			g.s = w.Forget(g.s)
		}
	})
}

// TestForgetDuringDelivery: a listener that is forgotten is called no more, also in this Notify.
func TestForgetDuringDelivery(t *testing.T) {
	w, other := NewWatcher(NewQuery(With(kindA))), NewWatcher(NewQuery(With(kindA)))
	g, c := newStage(t, 100, w, other), &chorus{}
	other.Listen(g.s, c.hear("other"), nil)
	w.Listen(g.s, func(s State, id GameObject) State {
		return other.Forget(c.hear("first")(s, id))
	}, nil)
	w.Listen(g.s, c.hear("second"), nil)
	g.create(kindA)
	g.notifies(w, c, "first 0", "second 0")
	g.notifies(other, c)
}
