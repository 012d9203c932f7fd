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
		for range Members(g.s, w) {
			n++
		}
		assert.Equal(t, want, n)
		assert.Equal(t, want, MemberCount(g.s, w))
		require.NoError(t, Verify(g.s))
	}
	var all ids
	for i := range 1000 {
		all = append(all, g.create())
		if i%3 == 0 {
			g.add(all[i], kindA)
		}
	}
	counts(w, 0)
	g.s = Look(Look(g.s, w), bare)
	counts(w, 334)
	counts(bare, 666)
	g.dispose(all[:500]...)
	counts(w, 334)
	g.s = Look(Look(g.s, w), bare)
	counts(w, 167)
	counts(bare, 333)
	copied, err := Clone(g.s)
	require.NoError(t, err)
	assert.Equal(t, 167, MemberCount(copied, w))
	g.dispose(all[500:]...)
	g.s = Look(Look(g.s, w), bare)
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
		g.s, first = Once(g.s, w)
		assert.Equal(t, want, first)
	}
	before := bytes.Clone(Bytes(g.s))
	once(true, w)
	once(false, w)
	copied, err := Clone(g.s)
	require.NoError(t, err)
	_, first := Once(copied, w)
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
	l := Listen(g.s, w, c.hear("enter"), c.hear("leave"))
	g.s, _ = Once(g.s, w)

	g.s = Forget(Forget(g.s, w), bare)
	require.NoError(t, Verify(g.s))
	assert.Zero(t, MemberCount(g.s, w))
	assert.False(t, Unlisten(g.s, l), "it was taken off")
	var first bool
	g.s, first = Once(g.s, w)
	assert.True(t, first)
	g.looks(bare, nil, without[1:])
	g.notifies(w, c)
	require.NoError(t, Verify(g.s))
	g.looks(w, nil, nil)
	assert.Equal(t, 99, MemberCount(g.s, w))
	assert.Panics(t, func() {
		for range Members(g.s, w) {
			g.s = Forget(g.s, w)
		}
	})
}

// TestForgetDuringDelivery: a listener that is forgotten is called no more, also in this Notify.
func TestForgetDuringDelivery(t *testing.T) {
	w, other := NewWatcher(NewQuery(With(kindA))), NewWatcher(NewQuery(With(kindA)))
	g, c := newStage(t, 100, w, other), &chorus{}
	Listen(g.s, other, c.hear("other"), nil)
	Listen(g.s, w, func(s State, id GameObject) State {
		return Forget(c.hear("first")(s, id), other)
	}, nil)
	Listen(g.s, w, c.hear("second"), nil)
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
			g.s = Forget(g.s, x)
			clear(members[x])
			require.Zero(t, MemberCount(g.s, x))
		default:
			x := []Watcher{w, bare}[r.IntN(2)]
			g.s = Look(g.s, x)
			for id := range Left(g.s, x) {
				require.True(t, members[x][id], "seed %d", seed)
				delete(members[x], id)
			}
			for id := range Entered(g.s, x) {
				require.False(t, members[x][id], "seed %d", seed)
				members[x][id] = true
			}
			now := slices.Collect(x.Query().Objects(g.s))
			require.Equal(t, now, slices.Collect(Members(g.s, x)), "seed %d", seed)
			require.Equal(t, now, ascending(slices.Collect(maps.Keys(members[x]))), "seed %d", seed)
			require.Equal(t, len(now), MemberCount(g.s, x), "seed %d", seed)
		}
		require.NoError(t, Verify(g.s), "seed %d", seed)
	}
}
