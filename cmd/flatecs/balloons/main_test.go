package main

import (
	"path/filepath"
	"testing"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

func TestMove(t *testing.T) {
	state := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{Balloon}}))
	state, balloon := world.Must2(world.Spawn(state, Balloon))
	state = world.Must(world.Set(state, balloon, Velocity, Vector{Y: 3}))
	state = Move(state, 2)
	if at, err := world.Get(state, balloon, Position); at.Y != 6 || err != nil {
		t.Error("it is at a height of", at.Y, err)
	}
	if err := save.Save(filepath.Join(t.TempDir(), "sky.flat"), state, save.Options{}); err != nil {
		t.Error(err)
	}
	world.Close(state)
}
