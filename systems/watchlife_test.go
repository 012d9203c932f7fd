package systems

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMemberCount: the count kept is that of the members gone through, also in copies.
func TestMemberCount(t *testing.T) {
	w, bare := NewWatcher(NewQuery(With(kindA))), NewWatcher(NewQuery(Without(kindA)))
	g := newStage(t, 5000, w, bare)
	counts := func(w Watcher, want int) {
		t.Helper()
		n := 0
		for range w.Members(g.s) {
			n++
		}
		assert.Equal(t, want, n)
		assert.Equal(t, want, w.Count(g.s))
		require.NoError(t, ArenaOf(g.s).Verify())
	}
	var all ids
	for i := range 1000 {
		all = append(all, g.create())
		if i%3 == 0 {
			g.add(all[i], kindA)
		}
	}
	counts(w, 0)
	g.s = bare.Look(w.Look(g.s))
	counts(w, 334)
	counts(bare, 666)
	g.dispose(all[:500]...)
	counts(w, 334)
	g.s = bare.Look(w.Look(g.s))
	counts(w, 167)
	counts(bare, 333)
	copied, err := Clone(g.s)
	require.NoError(t, err)
	assert.Equal(t, 167, w.Count(copied))
	g.dispose(all[500:]...)
	g.s = bare.Look(w.Look(g.s))
	counts(w, 0)
	counts(bare, 0)
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
	copied, err := Clone(g.s)
	require.NoError(t, err)
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

// TestForgetAgainstAModel: whatever happened, a watcher that forgot finds all that match to have
// entered, and then goes on as any other.
func TestForgetAgainstAModel(t *testing.T) {
	q := NewQuery(With(kindA), Without(markX))
	w, bare := NewWatcher(q), NewWatcher(NewQuery(Without(kindA)))
	g := newStage(t, 1000, w, bare)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	var all ids
	members := map[Watcher]map[GameObject]bool{w: {}, bare: {}}
	for range 4000 {
		switch n := r.IntN(20); {
		case n < 8 && len(all) < 900:
			all = append(all, g.create([][]Kind{nil, {kindA}, {kindA, markX}}[r.IntN(3)]...))
		case n < 12 && len(all) > 0:
			i := r.IntN(len(all))
			g.dispose(all[i])
			all = slices.Delete(all, i, i+1)
		case n < 14:
			x := []Watcher{w, bare}[r.IntN(2)]
			g.s = x.Forget(g.s)
			clear(members[x])
			require.Zero(t, x.Count(g.s))
		default:
			x := []Watcher{w, bare}[r.IntN(2)]
			g.s = x.Look(g.s)
			for id := range x.Left(g.s) {
				require.True(t, members[x][id], "seed %d", seed)
				delete(members[x], id)
			}
			for id := range x.Entered(g.s) {
				require.False(t, members[x][id], "seed %d", seed)
				members[x][id] = true
			}
			now := slices.Collect(x.Query().Objects(g.s))
			require.Equal(t, now, slices.Collect(x.Members(g.s)), "seed %d", seed)
			require.Equal(t, now, ascending(slices.Collect(maps.Keys(members[x]))), "seed %d", seed)
			require.Equal(t, len(now), x.Count(g.s), "seed %d", seed)
		}
		require.NoError(t, ArenaOf(g.s).Verify(), "seed %d", seed)
	}
}
