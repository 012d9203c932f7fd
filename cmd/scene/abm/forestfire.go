package abm

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// ForestFire is the model of a fire that spreads through a forest from its left side, from tree to
// tree.
type ForestFire struct {
	Density float64 // trees per place
	Side    int64   // places along each axis, at most 1,000
}

// The sizes that the comparison declared in 2023.
var (
	ForestFireSmall = ForestFire{Density: .7, Side: 100}
	ForestFireLarge = ForestFire{Density: .9, Side: 500}
)

// States of a tree; 0 is a place without a tree.
const (
	green uint8 = 1 + iota
	burning
	burnt
)

var (
	tree    = layout.NewField[uint8]("tree")
	lit     = layout.NewField[uint32]("lit") // places, in the order of ignition
	stand   = layout.NewKind("stand", tree, lit)
	wood    = world.NewRecipe("wood", stand)
	forests = layout.NewField[ForestFire]("forestfire")
	front   = layout.NewField[[2]uint32]("front") // the range of lit that burns
	forest  = world.NewResource("forest", forests, front)
)

// Counts returns the counts for the model.
func (p ForestFire) Counts() world.Counts {
	if p.check() != nil { // Setup returns the error
		return ForestFireSmall.Counts()
	}
	return counts(cells(p.Side), forest, layout.Kinds(stand.Count(cells(p.Side))), wood)
}

func (p ForestFire) setup(s world.State) world.State {
	s = spawn(world.SetResource(s, forests, p), wood, cells(p.Side))
	r, end, trees, places := world.Random(s), uint32(0), world.View(s, tree), world.View(s, lit)
	for i := range trees {
		switch {
		case r.Float64() >= p.Density:
		case i%int(p.Side) == 0:
			trees[i], places[end] = burning, uint32(i)
			end++
		default:
			trees[i] = green
		}
	}
	return world.SetResource(touch(s, tree, trees), front, [2]uint32{0, end})
}

// StepForestFire lets each burning tree ignite the green trees beside it.
func StepForestFire(s world.State) world.State {
	side, now := int(world.Resource(s, forests).Side), world.Resource(s, front)
	trees, places, end := world.View(s, tree), world.View(s, lit), now[1]
	for _, place := range places[now[0]:now[1]] {
		at := int(place)
		for _, near := range [4]int{at - side, at - min(at%side, 1), at + 1, at + side} {
			past := near == at+1 && near%side == 0 // the first place of the next row
			if near >= 0 && near < len(trees) && !past && trees[near] == green {
				trees[near], places[end] = burning, uint32(near)
				end++
			}
		}
		trees[at] = burnt
	}
	return world.Advance(world.SetResource(touch(s, tree, trees), front, [2]uint32{now[1], end}))
}
