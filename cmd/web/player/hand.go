package player

import "github.com/flatecs/flatecs/cmd/scene"

// A hand converts button events at any time into inputs of steps. It loses no press, however short,
// and never merges two presses: a step without the button separates them.
type hand struct {
	down  scene.Input // currently down
	fresh scene.Input // pressed since the last step
	seen  scene.Input // input of the previous step
}

func (h *hand) hold(input scene.Input) {
	h.fresh |= input &^ h.down
	h.down |= input
}

// step returns the input of the next step.
func (h *hand) step() scene.Input {
	again := h.fresh & h.seen // pressed again: a step without it comes first
	h.seen = (h.down | h.fresh) &^ again
	h.fresh = again
	return h.seen
}
