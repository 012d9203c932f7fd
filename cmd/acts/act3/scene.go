package act3

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// NewScene returns the story's scene: the first hero of each kind has moved, the first super hero
// has flown too, and the others stand at the origin. The caller closes the state.
func NewScene(counts world.Counts, normalHeroes, superHeroes int) (world.State, error) {
	state, err := world.CreateState(counts)
	if err != nil {
		return state, err
	}
	state, err = addNormalHeroes(state, normalHeroes)
	if err == nil {
		state, err = addSuperHeroes(state, superHeroes)
	}
	if err != nil {
		world.Close(state)
	}
	return state, err
}

func addNormalHeroes(state world.State, n int) (world.State, error) {
	for i := range n {
		s, h, err := addHero(state)
		if err != nil {
			return s, err
		}
		if state, err = world.Add(s, h.id, heroes.Instance); err != nil {
			return state, err
		}
		if i == 0 {
			state = heroes.Move(state, h.position, h.velocity)
		}
	}
	return state, nil
}

func addSuperHeroes(state world.State, n int) (world.State, error) {
	for i := range n {
		s, h, err := addHero(state)
		if err != nil {
			return s, err
		}
		s, fly, err := world.Ensure(s, h.id, heroes.MaxVelocity)
		if err != nil {
			return s, err
		}
		if i == 0 {
			s = heroes.Move(s, h.position, h.velocity)
			s = heroes.Fly(s, h.position, h.velocity, fly)
		}
		state = s
	}
	return state, nil
}

// A hero is the common part of normal and super heroes.
type hero struct {
	id       world.GameObject
	position layout.Row
	velocity layout.Row
}

func addHero(state world.State) (_ world.State, h hero, err error) {
	if state, h.id, err = world.Create(state); err != nil {
		return state, h, err
	}
	if state, h.position, err = world.Ensure(state, h.id, heroes.Position); err != nil {
		return state, h, err
	}
	state, h.velocity, err = world.Ensure(state, h.id, heroes.Velocity)
	return state, h, err
}
