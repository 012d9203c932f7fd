package world_test

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

var (
	// exhibitBoard is in an exhibit, with somebody in its first cell.
	exhibitBoard = space.NewGrid("exhibit board", space.GridOptions{Width: 4, Height: 2, Limit: 1})
	exhibitYard  = space.NewGrid("exhibit yard", space.GridOptions{Width: 2, Height: 2, Limit: 1})
)

// cellContracts are those of cells of space.
func cellContracts() map[string]contract {
	seen := func(f func(v roomView)) contract {
		return knowsNone(func() {
			x := newExhibit()
			f(x.cells.In(x.s))
		})
	}
	here := [3]float32{1, 2, 3}
	return map[string]contract{
		"space.NewCells": reads(func(_ *exhibit, s world.State) {
			world.Must(space.NewCells(s, world.Position, space.Options{Size: 1}))
		}),
		"space.Carry": knowsNone(func() { space.Carry(world.Position) }),
		"space.Cells.Build": steps(func(x *exhibit, s world.State) world.State {
			return x.cells.Build(s, nil)
		}),
		"space.Cells.In": reads(func(x *exhibit, s world.State) {
			if s != x.s { // a snapshot's, which the cells are not of
				defer func() { _ = recover() }()
			}
			x.cells.In(s)
		}),
		"space.Column": knowsNone(func() {
			defer func() { _ = recover() }() // it is of no cells
			space.Column(roomView{}, world.Velocity)
		}),
		"space.View.Len":     seen(func(v roomView) { v.Len() }),
		"space.View.Points":  seen(func(v roomView) { v.Points() }),
		"space.View.IDs":     seen(func(v roomView) { v.IDs() }),
		"space.View.Strays":  seen(func(v roomView) { _ = v.Strays() }),
		"space.View.Between": seen(func(v roomView) { v.Between(here, here) }),
		"space.View.Near":    seen(func(v roomView) { v.Near(here, 1) }),
		"space.View.Rect":    seen(func(v roomView) { v.Rect(here, here) }),
		"space.View.Pairs": seen(func(v roomView) {
			v.Pairs(1)(func(int, int) bool { return true })
		}),
		"space.View.PairsOf": seen(func(v roomView) {
			v.PairsOf(0, 2, 1)(func(int, int) bool { return true })
		}),
		"space.View.Around": seen(func(v roomView) {
			v.Around(0, 2, 1)(func(int, space.Runs) bool { return true })
		}),
		"space.Return": knowsNone(func() {
			x := newExhibit()
			v := x.cells.In(x.s)
			for b := range world.NewQuery(world.Write(world.Velocity)).In(x.s) {
				space.Return(world.Column(b, world.Velocity), v, b, make([]float32, v.Len()))
			}
		}),
		"space.View.Nearest": seen(func(v roomView) { v.Nearest(make([]space.Hit, 2), here, 5) }),
		"space.Runs.Next": seen(func(v roomView) {
			r := v.Near(here, 1)
			r.Next()
		}),
	}
}

// gridContracts are those of grids.
func gridContracts() map[string]contract {
	return map[string]contract{
		"space.NewGrid": knowsNone(func() {
			space.NewGrid("contract grid", space.GridOptions{Width: 1, Height: 1, Limit: 1})
		}),
		"space.Grid.AddTo": knowsNone(func() { exhibitYard.AddTo(&world.Counts{}) }),
		"space.Grid.Create": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return exhibitYard.Create(s)
		}),
		"space.Grid.Cells":      knowsNone(func() { exhibitBoard.Cells() }),
		"space.Grid.Size":       knowsNone(func() { exhibitBoard.Size() }),
		"space.Grid.At":         knowsNone(func() { exhibitBoard.At(1, 1) }),
		"space.Grid.XY":         knowsNone(func() { exhibitBoard.XY(1) }),
		"space.Grid.Row":        knowsNone(func() { exhibitBoard.Row(1) }),
		"space.Grid.Moore":      knowsNone(func() { exhibitBoard.Moore(nil, 1, 1) }),
		"space.Grid.VonNeumann": knowsNone(func() { exhibitBoard.VonNeumann(nil, 1, 1) }),
		"space.Grid.ID":         reads(func(_ *exhibit, s world.State) { exhibitBoard.ID(s, 1) }),
		"space.Grid.Enter": changes(func(x *exhibit, s world.State) (world.State, error) {
			return exhibitBoard.Enter(s, 1, x.bare)
		}).refuses(func(x *exhibit, s world.State) (world.State, error) {
			return exhibitBoard.Enter(s, 0, x.bare)
		}),
		"space.Grid.Leave": changes(func(x *exhibit, s world.State) (world.State, error) {
			return exhibitBoard.Leave(s, 0, x.full)
		}).refuses(func(x *exhibit, s world.State) (world.State, error) {
			return exhibitBoard.Leave(s, 0, x.bare)
		}),
		"space.Grid.Occupant": reads(func(_ *exhibit, s world.State) {
			exhibitBoard.Occupant(s, 0)
		}),
		"space.Grid.Occupants": reads(func(_ *exhibit, s world.State) {
			exhibitBoard.Occupants(s, 0)
		}),
		"space.Grid.Empty": reads(func(_ *exhibit, s world.State) { exhibitBoard.Empty(s) }),
		"space.Grid.RandomEmpty": reads(func(_ *exhibit, s world.State) {
			r := world.Random(s, 1, 2)
			exhibitBoard.RandomEmpty(s, &r)
		}),
	}
}
