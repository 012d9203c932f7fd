package abm

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/world"
)

// setup initializes a world, unless its parameters are invalid.
func setup[P interface {
	setup(s world.State) world.State
}](
	s world.State, p P, refused error,
) (world.State, error) {
	if refused != nil {
		return s, refused
	}
	return p.setup(s), nil
}

// Setup places the agents at random.
func (p Schelling) Setup(s world.State) (world.State, error) { return setup(s, p, p.check()) }

// check returns an error if a parameter is invalid.
func (p Schelling) check() error {
	switch {
	case !(p.Density >= 0 && p.Density <= 1):
		return fmt.Errorf("abm: %v agents per place; give 0 to 1", p.Density)
	case p.Side < 1 || p.Radius < 0 || p.Groups < 1 || p.Groups > 255:
		return fmt.Errorf("abm: %d groups on a side of %d, that see %d places; give 1 to 255, "+
			"1 or more, and 0 or more", p.Groups, p.Side, p.Radius)
	}
	return nil
}

// Setup places the animals at random, and grows half of the grass.
func (p WolfSheep) Setup(s world.State) (world.State, error) { return setup(s, p, p.check()) }

func (p WolfSheep) check() error {
	if p.Sheep < 0 || p.Wolves < 0 {
		return fmt.Errorf("abm: %d sheep and %d wolves; give 0 or more each", p.Sheep, p.Wolves)
	}
	if p.Side < 1 || p.Regrowth < 1 || p.SheepGain < 1 || p.WolfGain < 1 {
		return fmt.Errorf("abm: gains of %v and %v, and grass that grows %d steps on a side "+
			"of %d; give 1 or more each",
			p.SheepGain, p.WolfGain, p.Regrowth, p.Side)
	}
	return nil
}

// Setup places the birds at random, with random directions.
func (p Flocking) Setup(s world.State) (world.State, error) { return setup(s, p, p.check()) }

func (p Flocking) check() error {
	switch {
	case p.Birds < 0:
		return fmt.Errorf("abm: %d birds; give 0 or more", p.Birds)
	case !(p.Sight > 0 && p.Sight <= p.Extent/3):
		return fmt.Errorf("abm: birds see %v of %v; give a sight above 0, at most a third of "+
			"the extent", p.Sight, p.Extent)
	case !(math.Abs(p.Speed) <= p.Extent):
		return fmt.Errorf("abm: birds fly %v of %v in a step; give a speed of at most the extent",
			p.Speed, p.Extent)
	}
	return nil
}

// Setup plants trees, and ignites those in the leftmost column.
func (p ForestFire) Setup(s world.State) (world.State, error) { return setup(s, p, p.check()) }

func (p ForestFire) check() error {
	if p.Side < 1 || !(p.Density >= 0 && p.Density <= 1) {
		return fmt.Errorf("abm: trees in %v of the places, on a side of %d; give 0 to 1, and 1 or "+
			"more", p.Density, p.Side)
	}
	return nil
}
