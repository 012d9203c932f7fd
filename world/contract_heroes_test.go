package world_test

import "github.com/flatecs/flatecs/world"

// heroContracts are those of the built-in systems.
func heroContracts() map[string]contract {
	return map[string]contract{
		"Move":    steps(func(_ *exhibit, s world.State) world.State { return world.Move(s, 0, 0) }),
		"MoveAll": steps(func(_ *exhibit, s world.State) world.State { return world.MoveAll(s) }),
		"Fly":     steps(func(_ *exhibit, s world.State) world.State { return world.Fly(s, 0, 0, 0) }),
		"FlyAll":  steps(func(_ *exhibit, s world.State) world.State { return world.FlyAll(s) }),
		"Update":  steps(func(_ *exhibit, s world.State) world.State { return world.Update(s) }),
		"RenderOneByOne": shows(func(s world.State) world.State {
			return world.RenderOneByOne(s, silent{})
		}),
		"RenderInstances": shows(func(s world.State) world.State {
			return world.RenderInstances(s, silent{})
		}),
	}
}

// shows is steps for a function that draws, and serves a snapshot's State.
func shows(f func(s world.State) world.State) contract {
	c := steps(func(_ *exhibit, s world.State) world.State { return f(s) })
	c.shows = true
	return c
}
