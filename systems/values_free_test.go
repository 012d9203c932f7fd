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
		s = sure(Add(s, id, heldPacked.Kind()))
		if ids = append(ids, id); i >= 1 && i <= 3 {
			for _, v := range []layout.Values[*load]{heldLoose, heldPacked} {
				value := new(load)
				s = sure(SetValue(s, id, v, value))
				loads = append(loads, weak.Make(value))
			}
		}
	}
	return s, ids, loads
}

// freeing are ways in which the first ten objects lose their values.
var freeing = map[string]func(s State, ids []GameObject) State{
	"one by one": func(s State, ids []GameObject) State {
		for _, id := range ids[:10] {
			s = sure(Dispose(s, id))
		}
		return s
	},
	"backwards": func(s State, ids []GameObject) State {
		for i := range 10 {
			s = sure(Dispose(s, ids[9-i]))
		}
		return s
	},
	"DisposeN": func(s State, ids []GameObject) State {
		return sure(Dispose(s, ids[:10]...))
	},
	"DisposeAll": func(s State, _ []GameObject) State {
		return sure(holding.DisposeAll(s))
	},
	"Apply": func(s State, ids []GameObject) State {
		c := Record(s)
		for _, id := range ids[:10] {
			c.Dispose(id)
		}
		return sure(Apply(s))
	},
	"Remove": func(s State, ids []GameObject) State {
		for _, v := range []layout.Values[*load]{heldLoose, heldPacked} {
			for _, id := range ids[:10] {
				s = sure(Remove(s, id, v.Kind()))
			}
		}
		return s
	},
	"RemoveAll": func(s State, _ []GameObject) State {
		s = sure(holding.RemoveAll(s, heldPacked.Kind()))
		return sure(holding.RemoveAll(s, heldLoose.Kind()))
	},
	"suspended": func(s State, ids []GameObject) State {
		for _, id := range ids[:10] {
			s = sure(Suspend(s, id, heldLoose.Kind()))
			s = sure(Dispose(s, id))
		}
		return s
	},
	"Empty": func(s State, _ []GameObject) State {
		return sure(ToolsOf(s).Renewed(func(*manager.Part) int { return 0 }))
	},
	"Restore": func(s State, ids []GameObject) State {
		p := taken(s)
		other := sure(Dispose(sure(Clone(s)), ids...))
		take(p, other)
		return sure(Restore(s, p))
	},
	"Take": func(s State, ids []GameObject) State {
		p := taken(s)
		s = sure(Dispose(s, ids[:10]...))
		take(p, s)
		keptSnapshot = p
		return s
	},
}

var keptSnapshot *Snapshot

// TestGoValuesOfTheDisposedAreFreed: the world holds on to none of them, however they went.
func TestGoValuesOfTheDisposedAreFreed(t *testing.T) {
	for name, free := range freeing {
		for _, spawn := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s, ids, loads := holders(t, spawn)
				s = free(s, ids)
				runtime.GC()
				for i, p := range loads {
					assert.Nil(t, p.Value(), "load %d, spawned %t", i, spawn)
				}
				runtime.KeepAlive(s)
			})
		}
	}
}
