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
	h.Position[0] += h.Velocity
	h.Position[1] += h.Velocity
	h.Position[2] += h.Velocity
}

// Fly adds twice the velocity to each axis of the position, or the maximum once the velocity has
// reached it.
func (h *SuperHero) Fly() {
	step := h.MaxFlyVelocity
	if h.Velocity < h.MaxFlyVelocity {
		step = h.Velocity * 2
	}
	h.Position[0] += step
	h.Position[1] += step
	h.Position[2] += step
}

// Update doubles the position.
func (h *SuperHero) Update() {
	h.Position[0] *= 2
	h.Position[1] *= 2
	h.Position[2] *= 2
}
