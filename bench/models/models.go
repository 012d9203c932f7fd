// Package models is agent-based models, in this library, in Ark and in plain Go, and the search for
// neighbours.
//
// The models are those of JuliaDynamics/ABMFrameworksComparison: those of flatecs are in
// cmd/scene/abm; those of Ark follow the comparison's programs for Ark.jl, written anew in Go for
// github.com/mlange-42/ark, whose world they make anew for each run, as there. Schelling's grid
// holds factions, as the others' do, instead of entities whose faction is looked up. The flock has
// none, since the birds of the comparison's program see others than the declared ones,
// nor has the forest fire, of which the comparison has no program for Ark.jl. The programs in plain
// Go keep agents in slices of structs, and follow the declarations.
//
// A run is a model from its creation to its last step, each with another seed. Runs of one seed end
// differently in each program; the tests compare the distributions of many.
//
// Verbs: [Subject].
package models

import (
	"math/rand/v2"
	"strings"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/bench/models/neighbours"
	"github.com/flatecs/flatecs/bench/models/turrets"
	"github.com/flatecs/flatecs/cmd/scene/abm"
	"github.com/flatecs/flatecs/world"
)

// Subject is agent-based models, and what looks for neighbours.
func Subject() *harness.Subject {
	s := &harness.Subject{
		Name: "models", About: "agent-based models, and the search for neighbours",
	}
	for _, c := range contests {
		s.Cases = append(s.Cases, c.measured())
	}
	s.Cases = append(s.Cases, neighbours.Cases()...)
	s.Cases = append(s.Cases, turrets.Cases()...)
	return s
}

// A contest is a model of one size in each program; each runs once, from a seed, and returns
// numbers of its last state.
type contest struct {
	name                string
	flatecs, ark, plain func(seed uint64) []float64 // ark may be nil
}

// measured is a contest as a case.
func (c *contest) measured() harness.Case {
	programs := map[string]func(uint64) []float64{"flatecs": c.flatecs, "plain Go": c.plain}
	who := []string{"flatecs", "plain Go"}
	if c.ark != nil {
		programs["Ark"] = c.ark
		who = append(who, "Ark")
	}
	name := strings.ToLower(strings.ReplaceAll(c.name, ", ", "_"))
	return harness.Case{
		Name: name, Title: c.name, Per: "run", Sizes: []int{1}, Rounds: 100,
		Who: who, Against: []string{"Ark", "plain Go"},
		How: []string{"a run with another seed each time, creation included"},
		Make: func(who string, _ int) harness.Work {
			seed := uint64(0)
			return harness.Work{
				Run: func() {
					seed++
					programs[who](seed)
				},
				Check: func() harness.Result { return harness.Result{Count: 1} },
				Close: func() {},
			}
		},
	}
}

// Steps as the comparison declares.
const (
	schellingSteps = 20
	otherSteps     = 100
)

var contests = []contest{
	schelling("Schelling, small", abm.SchellingSmall, 1000),
	schelling("Schelling, large", abm.SchellingLarge, 8000),
	wolfSheep("WolfSheep, small", abm.WolfSheepSmall),
	wolfSheep("WolfSheep, large", abm.WolfSheepLarge),
	flocking("Flocking, small", abm.FlockingSmall),
	flocking("Flocking, large", abm.FlockingLarge),
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

func schelling(name string, p abm.Schelling, agents int) contest {
	return contest{name, func(seed uint64) []float64 {
		return live(p, seed, abm.StepSchelling, schellingSteps, abm.Happy)
	}, func(seed uint64) []float64 {
		m := stepped(newArkSchelling(p, agents, random(seed)), schellingSteps)
		return []float64{float64(m.happy)}
	}, func(seed uint64) []float64 {
		m := stepped(newPlainSchelling(p, agents, random(seed)), schellingSteps)
		return []float64{float64(m.happy)}
	}}
}

func wolfSheep(name string, p abm.WolfSheep) contest {
	return contest{name, func(seed uint64) []float64 {
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
	}}
}

func flocking(name string, p abm.Flocking) contest {
	return contest{name, func(seed uint64) []float64 {
		return live(p, seed, abm.StepFlocking, otherSteps, abm.Alignment)
	}, nil, func(seed uint64) []float64 {
		return []float64{stepped(newPlainFlocking(p, random(seed)), otherSteps).order()}
	}}
}

func forestFire(name string, p abm.ForestFire) contest {
	return contest{name, func(seed uint64) []float64 {
		return live(p, seed, abm.StepForestFire, otherSteps, abm.Burnt)
	}, nil, func(seed uint64) []float64 {
		return []float64{float64(stepped(newPlainForestFire(p, random(seed)), otherSteps).burnt)}
	}}
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
