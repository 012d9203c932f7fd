package list_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
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

// become goes on with another world, and forgets the past.
func (m *model) become(past *saved, twin world.State) {
	world.Close(m.state)
	m.state = twin
	m.check()
	past.snapshot.Close()
	var err error
	past.snapshot, err = world.NewSnapshot(m.state)
	require.NoError(m.t, err)
	m.save(past)
}

func TestListsAreThoseOfGo(t *testing.T) {
	steps := 3000
	if testing.Short() {
		steps = 600
	}
	packed := counts(80, 40000)
	packed.Kinds[0].Packed, packed.Kinds[1].Packed = true, true
	for _, c := range []world.Counts{
		counts(80, 40000), packed,
		{
			GameObjects: 5000, Recipes: []world.Recipe{hero},
			Kinds: layout.Kinds(bag, mind, title), Resources: []world.ResourceKind{score},
		},
	} {
		s, err := world.CreateState(c)
		require.NoError(t, err)
		m := &model{t, rand.New(rand.NewPCG(1, 2)), s, map[world.GameObject]*life{}, nil}
		snapshot, err := world.NewSnapshot(m.state)
		require.NoError(t, err)
		past := &saved{snapshot: snapshot}
		m.save(past)
		for i := range steps {
			m.step()
			if i%7 == 0 {
				m.check()
			}
			switch m.r.IntN(40) {
			case 0:
				m.save(past)
			case 1:
				m.restore(past)
				m.check()
			case 2:
				m.state = world.Advance(m.state)
			case 3:
				twin, err := world.Clone(m.state)
				require.NoError(t, err)
				require.Equal(t, world.Digest(m.state), world.Digest(twin))
				m.become(past, twin)
			case 4:
				c.GameObjects += 64
				twin, err := world.Resized(m.state, c)
				require.NoError(t, err)
				m.become(past, twin)
			case 5:
				m.must(world.Tidy(m.state))
				m.check()
			}
		}
		past.snapshot.Close()
		world.Close(m.state)
	}
}
