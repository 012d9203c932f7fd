package world_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// restructuring are the functions that end the Writers of the world that they are given: they create,
// dispose, add, remove, suspend or mount, or make its bytes those of another time.
var restructuring = []string{
	"Add", "Apply", "ApplyKeeping", "Arena.Changed", "Arena.Derived", "Arena.Name",
	"Arena.Renewed", "Changing", "CopyGameObject", "CopyTree", "Create", "CreateGameObject",
	"CreateWith", "Dispose", "DisposeGameObject", "DisposeTree", "Ensure", "Mount", "NewGlobal",
	"Query.AddAll", "Query.DisposeAll", "Query.RemoveAll", "Remove", "Renew", "Restore",
	"SetGlobal", "SetName", "Spawn", "SpawnN", "SpawnTree", "Suspend", "Tidy",
	"history.History.Resimulate", "history.History.Rollback", "loop.Launcher.Launch",
	"loop.Launcher.LaunchNext", "pack.NewGlobal", "pack.Packer.Unpack", "pack.SetGlobal", "pack.Unpack",
	"space.Grid.Create", "tool.Components.IndexKeys", "tool.Components.SetColumn",
	"tool.Empty", "tool.Groups.Add", "tool.Groups.Begin", "tool.Groups.Create",
	"tool.Groups.End", "tool.Groups.Name", "tool.Groups.Suspend", "tool.Rebuild",
}

// TestWritersOutliveWhatEndsNothing opens a Writer, passes the State to each exported function, and
// writes: the Writer ends by a change of structure and by nothing else.
func TestWritersOutliveWhatEndsNothing(t *testing.T) {
	all := contracts()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		if c.class != reader && c.class != consumer {
			continue
		}
		t.Run(name, func(t *testing.T) {
			x := newExhibit()
			s, w := world.OpenWrite(x.s, busyCount)
			next, err := c.call(x, s)
			require.NoError(t, err)
			if !statesChecked {
				return
			}
			if slices.Contains(restructuring, name) {
				require.Panics(t, func() { w.At(x.full) })
				return
			}
			require.NotPanics(t, func() { *w.At(x.full) = 77 })
			got, err := world.Get(next, x.full, busyCount)
			require.NoError(t, err)
			assert.EqualValues(t, 77, got)
		})
	}
	for _, name := range restructuring {
		assert.Contains(t, all, name)
	}
}
