package abm

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world/inspect"
)

// Controls returns the controls of a model for an inspector: sliders for parameters that may change
// while it runs, the others fixed.
func Controls(m Model) []inspect.Control {
	switch m.(type) {
	case Schelling:
		return append(fixed(citizens, "Density", "Side", "Groups"),
			slider(citizens, "Wanted", 0, 24), slider(citizens, "Radius", 1, 10))
	case WolfSheep:
		return append(fixed(herds, "Sheep", "Wolves", "Side"),
			slider(herds, "Regrowth", 1, 255),
			slider(herds, "SheepBirths", 0, 1), slider(herds, "WolfBirths", 0, 1),
			slider(herds, "SheepGain", 0, 50), slider(herds, "WolfGain", 0, 50))
	case Flocking: // each bird has its own traits from the start
		return fixed(skies, "Extent", "Birds", "Sight", "Speed", "Cohere", "Separation",
			"Separate", "Match")
	case ForestFire:
		return append(fixed(forests, "Density", "Side"), inspect.Control{Field: front, Fixed: true})
	}
	return nil
}

func slider[T any](f layout.Field[T], part string, low, high float64) inspect.Control {
	return inspect.Control{Field: f, Part: part, Min: low, Max: high}
}

func fixed[T any](f layout.Field[T], parts ...string) (list []inspect.Control) {
	for _, part := range parts {
		list = append(list, inspect.Control{Field: f, Part: part, Fixed: true})
	}
	return list
}
