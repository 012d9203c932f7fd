//go:build ecsdebug

package systems_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/heroes"
)

var guardNames = layout.NewValues("guard name", "nobody")

// guarded returns a world of one object that has every kind.
func guarded(t *testing.T) (systems.State, systems.GameObject) {
	t.Helper()
	s, err := systems.CreateState(systems.Counts{
		GameObjects: 4, Kinds: layout.Kinds(
			guardNames.Count(4), heroes.Position.Count(4), heroes.Velocity.Count(4),
			heroes.MaxVelocity.Count(4), heroes.Instance.Count(4),
		),
	})
	require.NoError(t, err)
	s, id, err := systems.Create(s)
	require.NoError(t, err)
	for _, k := range []systems.Kind{
		heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance, guardNames.Kind(),
	} {
		s, err = systems.Add(s, id, k)
		require.NoError(t, err)
	}
	return s, id
}

type quiet struct{}

func (quiet) Init()                        {}
func (quiet) DrawOne(uint32, []byte)       {}
func (quiet) DrawInstances(string, []byte) {}

const usedUp = "flatecs: this State is stale: an earlier call invalidated it; write state = world.F(state, …)"

func TestAStateIsUsedUpByAChange(t *testing.T) {
	ok := func(s systems.State, err error) systems.State {
		if err != nil {
			t.Error(err)
		}
		return s
	}
	for name, change := range map[string]func(systems.State, systems.GameObject) systems.State{
		"MoveAll": func(s systems.State, _ systems.GameObject) systems.State { return heroes.MoveAll(s) },
		"FlyAll":  func(s systems.State, _ systems.GameObject) systems.State { return heroes.FlyAll(s) },
		"Update":  func(s systems.State, _ systems.GameObject) systems.State { return heroes.Update(s) },
		"Move":    func(s systems.State, _ systems.GameObject) systems.State { return heroes.Move(s, 0, 0) },
		"Fly":     func(s systems.State, _ systems.GameObject) systems.State { return heroes.Fly(s, 0, 0, 0) },
		"SetRow velocity": func(s systems.State, _ systems.GameObject) systems.State {
			return systems.SetRow(s, heroes.Velocity, 0, 1)
		},
		"SetRow position": func(s systems.State, _ systems.GameObject) systems.State {
			return systems.SetRow(s, heroes.Position, 0, [3]float32{})
		},
		"SetRow max velocity": func(s systems.State, _ systems.GameObject) systems.State {
			return systems.SetRow(s, heroes.MaxVelocity, 0, 1)
		},
		"RenderOneByOne": func(s systems.State, _ systems.GameObject) systems.State {
			return heroes.RenderOneByOne(s, quiet{})
		},
		"RenderInstances": func(s systems.State, _ systems.GameObject) systems.State {
			return heroes.RenderInstances(s, quiet{})
		},
		"Create": func(s systems.State, _ systems.GameObject) systems.State {
			s, _, err := systems.Create(s)
			return ok(s, err)
		},
		"Dispose": func(s systems.State, id systems.GameObject) systems.State {
			return ok(systems.Dispose(s, id))
		},
		"CreateComponent": func(s systems.State, _ systems.GameObject) systems.State {
			s, _, err := systems.CreateComponent(s, heroes.MaxVelocity)
			return ok(s, err)
		},
		"Remove": func(s systems.State, id systems.GameObject) systems.State {
			return ok(systems.Remove(s, id, heroes.MaxVelocity))
		},
		"DisposeComponent": func(s systems.State, _ systems.GameObject) systems.State {
			return systems.DisposeComponent(s, heroes.MaxVelocity, 0)
		},
		"SetValue": func(s systems.State, id systems.GameObject) systems.State {
			return ok(systems.SetValue(s, id, guardNames, "a"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			before, id := guarded(t)
			after := change(before, id)
			assert.PanicsWithValue(t, usedUp, func() { systems.Len(before) })
			assert.PanicsWithValue(t, usedUp, func() { _ = heroes.MoveAll(before) })
			assert.NotPanics(t, func() { systems.Len(after) })
		})
	}
}

func TestReadingDoesNotUseUp(t *testing.T) {
	s, id := guarded(t)
	_ = systems.GetRow(s, heroes.Position, 0)
	_ = must(systems.RowOf(s, id, heroes.Position))
	for range systems.GameObjects(s) {
		_ = systems.Has(s, id, heroes.MaxVelocity)
	}
	copied := must(systems.Clone(s))
	assert.NotPanics(t, func() { s = heroes.MoveAll(s) })
	assert.NotPanics(t, func() { copied = heroes.MoveAll(copied) }, "a copy is a State of its own")
	assert.Equal(t, systems.Bytes(s), systems.Bytes(copied))
}

// A refusal changes nothing, so both the State that it was given and the one that it returns stay.
func TestARefusalDoesNotUseUp(t *testing.T) {
	s, id := guarded(t)
	after, err := systems.Add(s, id, heroes.MaxVelocity)
	require.ErrorIs(t, err, systems.ErrTwice)
	assert.NotPanics(t, func() { systems.Len(after) })
	assert.NotPanics(t, func() { systems.Len(s) })
}

func TestAClosedStatePanics(t *testing.T) {
	s, id := guarded(t)
	reading := func() { systems.Alive(s, id) }
	systems.Close(s)
	const closed = "flatecs: this State was closed; use it before Close, or close later"
	assert.PanicsWithValue(t, closed, reading)
	assert.PanicsWithValue(t, closed, func() { systems.Close(s) })
}

func TestTheZeroStatePanics(t *testing.T) {
	assert.PanicsWithValue(t, "flatecs: the zero State is not a world; call CreateState",
		func() { systems.Len(systems.State{}) })
}
