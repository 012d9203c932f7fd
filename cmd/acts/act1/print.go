package act1

import "github.com/flatecs/flatecs/cmd/acts/jsonout"

// WriteState prints the world as one line of JSON.
func (w *World) WriteState(out *jsonout.Writer) {
	out.Open()
	out.Name("normalHeroes")
	out.Open()
	for _, hero := range w.NormalHeroes {
		hero.write(out)
	}
	out.Close()
	out.Name("superHeroes")
	out.Open()
	for _, hero := range w.SuperHeroes {
		hero.write(out)
	}
	out.Close()
	out.Close()
	out.EndLine()
}

func (h *NormalHero) write(out *jsonout.Writer) {
	out.Index(h.ID)
	out.Open()
	out.Name("position")
	out.Floats(h.Position[:])
	out.Name("velocity")
	out.Float32(h.Velocity)
	out.Close()
}

func (h *SuperHero) write(out *jsonout.Writer) {
	out.Index(h.ID)
	out.Open()
	out.Name("position")
	out.Floats(h.Position[:])
	out.Name("velocity")
	out.Float32(h.Velocity)
	out.Name("maxFlyVelocity")
	out.Float32(h.MaxFlyVelocity)
	out.Close()
}
