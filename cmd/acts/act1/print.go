package act1

import "github.com/flatecs/flatecs/cmd/acts/jsonout"

// Shown returns the printable state of the world.
func (w *World) Shown() jsonout.Object {
	return jsonout.Of(
		"normalHeroes", jsonout.Each(w.NormalHeroes, func(_ int, h *NormalHero) (id, hero any) {
			return h.ID, jsonout.Of("position", h.Position[:], "velocity", h.Velocity)
		}),
		"superHeroes", jsonout.Each(w.SuperHeroes, func(_ int, h *SuperHero) (id, hero any) {
			return h.ID, jsonout.Of("position", h.Position[:], "velocity", h.Velocity,
				"maxFlyVelocity", h.MaxFlyVelocity)
		}),
	)
}
