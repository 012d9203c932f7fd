package world

import "github.com/flatecs/flatecs/world/internal/program"

// Init initializes the renderer, once, before the first frame. The world is unchanged.
func Init(s State, r Renderer) State {
	Live(s) // panics if s is stale
	if r == nil {
		program.Refuse("flatecs: Init without a Renderer; hand in one")
	}
	r.Init()
	return s
}

// Loop calls frame, a function that takes the world through one frame, frames times.
func Loop(s State, frames int, frame func(State) State) State {
	if frame == nil {
		program.Refuse("flatecs: Loop without a frame; " +
			"give the function that takes the world through one")
	}
	for range frames {
		s = program.Kept(s, frame(s), "flatecs: Loop: the frame", "")
	}
	return s
}
