package network_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/network"
)

// Health is what a person is.
type Health uint8

// The states of health.
const (
	Susceptible Health = iota
	Infected
	Recovered
)

var (
	Now    = layout.NewField[Health]("now")
	Next   = layout.NewField[Health]("next")
	Person = layout.NewKind("person", Now, Next)
	people = world.NewRecipe("resident", Person)
	meet   = world.NewQuery(world.Read(Now), world.Write(Next))
	sleep  = world.NewQuery(world.Write(Now), world.Read(Next))
)

var Contacts = network.New("contacts")

// Day lets infected people infect their acquaintances, and recover.
func Day(s world.State) world.State {
	now, weights := world.ReaderOf(s, Now), world.ReaderOf(s, Contacts.Weight)
	for b := range meet.In(s) {
		next := world.Column(b, Next)
		for i, health := range world.Column(b, Now) {
			next[i] = health
			r := world.Random(s, uint64(b.ID(i)))
			switch health {
			case Susceptible:
				for other, link := range Contacts.Neighbours(s, b.ID(i)) {
					health, _ := now.Get(other)
					risk, _ := weights.Get(link)
					if health == Infected && r.Float64() < risk {
						next[i] = Infected
					}
				}
			case Infected:
				if r.Float64() < 0.1 {
					next[i] = Recovered
				}
			case Recovered:
			}
		}
	}
	for b := range sleep.In(s) {
		copy(world.Column(b, Now), world.Column(b, Next))
	}
	return world.Advance(s)
}

// An epidemic among 1,000 people, each with ten acquaintances: neighbours only, or some far away.
func Example() {
	for _, far := range []float64{0, 0.1} {
		counts := world.Counts{
			GameObjects: 1000, Seed: 1, Kinds: layout.Kinds(Person.Count(1000)),
			Recipes: []world.Recipe{people}, Queries: []world.Query{meet, sleep},
		}
		Contacts.AddTo(&counts, 5000)
		s := world.Must(world.CreateState(counts))
		var nodes []world.GameObject
		s = world.Must(world.SpawnN(s, people, 1000, func(b world.Batch) {
			nodes = b.AppendIDs(nodes)
		}))
		r := world.Random(s)
		pairs := network.SmallWorld(1000, 5, far, &r)
		s = world.Must(Contacts.LinkAll(s, nodes, pairs, 0.06))
		for _, id := range nodes[:5] {
			s = world.Must(world.Set(s, id, Now, Infected))
		}
		for range 60 {
			s = Day(s)
		}
		met := 0
		for _, health := range world.View(s, Now) {
			if health != Susceptible {
				met++
			}
		}
		fmt.Printf("far %v: %d of 1000 people were ill\n", far, met)
		world.Close(s)
	}
	// Output:
	// far 0: 144 of 1000 people were ill
	// far 0.1: 993 of 1000 people were ill
}
