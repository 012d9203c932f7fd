package systems

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A load is a Go value that is seen to be freed.
type load [64]int

var (
	heldLoose  = layout.NewValues[*load]("held loose", nil)
	heldPacked = layout.NewValues[*load]("held packed", nil)
	heldRecipe = NewRecipe("held", heldLoose.Kind())
	holding    = NewQuery(With(heldLoose.Kind()))
	holdCounts = Counts{
		GameObjects: 1000, Recipes: []Recipe{heldRecipe}, Commands: 16,
		Kinds: []layout.Count{
			heldLoose.Count(1000), {Kind: heldPacked.Kind(), Rows: 1000, Packed: true},
		},
	}
)

// holders returns a world of 100 objects, and loads that nothing but the second, third and fourth of
// them refer to.
func holders(t *testing.T, spawn bool) (s State, ids []GameObject, loads []weak.Pointer[load]) {
	t.Helper()
	s, err := CreateState(holdCounts)
	require.NoError(t, err)
	for i := range 100 {
		var id GameObject
		if spawn {
			s, id, err = Spawn(s, heldRecipe)
		} else {
			s, id, err = CreateWith(s, heldLoose.Kind())
		}
		require.NoError(t, err)
		s, _, err = Add(s, id, heldPacked.Kind())
		require.NoError(t, err)
		if ids = append(ids, id); i >= 1 && i <= 3 {
			for _, v := range []layout.Values[*load]{heldLoose, heldPacked} {
				value := new(load)
				s, err = SetValue(s, id, v, value)
				require.NoError(t, err)
				loads = append(loads, weak.Make(value))
			}
		}
	}
	return s, ids, loads
}

// mustHold returns the world after a call that has to succeed.
func mustHold(t *testing.T) func(s State, err error) State {
	t.Helper()
	return func(s State, err error) State {
		t.Helper()
		require.NoError(t, err)
		return s
	}
}

// freeing are ways in which the first ten objects lose their values.
var freeing = map[string]func(t *testing.T, s State, ids []GameObject) State{
	"one by one": func(t *testing.T, s State, ids []GameObject) State {
		t.Helper()
		for _, id := range ids[:10] {
			s = mustHold(t)(DisposeGameObject(s, id))
		}
		return s
	},
	"backwards": func(t *testing.T, s State, ids []GameObject) State {
		t.Helper()
		for i := range 10 {
			s = mustHold(t)(DisposeGameObject(s, ids[9-i]))
		}
		return s
	},
	"DisposeN": func(t *testing.T, s State, ids []GameObject) State {
		t.Helper()
		return mustHold(t)(DisposeGameObject(s, ids[:10]...))
	},
	"DisposeAll": func(t *testing.T, s State, _ []GameObject) State {
		t.Helper()
		return mustHold(t)(holding.DisposeAll(s))
	},
	"Apply": func(t *testing.T, s State, ids []GameObject) State {
		t.Helper()
		c := Record(s)
		for _, id := range ids[:10] {
			c.Dispose(id)
		}
		return mustHold(t)(Apply(s))
	},
	"Remove": func(t *testing.T, s State, ids []GameObject) State {
		t.Helper()
		for _, v := range []layout.Values[*load]{heldLoose, heldPacked} {
			for _, id := range ids[:10] {
				s = mustHold(t)(Remove(s, id, v.Kind()))
			}
		}
		return s
	},
	"RemoveAll": func(t *testing.T, s State, _ []GameObject) State {
		t.Helper()
		s = mustHold(t)(holding.RemoveAll(s, heldPacked.Kind()))
		return mustHold(t)(holding.RemoveAll(s, heldLoose.Kind()))
	},
	"suspended": func(t *testing.T, s State, ids []GameObject) State {
		t.Helper()
		for _, id := range ids[:10] {
			s = mustHold(t)(Suspend(s, id, heldLoose.Kind()))
			s = mustHold(t)(DisposeGameObject(s, id))
		}
		return s
	},
	"Tidy": func(t *testing.T, s State, ids []GameObject) State {
		t.Helper()
		return mustHold(t)(Tidy(mustHold(t)(DisposeGameObject(s, ids[:10]...))))
	},
	"Empty": func(t *testing.T, s State, _ []GameObject) State {
		t.Helper()
		return mustHold(t)(ArenaOf(s).Renewed(func(*manager.Part) int { return 0 }))
	},
	"Restore": func(t *testing.T, s State, ids []GameObject) State {
		t.Helper()
		p, err := NewSnapshot(s)
		require.NoError(t, err)
		require.NoError(t, p.Take(s))
		other := mustHold(t)(DisposeGameObject(mustHold(t)(Clone(s)), ids...))
		require.NoError(t, p.Take(other))
		return mustHold(t)(Restore(s, p))
	},
	"Take": func(t *testing.T, s State, ids []GameObject) State {
		t.Helper()
		p, err := NewSnapshot(s)
		require.NoError(t, err)
		require.NoError(t, p.Take(s))
		s = mustHold(t)(DisposeGameObject(s, ids[:10]...))
		require.NoError(t, p.Take(s))
		t.Cleanup(func() { runtime.KeepAlive(p) })
		return s
	},
}

// TestGoValuesOfTheDisposedAreFreed: the world holds on to none of them, however they went.
func TestGoValuesOfTheDisposedAreFreed(t *testing.T) {
	for name, free := range freeing {
		for _, spawn := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s, ids, loads := holders(t, spawn)
				s = free(t, s, ids)
				runtime.GC()
				for i, p := range loads {
					assert.Nil(t, p.Value(), "load %d, spawned %t", i, spawn)
				}
				runtime.KeepAlive(s)
			})
		}
	}
}
