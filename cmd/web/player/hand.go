package player

import "github.com/flatecs/flatecs/cmd/scene"

// A hand turns buttons that go down and up at any time into the inputs of steps. A press is never
// lost, however short it is, and two presses never become one: between them lies a step without.
type hand struct {
	down  scene.Input // by now
	fresh scene.Input // pressed since they were last seen
	seen  scene.Input // of the step before
}

func (h *hand) hold(input scene.Input) {
	h.fresh |= input &^ h.down
	h.down |= input
}

// step returns the input of the next step.
func (h *hand) step() scene.Input {
	again := h.fresh & h.seen // pressed once more: first the step without
	h.seen = (h.down | h.fresh) &^ again
	h.fresh = again
	return h.seen
}
