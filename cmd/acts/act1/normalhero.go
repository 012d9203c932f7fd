package act1

// NormalHero moves. All normal heroes are drawn at once.
type NormalHero struct {
	ID       int
	Position [3]float32 // world units; x, y, z
	Velocity float32    // world units per move
}

// Move adds the velocity to each axis of the position.
func (h *NormalHero) Move() {
	h.Position[0] += h.Velocity
	h.Position[1] += h.Velocity
	h.Position[2] += h.Velocity
}

// Update doubles the position.
func (h *NormalHero) Update() {
	h.Position[0] *= 2
	h.Position[1] *= 2
	h.Position[2] *= 2
}
