package world_test

import (
	"math"
	"reflect"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/network"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/space"
)

// noReference finds nobody.
func noReference(string, int, int) (world.GameObject, error) { return 0, nil }

var foreignParent = layout.NewRelation("foreign parent", layout.Relation{Tree: true})

// listRelations lists what functions of relations take.
func listRelations(all map[reflect.Type]listing) {
	list(all, func(*room) layout.Field[world.GameObject] { return exhibitParent }, bads{
		"foreign":     foreignParent,
		"no relation": func(*room) any { return layout.NewComponent[world.GameObject]("plain") },
		"kindless":    func(*room) any { return layout.NewField[world.GameObject]("kindless") },
	})
	list(all, func(*room) systems.Tree { return exhibitTree }, bads{
		"foreign": systems.Tree{Recipe: foreignRecipe},
		"of recipes that lack the relation": systems.Tree{
			Recipe: busyBoats, Children: []systems.Tree{{Recipe: busyBoats}},
		},
		"with foreign values": systems.Tree{
			Recipe: exhibitCrew, Values: []layout.FieldValue{foreignField.Value(1)},
		},
		"with itself as its parent": systems.Tree{Recipe: exhibitCrew, Values: []layout.FieldValue{
			exhibitParent.Value(systems.Member(0)),
		}},
		"with a kind that is nil": systems.Tree{Kinds: []layout.AnyKind{nil}},
		"with a kind of no world": systems.Tree{Kinds: []layout.AnyKind{foreignField}},
		"with a kind twice": systems.Tree{
			Recipe: exhibitCrew, Kinds: []layout.AnyKind{exhibitParent},
		},
		"with a zero value": systems.Tree{Values: []layout.FieldValue{{}}},
		"with a member that is none": systems.Tree{Recipe: exhibitCrew, Values: []layout.FieldValue{
			exhibitParent.Value(systems.Member(9)),
		}},
	})
	list(all, func(g *room) systems.Ordered {
		return systems.OrderedBy(g.s, exhibitParent.Spec())
	}, nil)
	list(all, func(*room) exhibitIndex { return index.New(exhibitParent) }, bads{
		"of a kind that the world does not have": index.New(foreignParent),
	})
	list(all, func(*room) *family.TextError { return &family.TextError{Line: 1, Column: 1} }, nil)
	list(all, func(*room) *tool.TextError { return &tool.TextError{} }, nil)
	list(all, func(*room) func(string, int, int) (world.GameObject, error) {
		return noReference
	}, nil)
	list(all, func(*room) func(world.GameObject) string { return world.GameObject.String }, nil)
	list(all, func(*room) *layout.RelationSpec { return exhibitParent.Spec().Relation }, nil)
	list(all, func(*room) layout.Relation { return layout.Relation{} }, bads{
		"of no policy":             layout.Relation{Disposed: 9},
		"of a field that is taken": layout.Relation{Fields: []layout.AnyField{foreignField}},
		"of a field that is nil":   layout.Relation{Fields: []layout.AnyField{nil}},
	})
}

type (
	exhibitIndex = index.Index[world.GameObject]

	roomCells = space.Cells[[3]float32]
	roomView  = space.View[[3]float32]
)

var roomGrid = space.NewGrid("room", space.GridOptions{Width: 5, Height: 4, Wrap: true, Limit: 2})

// listSpace lists what functions of space take.
func listSpace(all map[reflect.Type]listing) {
	list(all, func(*room) layout.Field[[3]float32] { return heroes.Position }, bads{
		"kindless": func(*room) any { return layout.NewField[[3]float32]("kindless") },
		"foreign":  func(*room) any { return layout.NewComponent[[3]float32]("foreign") },
	})
	list(all, func(*room) layout.Axis[[3]float32] { return heroes.Position.Axis("[1]") }, nil)
	list(all, func(*room) *[3]float32 { return &[3]float32{1, 2, 3} }, nil)
	list(all, func(g *room) *roomCells { return g.cells }, bads{
		"not built": func(g *room) any {
			return world.Must(space.NewCells(g.s, heroes.Position, space.Options{Size: 1}))
		},
	})
	list(all, func(g *room) roomView { return g.cells.In(g.s) }, nil)
	list(all, func(*room) space.Options { return space.Options{Size: 1} }, bads{
		"of a box inside out": space.Options{
			Size: 1, Low: []float64{1, 1, 1}, High: []float64{0, 0, 0},
		},
		"of too many cells": space.Options{
			Size: 1, Low: make([]float64, 3), High: []float64{1e9, 1e9, 1e9},
		},
		"of an axis that is none":     space.Options{Size: 1, Axes: []string{"[0]", "[3]"}},
		"of nothing carried":          space.Options{Size: 1, Carry: make([]space.Carried, 1)},
		"of a size that is no number": space.Options{Size: math.NaN()},
	})
	list(all, func(*room) []space.Hit { return make([]space.Hit, 3) }, nil)
	list(all, func(*room) *space.Grid { return exhibitBoard }, bads{
		"foreign": roomGrid,
	})
	list(all, func(*room) space.GridOptions {
		return space.GridOptions{Width: 2, Height: 2, Limit: 1}
	}, bads{
		"huge":     space.GridOptions{Width: 1 << 30, Height: 1 << 30},
		"negative": space.GridOptions{Width: -1, Height: -1},
	})
}

var roomNetwork = network.New("roads")

// listNetwork lists what functions of network take.
func listNetwork(all map[reflect.Type]listing) {
	list(all, func(*room) *network.Network { return roomNetwork }, bads{
		"foreign": func(*room) any { return network.New("foreign") },
	})
	list(all, func(*room) []network.Pair { return []network.Pair{{From: 0, To: 0}} }, bads{
		"of none": []network.Pair{{From: -1, To: 1 << 20}},
	})
}

func listPacks(all map[reflect.Type]listing) {
	list(all, func(*room) *pack.Packer { return exhibitPacker() }, bads{
		"without codecs": func(*room) any { return &pack.Packer{} },
	})
	sorted := func(g *room) *tool.Groups {
		var groups tool.Groups
		if err := groups.Sort(g.s, []world.GameObject{g.full}); err != nil {
			panic(err)
		}
		return &groups
	}
	list(all, sorted, bads{
		"open": func(g *room) any {
			var groups tool.Groups
			groups.Begin(g.s)
			groups.Create(nil, 1)
			return &groups
		},
		"of a closed world": func(*room) any {
			g := &room{exhibit: exhibitOf(exhibitCounts())}
			groups := sorted(g)
			world.Close(g.s)
			return groups
		},
	})
	list(all, func(g *room) *tool.Components {
		c := sorted(g).Components(0, 0)
		return &c
	}, nil)
}
