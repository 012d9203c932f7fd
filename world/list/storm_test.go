package list_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
)

// check compares all.
func (m *model) check() {
	m.t.Helper()
	require.NoError(m.t, tool.Verify(m.state))
	require.Equal(m.t, len(m.lives), world.Len(m.state))
	for id, l := range m.lives {
		got, err := list.Of(m.state, id, bag)
		if l.hasBag {
			require.NoError(m.t, err)
			require.True(m.t, slices.Equal(l.bag, got), "%v: %v, %v", id, l.bag, got)
		} else {
			require.ErrorIs(m.t, err, world.ErrAbsent)
		}
		if l.mind {
			marked, err := list.Of(m.state, id, marks)
			require.NoError(m.t, err)
			require.True(m.t, slices.Equal(l.marks, marked))
			others, err := list.Of(m.state, id, seen)
			require.NoError(m.t, err)
			require.True(m.t, slices.Equal(l.seen, others))
		}
		if l.hasTitle {
			text, err := list.Text(m.state, id, title)
			require.NoError(m.t, err)
			require.Equal(m.t, l.title, text)
		}
	}
	top, err := list.Of(m.state, 0, best)
	require.NoError(m.t, err)
	require.True(m.t, slices.Equal(m.best, top))
}

// A saved is a model at an earlier time.
type saved struct {
	snapshot *world.Snapshot
	lives    map[world.GameObject]*life
	best     []uint64
}

func (m *model) save(s *saved) {
	require.NoError(m.t, s.snapshot.Take(m.state))
	require.Equal(m.t, world.Digest(m.state), s.snapshot.Digest())
	s.lives, s.best = map[world.GameObject]*life{}, slices.Clone(m.best)
	for id, l := range m.lives {
		s.lives[id] = l.clone()
	}
}

func (m *model) restore(s *saved) {
	state, err := world.Restore(m.state, s.snapshot)
	m.must(state, err)
	m.lives, m.best = map[world.GameObject]*life{}, slices.Clone(s.best)
	for id, l := range s.lives {
		m.lives[id] = l.clone()
	}
}

// free counts nothing but objects.
var free = world.Counts{
	GameObjects: 5000, Recipes: []world.Recipe{hero, armed},
	Kinds: layout.Kinds(bag, mind, title, near), Resources: []world.ResourceKind{score},
}

// TestListsAreThoseOfGo: random lives in worlds of little room, packed and free ones, in each of
// which bags have so many elements at most.
func TestListsAreThoseOfGo(t *testing.T) {
	steps := 1000
	switch {
	case testing.Short():
		steps = 400
	case worldtest.AtLength():
		steps = 20_000
	}
	packed := narrow(60, 4000)
	packed.Kinds[0].Packed, packed.Kinds[1].Packed = true, true
	for seed, c := range []struct {
		counts         world.Counts
		most, elements int
	}{
		{narrow(3, 50), 3, 50},
		{narrow(7, 100), 7, 100},
		{narrow(20, 1000), 20, 1000},
		{narrow(100, 2000), 100, 2000},
		{packed, 60, 4000},
		{free, 60, 4000},
	} {
		m := newModel(t, uint64(seed), c.counts, c.most, c.elements)
		past := &saved{snapshot: world.Must(world.NewSnapshot(m.state))}
		m.save(past)
		for i := range steps {
			m.step()
			if i%7 == 0 {
				m.check()
			}
			if i/100%2 == 1 { // what moved was stamped
				m.save(past)
				m.state = world.Advance(m.state)
			}
			switch n := m.r.IntN(80); n {
			case 0, 1:
				m.save(past)
			case 2, 3:
				m.restore(past)
				m.check()
			case 4, 5:
				m.state = world.Advance(m.state)
			case 6, 7:
				m.must(world.Tidy(m.state))
				m.check()
			case 8, 9, 10:
				m.carry(past, carriers[m.r.IntN(len(carriers))], &c.counts)
			}
		}
		m.check()
		past.snapshot.Close()
		world.Close(m.state)
	}
}
