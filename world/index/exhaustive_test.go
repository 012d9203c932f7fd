package index_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var (
	team  = layout.NewComponent("index team", int8(-1))
	other = layout.NewField[uint32]("other")
	rank  = layout.NewField[uint16]("rank", 7)
	ranks = layout.NewKind("index ranks", other, rank)
)

// A change is one of those that every sequence is made of.
type change struct {
	name string
	do   func(w *small) error
}

// A small is a world of three objects that lives a sequence of changes.
type small struct {
	s    world.State
	ids  [3]world.GameObject // by place, of objects that may be dead
	past *world.Snapshot
}

// set sets the value of an object.
func set(i int, v int8) change {
	return change{"set", func(w *small) (err error) {
		w.s, err = world.Set(w.s, w.ids[i], team, v)
		return err
	}}
}

// changes are what may happen to three objects.
var changes = []change{
	set(0, 2), set(1, 2), set(2, -1),
	{"dispose", func(w *small) (err error) {
		w.s, err = world.Dispose(w.s, w.ids[0])
		return err
	}},
	{"create", func(w *small) (err error) {
		w.s, w.ids[0], err = world.CreateWith(w.s, team)
		return err
	}},
	{"remove", func(w *small) (err error) {
		w.s, err = world.Remove(w.s, w.ids[1], team)
		return err
	}},
	{"suspend", func(w *small) (err error) {
		w.s, err = world.Suspend(w.s, w.ids[1], team)
		return err
	}},
	{"add", func(w *small) (err error) {
		w.s, err = world.Add(w.s, w.ids[1], team)
		return err
	}},
	{"take", func(w *small) error { return w.past.Take(w.s) }},
	{"restore", func(w *small) (err error) {
		w.s, err = world.Restore(w.s, w.past)
		return err
	}},
	{"advance", func(w *small) error {
		w.s = world.Advance(w.s)
		return nil
	}},
	{"walk", func(w *small) error {
		for b := range world.NewQuery(world.Write(team)).In(w.s) {
			for i := range world.Column(b, team) {
				world.Column(b, team)[i] ^= 1
			}
		}
		return nil
	}},
}

// TestEachSequenceOfFour: whatever four changes happen to three objects, with a question after each
// of them or after some, an index says what the model says.
func TestEachSequenceOfFour(t *testing.T) {
	const length = 4
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 4, Kinds: layout.Kinds(team.Count(4)),
	}))
	w := &small{s: s, past: world.Must(world.NewSnapshot(s))}
	for i := range w.ids {
		w.s, w.ids[i], _ = world.CreateWith(w.s, team)
	}
	begin := world.Must(world.NewSnapshot(w.s))
	require.NoError(t, begin.Take(w.s))
	defer func() { begin.Close(); w.past.Close(); world.Close(w.s) }()
	ids := w.ids
	n, number := len(changes), 0
	defer func() {
		if t.Failed() {
			t.Log("sequence", number)
		}
	}()
	for number = range n * n * n * n {
		w.s = world.Must(world.Restore(w.s, begin))
		w.ids = ids
		require.NoError(t, w.past.Take(w.s))
		asked := number % 7 // after which of them
		for k, at := 0, number; k < length; k, at = k+1, at/n {
			_ = changes[at%n].do(w) // may be refused
			if k == length-1 || asked>>k&1 != 0 {
				check(t, w.s, team, -1, 2)
			}
		}
	}
}
