package main

import (
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

func TestRise(t *testing.T) {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(At, Lift)}))
	state, balloon, err := world.CreateWith(state, At, Lift)
	if err != nil {
		t.Fatal(err)
	}
	state = world.Must(world.Set(state, balloon, Lift, 3))
	state = Rise(state, 2)
	if at, err := world.Get(state, balloon, At); at.Y != 6 || err != nil {
		t.Error("it is at a height of", at.Y, err)
	}
	world.Close(state)
}
