package delta_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
)

// A load is a Go value that is seen to be freed.
type load [64]int

var (
	initial = new(load)
	loose   = layout.NewValues("loose load", initial)
	packed  = layout.NewValues("packed load", initial)
)

// loaded returns a world whose objects have loads of their own.
func loaded(t *testing.T, n int) (world.State, []world.GameObject) {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{
		loose.Count(300), {Kind: packed.Kind(), Rows: 300, Packed: true},
	}}))
	var ids []world.GameObject
	for range n {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, loose.Kind(), packed.Kind()))
		s = world.Must(world.SetValue(s, id, loose, new(load)))
		s = world.Must(world.SetValue(s, id, packed, new(load)))
		ids = append(ids, id)
	}
	return s, ids
}

// TestGoValuesInRowsThatAreLeftAreFreed: a world that is brought on by a delta lets go of them, and
// those who take the rows over begin with the default.
func TestGoValuesInRowsThatAreLeftAreFreed(t *testing.T) {
	for name, change := range map[string]func(s world.State, ids []world.GameObject) world.State{
		"the last": func(s world.State, ids []world.GameObject) world.State {
			return world.Must(world.Dispose(s, ids[len(ids)-1]))
		},
		"some": func(s world.State, ids []world.GameObject) world.State {
			return world.Must(world.Dispose(s, ids[3:min(70, len(ids))]...))
		},
		"all": func(s world.State, ids []world.GameObject) world.State {
			return world.Must(world.Dispose(s, ids...))
		},
		"tidied": func(s world.State, ids []world.GameObject) world.State {
			return world.Must(world.Tidy(world.Must(world.Dispose(s, ids[:len(ids)/2]...))))
		},
		"suspended": func(s world.State, ids []world.GameObject) world.State {
			s = world.Must(world.Suspend(s, ids[1], loose))
			return world.Must(world.Suspend(s, ids[2], loose))
		},
	} {
		for _, n := range []int{4, 200} {
			t.Run(name, func(t *testing.T) { brought(t, n, change) })
		}
	}
	t.Run("the first alone", func(t *testing.T) { // of whose row no byte but a bit changes
		brought(t, 1, func(s world.State, ids []world.GameObject) world.State {
			return world.Must(world.Dispose(s, ids...))
		})
	})
}

func brought(t *testing.T, n int, change func(world.State, []world.GameObject) world.State) {
	t.Helper()
	s, ids := loaded(t, n)
	before := world.Must(world.Clone(s))
	after := change(world.Must(world.Clone(s)), ids)
	var kept []weak.Pointer[load]
	for _, v := range []layout.Values[*load]{loose, packed} {
		for row := range n {
			value := tool.AnyValueOf(s, v.Kind(), layout.Row(row)).(*load)
			if use, _ := tool.RowUseOf(after, v.Kind(), layout.Row(row)); use == tool.RowUnused {
				kept = append(kept, weak.Make(value))
			}
		}
	}
	d := world.Must(delta.Append(nil, before, after))
	world.Close(before)
	world.Close(after)
	s = world.Must(delta.Apply(s, d))
	require.NoError(t, tool.Verify(s))
	runtime.GC()
	for i, p := range kept {
		assert.Nil(t, p.Value(), "%d of %d", i, len(kept))
	}
	for range 300 - world.Len(s) {
		var id world.GameObject
		var err error
		s, id = world.Must2(world.Create(s))
		if s, err = world.Add(s, id, loose); err != nil {
			break // the rest is suspended
		}
		assert.Same(t, initial, world.Must(world.ValueOf(s, id, loose)))
	}
	assert.NotZero(t, world.Len(s))
}
