package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/bench/turns"
	"github.com/flatecs/flatecs/cmd/scene/abm"
	"github.com/flatecs/flatecs/world"
)

type options struct {
	Seeds int `help:"Runs of each model." default:"100"`
}

func main() {
	var o options
	kong.Parse(&o, kong.Description("Measure the models of JuliaDynamics/ABMFrameworksComparison."))
	if o.Seeds < 1 {
		fmt.Fprintln(os.Stderr, "abm: --seeds below 1; give 1 or more")
		os.Exit(2)
	}
	report(os.Stdout, measure(os.Stderr, o.Seeds))
}

// A contest is a model of one size in both libraries; each runs once, from a seed, and returns
// numbers of its last state.
type contest struct {
	name         string
	flatecs, ark func(seed uint64) []float64
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

func schelling(name string, p abm.Schelling, agents int) contest {
	return contest{name, func(seed uint64) []float64 {
		return live(p, seed, abm.StepSchelling, schellingSteps, abm.Happy)
	}, func(seed uint64) []float64 {
		m := newArkSchelling(p, agents, rand.New(rand.NewPCG(seed, 1)))
		for range schellingSteps {
			m.step()
		}
		return []float64{float64(m.happy)}
	}}
}

func wolfSheep(name string, p abm.WolfSheep) contest {
	return contest{name, func(seed uint64) []float64 {
		return live(p, seed, abm.StepWolfSheep, otherSteps, abm.Animals)
	}, func(seed uint64) []float64 {
		m := newArkWolfSheep(p, rand.New(rand.NewPCG(seed, 1)))
		for range otherSteps {
			m.step()
		}
		sheep, wolves := m.allSheep.Query(), m.allWolfs.Query()
		defer sheep.Close()
		defer wolves.Close()
		return []float64{float64(sheep.Count()), float64(wolves.Count())}
	}}
}

func flocking(name string, p abm.Flocking) contest {
	return contest{name, func(seed uint64) []float64 {
		return live(p, seed, abm.StepFlocking, otherSteps, abm.Alignment)
	}, func(seed uint64) []float64 {
		m := newArkFlocking(p, rand.New(rand.NewPCG(seed, 1)))
		for range otherSteps {
			m.step()
		}
		return nil // birds see others
	}}
}

func forestFire(name string, p abm.ForestFire) contest {
	return contest{name, func(seed uint64) []float64 {
		return live(p, seed, abm.StepForestFire, otherSteps, abm.Burnt)
	}, func(seed uint64) []float64 {
		m := newArkForestFire(p, rand.New(rand.NewPCG(seed, 1)))
		for range otherSteps {
			m.step()
		}
		return []float64{float64(m.burnt)}
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

// A result is the times of a contest, in milliseconds, seed by seed.
type result struct {
	name         string
	flatecs, ark []float64
}

func measure(progress io.Writer, seeds int) []result {
	results := make([]result, len(contests))
	for seed := range uint64(seeds) {
		fmt.Fprintf(progress, "\rseed %d of %d", seed+1, seeds)
		for i, c := range contests {
			r := &results[i]
			r.name = c.name
			r.flatecs = append(r.flatecs, milliseconds(c.flatecs, seed+1))
			r.ark = append(r.ark, milliseconds(c.ark, seed+1))
		}
	}
	fmt.Fprintln(progress)
	return results
}

func milliseconds(run func(uint64) []float64, seed uint64) float64 {
	begun := time.Now()
	run(seed)
	return float64(time.Since(begun).Microseconds()) / 1000
}

func report(w io.Writer, results []result) {
	rows := [][]string{{"model", "flatecs, ms", "Ark, ms", "flatecs/Ark", "least/least"}}
	for _, r := range results {
		a, b := turns.Median(r.flatecs), turns.Median(r.ark)
		least := turns.Quantile(r.flatecs, 0) / turns.Quantile(r.ark, 0)
		rows = append(rows, []string{
			r.name, turns.Figure(a), turns.Figure(b), turns.Figure(a / b), turns.Figure(least),
		})
	}
	fmt.Fprintf(w, "%v\nMedians of %d runs, creation included.\n", turns.ThisMachine(),
		len(results[0].ark))
	turns.Table(w, rows)
}
