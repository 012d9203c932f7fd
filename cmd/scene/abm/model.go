package abm

import "github.com/flatecs/flatecs/world"

// A Model is what the models have in common: their counts, and how a world begins. Each has a
// step, a function of its own.
type Model interface {
	Counts() world.Counts
	Setup(s world.State) (world.State, error)
}

// Happy returns how many agents of a world of [Schelling] are happy.
func Happy(s world.State) []float64 {
	n := 0.0
	for _, is := range world.View(s, happy) {
		n += one(is)
	}
	return []float64{n}
}

var (
	everySheep = world.NewQuery(world.With(sheep))
	everyWolf  = world.NewQuery(world.With(wolf))
)

// Animals returns how many sheep and wolves there are in a world of [WolfSheep].
func Animals(s world.State) []float64 {
	return []float64{float64(everySheep.Count(s)), float64(everyWolf.Count(s))}
}

// Alignment returns how much the birds of a world of [Flocking] fly in one direction: 1 if all do.
func Alignment(s world.State) []float64 { return []float64{alignment(s)} }
