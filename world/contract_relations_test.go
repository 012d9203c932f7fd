package world_test

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

var (
	exhibitParent = layout.NewRelation("contract parent", layout.Relation{
		Disposed: layout.Cascade, Tree: true,
	})
	exhibitCrew = world.NewRecipe("contract crew", exhibitParent)
	exhibitTree = systems.Tree{
		Recipe: exhibitCrew, Children: []systems.Tree{{Recipe: exhibitCrew}, {Recipe: exhibitCrew}},
	}
)

// relationContracts are those of relations.
func relationContracts() map[string]contract {
	batch := func(f func(b world.Batch)) contract {
		return reads(func(_ *exhibit, s world.State) {
			for b := range exhibited.Down(s, exhibitParent) {
				f(b)
			}
		})
	}
	return map[string]contract{
		"Children": reads(func(x *exhibit, s world.State) {
			all(systems.Children(s, exhibitParent, x.full))
		}),
		"ChildCount": reads(func(x *exhibit, s world.State) {
			systems.ChildCount(s, exhibitParent, x.full)
		}),
		"Query.Down": reads(func(_ *exhibit, s world.State) {
			all(exhibited.Down(s, exhibitParent))
		}),
		"Query.Up": reads(func(_ *exhibit, s world.State) { all(exhibited.Up(s, exhibitParent)) }),
		"Query.AtDepth": reads(func(_ *exhibit, s world.State) {
			all(exhibited.AtDepth(s, exhibitParent, 0))
		}),
		"Depth": reads(func(_ *exhibit, s world.State) { systems.Depth(s, exhibitParent) }),
		"Query.ChildrenOf": reads(func(x *exhibit, s world.State) {
			all(exhibited.ChildrenOf(s, exhibitParent, x.full))
		}),
		"Parents": batch(func(b world.Batch) { systems.Parents(b, busyCount) }),
		"UpdateParents": knowsNone(func() {
			defer func() { _ = recover() }() // it is of no walk
			systems.UpdateParents(world.Batch{}, busyCount, func(int, *uint16) {})
		}),
		"HasTarget": knowsNone(func() { systems.HasTarget(exhibitParent) }),
		"NoTarget":  knowsNone(func() { systems.NoTarget(exhibitParent) }),
		"Member":    knowsNone(func() { systems.Member(1) }),
		"SpawnTree": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return try(systems.SpawnTree(nil, s, exhibitParent, exhibitTree))
		}),
		"Commands.SpawnTree": records(func(_ *exhibit, s world.State) {
			world.Record(s).SpawnTree(exhibitParent, exhibitTree)
		}),
		"CopyTree": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(systems.CopyTree(s, exhibitParent, x.full))
		}),
		"DisposeTree": changes(func(x *exhibit, s world.State) (world.State, error) {
			return systems.DisposeTree(s, exhibitParent, x.full)
		}),
	}
}
