package world_test

import (
	"reflect"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
)

// packFuncs are the exported functions of packs and of what they are built on.
var packFuncs = map[string]any{
	"pack.Pack":                    pack.Pack,
	"pack.Packer.Pack":             (*pack.Packer).Pack,
	"pack.Unpack":                  pack.Unpack,
	"pack.Packer.Unpack":           (*pack.Packer).Unpack,
	"pack.SameID":                  pack.SameID,
	"pack.DigestObjects":           pack.DigestObjects,
	"pack.Packer.DigestObjects":    (*pack.Packer).DigestObjects,
	"pack.GlobalOf":                pack.GlobalOf,
	"pack.ByGlobal":                pack.ByGlobal,
	"pack.SetGlobal":               pack.SetGlobal,
	"pack.NewGlobal":               pack.NewGlobal,
	"pack.NextGlobal":              pack.NextGlobal,
	"pack.Globals":                 pack.Globals,
	"GlobalOf":                     systems.GlobalOf,
	"ByGlobal":                     systems.ByGlobal,
	"SetGlobal":                    systems.SetGlobal,
	"NewGlobal":                    systems.NewGlobal,
	"NextGlobal":                   systems.NextGlobal,
	"Globals":                      systems.Globals,
	"Changing":                     systems.Changing,
	"Arena.Changed":                systems.Arena.Changed,
	"Arena.Name":                   systems.Arena.Name,
	"tool.CheckRoom":               tool.CheckRoom,
	"tool.Groups.Sort":             (*tool.Groups).Sort,
	"tool.Groups.Len":              (*tool.Groups).Len,
	"tool.Groups.Objects":          (*tool.Groups).Objects,
	"tool.Groups.Has":              (*tool.Groups).Has,
	"tool.Groups.Keeps":            (*tool.Groups).Keeps,
	"tool.Groups.Uses":             (*tool.Groups).Uses,
	"tool.Groups.Places":           (*tool.Groups).Places,
	"tool.Groups.Place":            (*tool.Groups).Place,
	"tool.Groups.Components":       (*tool.Groups).Components,
	"tool.Groups.Begin":            (*tool.Groups).Begin,
	"tool.Groups.End":              (*tool.Groups).End,
	"tool.Groups.Create":           (*tool.Groups).Create,
	"tool.Groups.Add":              (*tool.Groups).Add,
	"tool.Groups.Suspend":          (*tool.Groups).Suspend,
	"tool.Groups.Name":             (*tool.Groups).Name,
	"tool.Components.Rows":         (*tool.Components).Rows,
	"tool.Components.Values":       (*tool.Components).Values,
	"tool.Components.AppendColumn": (*tool.Components).AppendColumn,
	"tool.Components.SetColumn":    (*tool.Components).SetColumn,
	"tool.Components.IndexKeys":    (*tool.Components).IndexKeys,
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
		"empty": func(*room) any { return new(tool.Groups) },
		"open": func(g *room) any {
			var groups tool.Groups
			groups.Begin(g.s)
			groups.Create(nil, 1)
			return &groups
		},
		"of a closed world": func(*room) any {
			g := &room{exhibit: newExhibit()}
			groups := sorted(g)
			world.Close(g.s)
			return groups
		},
	})
	list(all, func(g *room) *tool.Components {
		c := sorted(g).Components(0, 0)
		return &c
	}, bads{"empty": func(*room) any { return new(tool.Components) }})
}
