package abm

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/random"
)

// Schelling is the model of segregation: agents of several groups on a square, which move to a free
// place unless enough of their neighbours belong to their group.
type Schelling struct {
	Density float64 // agents per place
	Side    int32   // places along each axis, at most 1,000
	Wanted  int32   // neighbours of the own group that an agent needs to be happy
	Radius  int32   // of the neighbourhood, in Chebyshev's metric
	Groups  int32   // of equal size
}

// The sizes that the comparison declares: 1,000 and 8,000 agents.
var (
	SchellingSmall = Schelling{Density: .625, Side: 40, Wanted: 3, Radius: 1, Groups: 2}
	SchellingLarge = Schelling{Density: .8, Side: 100, Wanted: 8, Radius: 2, Groups: 2}
)

var (
	place  = layout.NewField[uint32]("place")
	group  = layout.NewField[uint8]("group") // from 1
	happy  = layout.NewField[bool]("happy")
	turn   = layout.NewField[uint32]("turn") // row of the agent that acts at this turn
	agent  = layout.NewKind("agent", place, group, happy, turn)
	person = world.NewRecipe("person", agent)

	tenant   = layout.NewField[uint8]("tenant") // group of the agent at this place; 0: free
	free     = layout.NewField[uint32]("free")  // the free places, contiguous
	square   = layout.NewKind("square", tenant, free)
	estate   = world.NewRecipe("estate", square)
	citizens = layout.NewField[Schelling]("schelling")
	city     = world.NewResource("city", citizens)
)

// agents returns the number of agents.
func (p Schelling) agents() int { return int(float64(p.Density*float64(cells(p.Side))) + .5) }

// Counts returns the counts for the model.
func (p Schelling) Counts() world.Counts {
	if p.check() != nil { // Setup returns the error
		return SchellingSmall.Counts()
	}
	kinds := layout.Kinds(agent.Count(p.agents()), square.Count(cells(p.Side)))
	return counts(p.agents()+cells(p.Side), city, kinds, person, estate)
}

func (p Schelling) setup(s world.State) world.State {
	s = spawn(spawn(world.SetResource(s, citizens, p), person, p.agents()), estate, cells(p.Side))
	homes, turns, places := world.View(s, free), world.View(s, turn), world.View(s, place)
	tenants, groups, r := world.View(s, tenant), world.View(s, group), world.Random(s)
	number(homes, turns)
	random.Shuffle(homes, &r)
	for i, at := range homes[len(homes)-len(places):] {
		groups[i] = uint8(1 + i*int(p.Groups)/len(places))
		places[i], tenants[at] = at, groups[i]
	}
	return touch(touch(s, place, places), tenant, tenants)
}

// StepSchelling lets each agent, in a new random order, move if it is not happy.
func StepSchelling(s world.State) world.State {
	p, r := world.Resource(s, citizens), world.Random(s)
	turns, places, groups := world.View(s, turn), world.View(s, place), world.View(s, group)
	smiles, tenants := world.View(s, happy), world.View(s, tenant)
	vacant := world.View(s, free)[:len(tenants)-len(turns)]
	random.Shuffle(turns, &r)
	for _, i := range turns {
		at := places[i]
		smiles[i] = p.same(tenants, int(at), groups[i]) >= int(p.Wanted)
		if !smiles[i] && len(vacant) > 0 {
			j := r.IntN(len(vacant))
			places[i], vacant[j] = vacant[j], at
			tenants[at], tenants[places[i]] = 0, groups[i]
		}
	}
	return world.Advance(touch(touch(s, place, places), tenant, tenants))
}

// same counts the neighbours of a place that belong to a group, without the place's own agent.
func (p *Schelling) same(tenants []uint8, at int, group uint8) int {
	side, radius, n := int(p.Side), int(p.Radius), -1
	x, y := at%side, at/side
	left, right := max(x-radius, 0), min(x+radius, side-1)
	for v := max(y-radius, 0); v <= min(y+radius, side-1); v++ {
		for _, who := range tenants[v*side+left : v*side+right+1] {
			if who == group {
				n++
			}
		}
	}
	return n
}
