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
	"slices"
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
	name     string
	programs map[string]func(seed uint64) []float64 // by contender
}

// measured is a contest as a case.
func (c *contest) measured() harness.Case {
	who := []string{"flatecs", "plain Go"}
	if c.programs["Ark"] != nil {
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
					c.programs[who](seed)
				},
				Check: func() harness.Result { return harness.Result{Count: 1} },
			}
		},
	}
}

// contests are all models, whose steps are as many as the comparison declares.
var contests = slices.Concat(
	contested("Schelling", []abm.Schelling{abm.SchellingSmall, abm.SchellingLarge}, 20,
		abm.StepSchelling, abm.Happy, newPlainSchelling, newArkSchelling),
	contested("WolfSheep", []abm.WolfSheep{abm.WolfSheepSmall, abm.WolfSheepLarge}, 100,
		abm.StepWolfSheep, abm.Animals, newPlainWolfSheep, newArkWolfSheep),
	contested("Flocking", []abm.Flocking{abm.FlockingSmall, abm.FlockingLarge}, 100,
		abm.StepFlocking, abm.Alignment, newPlainFlocking, nil),
	contested("ForestFire", []abm.ForestFire{abm.ForestFireSmall, abm.ForestFireLarge}, 100,
		abm.StepForestFire, abm.Burnt, newPlainForestFire, nil),
)

// A program is a model beside flatecs, and makes one for parameters.
type (
	program interface {
		step()
		end() []float64 // numbers of the last state
	}
	beside[M abm.Model] func(p M, r *rand.Rand) program
)

// contested returns the contests of a model, small and large; ark may be nil.
func contested[M abm.Model](
	name string, sizes []M, steps int, step func(world.State) world.State,
	end func(world.State) []float64, plain, ark beside[M],
) (all []contest) {
	for i, p := range sizes {
		c := contest{name + []string{", small", ", large"}[i], map[string]func(uint64) []float64{
			"flatecs": func(seed uint64) []float64 {
				counts := p.Counts()
				counts.Seed = seed
				s := world.Must(p.Setup(world.Must(world.CreateState(counts))))
				for range steps {
					s = step(s)
				}
				defer world.Close(s)
				return end(s)
			},
			"plain Go": plain.run(p, steps),
		}}
		if ark != nil {
			c.programs["Ark"] = ark.run(p, steps)
		}
		all = append(all, c)
	}
	return all
}

func (b beside[M]) run(p M, steps int) func(seed uint64) []float64 {
	return func(seed uint64) []float64 {
		m := b(p, rand.New(rand.NewPCG(seed, 1)))
		for range steps {
			m.step()
		}
		return m.end()
	}
}

// agents returns how many live in Schelling's city.
func agents(p abm.Schelling) int { return int(p.Density*float64(p.Side*p.Side) + .5) }
