package act1

// NormalHero moves. All normal heroes are drawn at once.
type NormalHero struct {
	ID       int
	Position [3]float32 // world units; x, y, z
	Velocity float32    // world units per move
}

// Move adds the velocity to each axis of the position.
func (h *NormalHero) Move() {
	for axis := range h.Position {
		h.Position[axis] += h.Velocity
	}
}

// Update doubles the position.
func (h *NormalHero) Update() {
	for axis := range h.Position {
		h.Position[axis] *= 2
	}
}
