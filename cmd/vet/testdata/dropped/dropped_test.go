package dropped

import (
	"testing"

	"github.com/flatecs/flatecs/world"
)

func TestDropped(t *testing.T) {
	state := make1()
	world.Advance(state) // want `the State that world.Advance returns is dropped`
	state = rise(state)
	for range 3 {
		if world.Len(state) > 0 {
			rise(state) // want `the State that rise returns is dropped`
		}
	}
}

func TestRefused(t *testing.T) {
	state := make1()
	if _, err := world.SetName(state, 7, "Bob"); err == nil {
		t.Error("an object that is not there has a name")
	}
	panics(t, func() { world.Advance(state) })
	panics(t, func() { _ = world.Advance(state) })
	state = rise(state)
	rise(state) // the last one
	t.Log("there is another name behind")
	g := &game{state: make1()}
	rise(g.state)
	_ = g.state
}

func panics(t *testing.T, f func()) {
	defer func() { recover() }()
	f()
	t.Error("no panic")
}
