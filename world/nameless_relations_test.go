package world_test

import (
	"reflect"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

// relationFuncs are the exported functions of relations.
var relationFuncs = map[string]any{
	"layout.NewRelation": layout.NewRelation,

	"layout.RelationSpec.Handle": (*layout.RelationSpec).Handle,

	"HasTarget":            systems.HasTarget,
	"family.HasTarget":     family.HasTarget,
	"NoTarget":             systems.NoTarget,
	"family.NoTarget":      family.NoTarget,
	"Children":             systems.Children,
	"ChildCount":           systems.ChildCount,
	"Parents":              systems.Parents[float32],
	"UpdateParents":        systems.UpdateParents[float32],
	"Query.Down":           world.Query.Down,
	"Query.Up":             world.Query.Up,
	"Query.AtDepth":        world.Query.AtDepth,
	"Depth":                systems.Depth,
	"family.Depth":         family.Depth,
	"Query.ChildrenOf":     world.Query.ChildrenOf,
	"Member":               systems.Member,
	"SpawnTree":            systems.SpawnTree,
	"Commands.SpawnTree":   world.Commands.SpawnTree,
	"CopyTree":             systems.CopyTree,
	"DisposeTree":          systems.DisposeTree,
	"family.Children":      family.Children,
	"family.Count":         family.Count,
	"family.Parents":       family.Parents[float32],
	"family.UpdateParents": family.UpdateParents[float32],
	"family.Member":        family.Member,
	"family.Spawn":         family.Spawn,
	"family.SpawnTree":     family.SpawnTree,
	"family.Copy":          family.Copy,
	"family.Dispose":       family.Dispose,
	"family.ParseTrees":    family.ParseTrees,
	"family.AppendTrees":   family.AppendTrees,

	"family.TextError.Error":  (*family.TextError).Error,
	"family.TextError.Unwrap": (*family.TextError).Unwrap,
}

// noReference finds nobody.
func noReference(string, int, int) (world.GameObject, error) { return 0, nil }

var foreignParent = layout.NewRelation("foreign parent", layout.Relation{Tree: true})

// listRelations lists what functions of relations take.
func listRelations(all map[reflect.Type]listing) {
	list(all, func(*room) layout.Field[world.GameObject] { return exhibitParent }, bads{
		"foreign":     func(*room) any { return foreignParent },
		"no relation": func(*room) any { return layout.NewComponent[world.GameObject]("plain") },
		"kindless":    func(*room) any { return layout.NewField[world.GameObject]("kindless") },
	})
	list(all, func(*room) systems.Tree { return exhibitTree }, bads{
		"foreign": func(*room) any { return systems.Tree{Recipe: foreignRecipe} },
		"of recipes that lack the relation": func(*room) any {
			return systems.Tree{Recipe: busyBoats, Children: []systems.Tree{{Recipe: busyBoats}}}
		},
		"with foreign values": func(*room) any {
			return systems.Tree{
				Recipe: exhibitCrew, Values: []layout.FieldValue{foreignField.Value(1)},
			}
		},
		"with itself as its parent": func(*room) any {
			return systems.Tree{Recipe: exhibitCrew, Values: []layout.FieldValue{
				exhibitParent.Value(systems.Member(0)),
			}}
		},
		"with a kind that is nil": func(*room) any {
			return systems.Tree{Kinds: []layout.AnyKind{nil}}
		},
		"with a kind of no world": func(*room) any {
			return systems.Tree{Kinds: []layout.AnyKind{foreignField}}
		},
		"with a kind twice": func(*room) any {
			return systems.Tree{Recipe: exhibitCrew, Kinds: []layout.AnyKind{exhibitParent}}
		},
		"with a zero value": func(*room) any {
			return systems.Tree{Values: []layout.FieldValue{{}}}
		},
		"with a member that is none": func(*room) any {
			return systems.Tree{Recipe: exhibitCrew, Values: []layout.FieldValue{
				exhibitParent.Value(systems.Member(9)),
			}}
		},
	})
	list(all, func(*room) *family.TextError { return &family.TextError{Line: 1, Column: 1} }, nil)
	list(all, func(*room) *tool.TextError { return &tool.TextError{} }, nil)
	list(all, func(*room) func(string, int, int) (world.GameObject, error) { return noReference }, nil)
	list(all, func(*room) func(world.GameObject) string { return world.GameObject.String }, nil)
	list(all, func(*room) *layout.RelationSpec { return exhibitParent.Spec().Relation }, nil)
	list(all, func(*room) layout.Relation { return layout.Relation{} }, bads{
		"of no policy": func(*room) any { return layout.Relation{Disposed: 9} },
		"of a field that is taken": func(*room) any {
			return layout.Relation{Fields: []layout.AnyField{foreignField}}
		},
		"of a field that is nil": func(*room) any {
			return layout.Relation{Fields: []layout.AnyField{nil}}
		},
	})
}
