package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

type drone struct {
	Target world.GameObject
	Pos    struct{ X, Y float32 }
	Armed  bool
	Tint   [3]uint8
	Fuel   int32
}

var drones = layout.NewComponent("drone", drone{Fuel: 9})

// flown saves a world of three drones.
func flown(t *testing.T, change func(*drone)) string {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 64, Kinds: layout.Kinds(drones.Count(64)),
	}))
	defer func() { world.Close(s) }()
	var id world.GameObject
	for range 3 {
		last := id
		s, id = world.Must2(world.CreateWith(s, drones.Kind()))
		v := drone{Target: last, Fuel: 7}
		change(&v)
		s = world.Must(world.Set(s, id, drones, v))
	}
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	return path
}

// TestDiffTellsOfOtherParts: a field that only one file has is no equality.
func TestDiffTellsOfOtherParts(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 64, Kinds: layout.Kinds(layout.NewComponent[struct {
			Fuel  int32
			Armed bool
			Tint  [3]uint8
		}]("drone").Count(64)),
	}))
	path := filepath.Join(t.TempDir(), "b.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	world.Close(s)
	for _, files := range []string{flown(t, func(*drone) {}) + " " + path, path + " " + flown(t, func(*drone) {})} {
		r := play(t, "diff "+files)
		assert.Equal(t, 1, r.code)
		assert.Contains(t, r.out, "kind drone, field drone: ")
		assert.Contains(t, r.out, "Fuel int32 × 1, Armed bool × 1, Tint uint8 × 3")
		assert.Contains(t, r.out, "alive: 3 objects differ")
	}
}
