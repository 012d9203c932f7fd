package arena

import (
	"sync"

	"github.com/flatecs/flatecs/buffer/exact"
	"github.com/flatecs/flatecs/world"
)

// What recordings of a [Duel] say of it.
const (
	DuelName      = "duel"
	DuelBehaviour = 2 // the version of what it does
)

// A Duel plays the game between two tanks in worlds of Counts(2, 1): the first has the inputs of
// steps, and the second a script. Several goroutines may use it at once.
type Duel struct{ matches sync.Pool }

// NewDuel returns a Duel.
func NewDuel() *Duel {
	return &Duel{sync.Pool{New: func() any { // any match does for any world
		s := world.Must(world.CreateState(Counts(2, 1)))
		defer world.Close(s)
		return world.Must(NewMatch(s, 2))
	}}}
}

// Step takes a tick, with the input of the first tank.
func (d *Duel) Step(s world.State, input Input) world.State { return d.step(s, input, d.script(s)) }

// Begin takes the first tick, which makes the tanks.
func (d *Duel) Begin(s world.State) world.State { return d.step(s, 0, 0) }

func (d *Duel) step(s world.State, inputs ...Input) world.State {
	m := d.matches.Get().(*Match)
	defer d.matches.Put(m)
	return m.Step(s, inputs)
}

// Look returns what there is to tell of both tanks.
func (d *Duel) Look(s world.State) (first, second Status) {
	m := d.matches.Get().(*Match)
	defer d.matches.Put(m)
	return m.Status(s, 0), m.Status(s, 1)
}

// script presses what a pilot would: it turns to the enemy that it sees, and fires, or drives
// between places.
func (d *Duel) script(s world.State) (input Input) {
	enemy, own := d.Look(s)
	goal := [2]float32{fieldWide / 2, fieldHigh / 2}
	input = Forward
	if own.InSight(enemy) {
		goal, input = enemy.At, Fire
		if far, _ := own.Toward(goal); far > 90 {
			input |= Forward
		}
	} else if x := world.Tick(s) / 200 % 4; x > 0 { // another place every ten seconds
		goal = [2]float32{fieldWide * float32(x) / 4, fieldHigh * float32(x*x%3) / 2}
	}
	switch _, off := own.Toward(goal); {
	case off > .09:
		input |= Right
	case off < -.09:
		input |= Left
	}
	return input
}

// Toward returns a place as a tank sees it: how far it is, in world units, and the angle to its
// heading, in [-π, π), where positive is to the right.
func (s Status) Toward(to [2]float32) (far, off float32) {
	x, y := to[0]-s.At[0], to[1]-s.At[1]
	return exact.Hypot(x, y), upright(exact.Atan2(y, x) - s.Angle)
}

// InSight reports whether a tank sees another one that is no wreck.
func (s Status) InSight(other Status) bool {
	far, _ := s.Toward(other.At)
	return other.Armour > 0 && far < Sight
}
