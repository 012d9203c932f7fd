package main

import (
	"math/rand/v2"

	"github.com/flatecs/flatecs/cmd/scene/abm"
	"github.com/flatecs/flatecs/world"
)

// A contest is a model of one size in each program; each runs once, from a seed, and returns
// numbers of its last state, or none where the program's rules are others.
type contest struct {
	name                string
	steps               int
	flatecs, ark, plain func(seed uint64) []float64
	mason               string // class of the comparison's program; "": there is none to compare
}

// Steps as the comparison declares.
const (
	schellingSteps = 20
	otherSteps     = 100
)

var contests = []contest{
	schelling("Schelling, small", abm.SchellingSmall, 1000),
	schelling("Schelling, large", abm.SchellingLarge, 8000),
	wolfSheep("WolfSheep, small", "Wsg_small", abm.WolfSheepSmall),
	wolfSheep("WolfSheep, large", "Wsg_large", abm.WolfSheepLarge),
	flocking("Flocking, small", "Flocking_small", abm.FlockingSmall),
	flocking("Flocking, large", "Flocking_large", abm.FlockingLarge),
	forestFire("ForestFire, small", abm.ForestFireSmall),
	forestFire("ForestFire, large", abm.ForestFireLarge),
}

// random is what programs beside flatecs draw from.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// stepped makes the steps of a model.
func stepped[M interface{ step() }](m M, steps int) M {
	for range steps {
		m.step()
	}
	return m
}

// schelling is without MASON, whose agents never leave their places on its grid.
func schelling(name string, p abm.Schelling, agents int) contest {
	return contest{name, schellingSteps, func(seed uint64) []float64 {
		return live(p, seed, abm.StepSchelling, schellingSteps, abm.Happy)
	}, func(seed uint64) []float64 {
		m := stepped(newArkSchelling(p, agents, random(seed)), schellingSteps)
		return []float64{float64(m.happy)}
	}, func(seed uint64) []float64 {
		m := stepped(newPlainSchelling(p, agents, random(seed)), schellingSteps)
		return []float64{float64(m.happy)}
	}, ""}
}

func wolfSheep(name, mason string, p abm.WolfSheep) contest {
	return contest{name, otherSteps, func(seed uint64) []float64 {
		return live(p, seed, abm.StepWolfSheep, otherSteps, abm.Animals)
	}, func(seed uint64) []float64 {
		m := stepped(newArkWolfSheep(p, random(seed)), otherSteps)
		sheep, wolves := m.allSheep.Query(), m.allWolfs.Query()
		defer sheep.Close()
		defer wolves.Close()
		return []float64{float64(sheep.Count()), float64(wolves.Count())}
	}, func(seed uint64) []float64 {
		m := stepped(newPlainWolfSheep(p, random(seed)), otherSteps)
		return []float64{float64(len(m.sheep)), float64(len(m.wolves))}
	}, mason}
}

// flocking returns no numbers of Ark's birds, which see others than the declared ones.
func flocking(name, mason string, p abm.Flocking) contest {
	return contest{name, otherSteps, func(seed uint64) []float64 {
		return live(p, seed, abm.StepFlocking, otherSteps, abm.Alignment)
	}, func(seed uint64) []float64 {
		stepped(newArkFlocking(p, random(seed)), otherSteps)
		return nil
	}, func(seed uint64) []float64 {
		return []float64{stepped(newPlainFlocking(p, random(seed)), otherSteps).order()}
	}, mason}
}

func forestFire(name string, p abm.ForestFire) contest {
	return contest{name, otherSteps, func(seed uint64) []float64 {
		return live(p, seed, abm.StepForestFire, otherSteps, abm.Burnt)
	}, func(seed uint64) []float64 {
		return []float64{float64(stepped(newArkForestFire(p, random(seed)), otherSteps).burnt)}
	}, func(seed uint64) []float64 {
		return []float64{float64(stepped(newPlainForestFire(p, random(seed)), otherSteps).burnt)}
	}, ""}
}

// live makes a run of a model of flatecs.
func live(
	m abm.Model, seed uint64, step func(world.State) world.State, steps int,
	end func(s world.State) []float64,
) []float64 {
	counts := m.Counts()
	counts.Seed = seed
	s := world.Must(m.Setup(world.Must(world.CreateState(counts))))
	for range steps {
		s = step(s)
	}
	defer world.Close(s)
	return end(s)
}
