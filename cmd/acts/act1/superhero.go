package act1

// SuperHero moves and flies. Super heroes are drawn one by one.
type SuperHero struct {
	ID             int
	Position       [3]float32 // world units; x, y, z
	Velocity       float32    // world units per move
	MaxFlyVelocity float32    // world units per flight
}

// Move adds the velocity to each axis of the position.
func (h *SuperHero) Move() {
	for axis := range h.Position {
		h.Position[axis] += h.Velocity
	}
}

// Fly adds twice the velocity to each axis of the position, or the maximum once the velocity has
// reached it.
func (h *SuperHero) Fly() {
	step := h.MaxFlyVelocity
	if h.Velocity < h.MaxFlyVelocity {
		step = h.Velocity * 2
	}
	for axis := range h.Position {
		h.Position[axis] += step
	}
}

// Update doubles the position.
func (h *SuperHero) Update() {
	for axis := range h.Position {
		h.Position[axis] *= 2
	}
}
