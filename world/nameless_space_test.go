package world_test

import (
	"math"
	"reflect"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

type (
	roomCells = space.Cells[[3]float32]
	roomView  = space.View[[3]float32]
)

// spaceFuncs are the exported functions of space, and of axes.
var spaceFuncs = map[string]any{
	"layout.Field.Axis":      layout.Field[[3]float32].Axis,
	"layout.Field.Axes":      layout.Field[[3]float32].Axes,
	"layout.Axis.Of":         layout.Axis[[3]float32].Of,
	"layout.Axis.Read":       layout.Axis[[3]float32].Read,
	"space.NewCells":         space.NewCells[[3]float32],
	"space.Carry":            space.Carry[[3]float32],
	"space.Column":           space.Column[float32, [3]float32],
	"space.Return":           space.Return[float32, [3]float32],
	"space.Cells.Build":      (*roomCells).Build,
	"space.Cells.In":         (*roomCells).In,
	"space.View.Len":         roomView.Len,
	"space.View.Points":      roomView.Points,
	"space.View.IDs":         roomView.IDs,
	"space.View.Strays":      roomView.Strays,
	"space.View.Between":     roomView.Between,
	"space.View.Near":        roomView.Near,
	"space.View.Rect":        roomView.Rect,
	"space.View.Pairs":       roomView.Pairs,
	"space.View.PairsOf":     roomView.PairsOf,
	"space.View.Around":      roomView.Around,
	"space.View.Nearest":     roomView.Nearest,
	"space.Runs.Next":        (*space.Runs).Next,
	"space.NewGrid":          space.NewGrid,
	"space.Grid.AddTo":       (*space.Grid).AddTo,
	"space.Grid.Create":      (*space.Grid).Create,
	"space.Grid.Cells":       (*space.Grid).Cells,
	"space.Grid.Size":        (*space.Grid).Size,
	"space.Grid.At":          (*space.Grid).At,
	"space.Grid.XY":          (*space.Grid).XY,
	"space.Grid.ID":          (*space.Grid).ID,
	"space.Grid.Row":         (*space.Grid).Row,
	"space.Grid.Moore":       (*space.Grid).Moore,
	"space.Grid.VonNeumann":  (*space.Grid).VonNeumann,
	"space.Grid.Enter":       (*space.Grid).Enter,
	"space.Grid.Leave":       (*space.Grid).Leave,
	"space.Grid.Occupant":    (*space.Grid).Occupant,
	"space.Grid.Occupants":   (*space.Grid).Occupants,
	"space.Grid.Empty":       (*space.Grid).Empty,
	"space.Grid.RandomEmpty": (*space.Grid).RandomEmpty,
}

var roomGrid = space.NewGrid("room", space.GridOptions{Width: 5, Height: 4, Wrap: true, Limit: 2})

// cellsIn returns cells of a room's positions.
func cellsIn(g *room) *roomCells {
	c := world.Must(space.NewCells(g.s, world.Position, space.Options{Size: 1}))
	g.s = c.Build(g.s, nil)
	return c
}

// listSpace lists what functions of space take.
func listSpace(all map[reflect.Type]listing) {
	list(all, func(*room) layout.Field[[3]float32] { return world.Position }, bads{
		"kindless": func(*room) any { return layout.NewField[[3]float32]("kindless") },
		"foreign":  func(*room) any { return layout.NewComponent[[3]float32]("foreign") },
	})
	list(all, func(*room) layout.Axis[[3]float32] { return world.Position.Axis("[1]") }, nil)
	list(all, func(*room) *[3]float32 { return &[3]float32{1, 2, 3} }, nil)
	list(all, cellsIn, bads{
		"not built": func(g *room) any {
			return world.Must(space.NewCells(g.s, world.Position, space.Options{Size: 1}))
		},
	})
	list(all, func(g *room) roomView { return cellsIn(g).In(g.s) }, nil)
	list(all, func(*room) space.Options { return space.Options{Size: 1} }, bads{
		"of a box inside out": func(*room) any {
			return space.Options{Size: 1, Low: []float64{1, 1, 1}, High: []float64{0, 0, 0}}
		},
		"of too many cells": func(*room) any {
			return space.Options{Size: 1, Low: make([]float64, 3), High: []float64{1e9, 1e9, 1e9}}
		},
		"of an axis that is none": func(*room) any {
			return space.Options{Size: 1, Axes: []string{"[0]", "[3]"}}
		},
		"of nothing carried": func(*room) any {
			return space.Options{Size: 1, Carry: make([]space.Carried, 1)}
		},
		"of a size that is no number": func(*room) any { return space.Options{Size: math.NaN()} },
	})
	list(all, func(*room) []space.Hit { return make([]space.Hit, 3) }, nil)
	list(all, func(g *room) *space.Runs {
		r := cellsIn(g).In(g.s).Near([3]float32{}, 1)
		return &r
	}, bads{"zero": func(*room) any { return new(space.Runs) }})
	list(all, func(*room) *space.Grid { return roomGrid }, bads{
		"zero": func(*room) any { return new(space.Grid) },
	})
	list(all, func(*room) space.GridOptions { return space.GridOptions{Width: 2, Height: 2} }, bads{
		"huge":     func(*room) any { return space.GridOptions{Width: 1 << 30, Height: 1 << 30} },
		"negative": func(*room) any { return space.GridOptions{Width: -1, Height: -1} },
	})
}
