package lab_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// The model of the tests: walkers on a line that die at its ends.
type walk struct {
	Walkers int
	Stride  float64
	Width   float64 `lab:"half width"`
	Drift   bool
	Title   string
}

type rules struct{ Stride, Width, Drift float64 }

var (
	place   = layout.NewField[float64]("place")
	age     = layout.NewField[uint32]("age")
	walker  = layout.NewKind("walker", place, age)
	walking = world.NewQuery(world.Write(place, age))
	placed  = world.NewQuery(world.Read(place))

	ruleField = layout.NewField[rules]("rules")
	ruled     = world.NewResource("rules", ruleField)
	person    = world.NewRecipe("walker", walker)
)

func counts(p walk) world.Counts {
	return world.Counts{
		GameObjects: p.Walkers, Kinds: []layout.Count{walker.Count(p.Walkers)},
		Recipes: []world.Recipe{person}, Queries: []world.Query{walking},
		Resources: []world.ResourceKind{ruled}, Commands: p.Walkers,
	}
}

var errTitle = errors.New("the title is refused")

func setup(s world.State, p walk) (world.State, error) {
	if p.Title == "refused" {
		return s, errTitle
	}
	drift := 0.0
	if p.Drift {
		drift = 0.1
	}
	s = world.SetResource(s, ruleField, rules{p.Stride, p.Width, drift})
	return world.SpawnN(s, person, p.Walkers, nil)
}

func step(s world.State) (world.State, error) {
	r := world.Resource(s, ruleField)
	for b := range walking.In(s) {
		at, ages := world.Column(b, place), world.Column(b, age)
		for i := range at {
			n := world.Random(s, uint64(b.ID(i)))
			at[i] += float64(r.Stride*n.Norm()) + r.Drift
			ages[i]++
			if at[i] > r.Width || at[i] < -r.Width {
				b.Dispose(i)
			}
		}
	}
	s, err := world.Apply(s)
	return world.Advance(s), err
}

var reports = []lab.Reporter{
	lab.Count("alive", world.With(walker)),
	lab.Of(place).Mean("place"),
	lab.Of(age, world.Read(place)).Max("oldest"),
	lab.Digest("digest"),
}

func sweep(sets ...walk) lab.Sweep[walk] {
	return lab.Sweep[walk]{
		Params: sets, Seeds: lab.Seeds(1, 5), Counts: counts, Setup: setup, Step: step,
		Steps: 20, Reports: reports, Every: 5, Build: "tests",
	}
}

func twoSets(t *testing.T) []walk {
	t.Helper()
	sets, err := lab.Grid(walk{Walkers: 50, Width: 3, Title: "a,b"}, lab.Range("stride", 0.5, 1, 2))
	require.NoError(t, err)
	return sets
}
