package world

import "github.com/flatecs/flatecs/world/internal/program"

// Init readies the renderer, once, before the first frame. The world is as it was.
func Init(s State, r Renderer) State {
	Live(s) // panics when s was used up
	if r == nil {
		program.Refuse("world: Init without a Renderer; hand in one")
	}
	r.Init()
	return s
}

// Loop runs frame, a function that takes the world through one frame, as many times as frames says.
func Loop(s State, frames int, frame func(State) State) State {
	if frame == nil {
		program.Refuse("world: Loop without a frame; " +
			"give the function that takes the world through one")
	}
	for range frames {
		s = program.Kept(s, frame(s), "world: Loop: the frame", "")
	}
	return s
}
