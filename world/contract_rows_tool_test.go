package world_test

import (
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/network"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/random"
	"github.com/flatecs/flatecs/world/space"
)

// toolRows are those of package tool.
func toolRows() []row {
	return []row{
		reads.of("tool.MaxIndex", tool.MaxIndex),
		reads.of("tool.Cap", tool.Cap),
		reads.of("tool.Mounted", tool.Mounted),
		reads.of("tool.Buffer", tool.Buffer),
		reads.of("tool.KindUses", tool.KindUses),
		reads.of("tool.Capacity", tool.Capacity),
		reads.of("tool.QualityOf", tool.QualityOf),
		reads.of("tool.RowUseOf", tool.RowUseOf),
		reads.of("tool.Runs", tool.Runs),
		reads.of("tool.AnyValueOf", tool.AnyValueOf),
		reads.of("tool.WatcherUses", tool.WatcherUses),
		reads.of("tool.NumberOf", tool.NumberOf),
		reads.of("tool.KindNames", tool.KindNames),
		reads.of("tool.MaskOf", tool.MaskOf),
		reads.of("tool.FillMask", tool.FillMask),
		reads.of("tool.MaxUID", tool.MaxUID),
		reads.of("tool.MomentOf", tool.MomentOf),
		reads.of("tool.Changes", tool.Changes),
		pure.methods("tool.Change", tool.Change{}, "String"),
		reads.of("tool.GameObjectAt", tool.GameObjectAt),
		pure.of("tool.ParseGameObject", tool.ParseGameObject),
		reads.of("tool.FindGameObject", tool.FindGameObject).with("7"),
		reads.of("tool.FieldNamed", tool.FieldNamed).with("velocity"),
		pure.of("tool.ParseElement", tool.ParseElement),
		pure.of("tool.Number", tool.Number),
		pure.of("tool.ElementText", tool.ElementText),
		pure.of("tool.Distance", tool.Distance),
		pure.of("tool.ParseText", tool.ParseText).with([]byte{0, 0}, "3"),
		pure.of("tool.PlainText", tool.PlainText).with("a\r\n"),
		pure.of("tool.TextNaming", tool.TextNaming).with([]byte{0, 0}),
		pure.methods("tool.TextError", (*tool.TextError)(nil), "Error Unwrap"),
		reads.of("tool.KindsOf", tool.KindsOf),
		reads.of("tool.ValueOf", tool.ValueOf),
		pure.of("tool.FieldsOf", tool.FieldsOf),
		writes.of("tool.SetResimulating", tool.SetResimulating),
		fails.of("tool.ListKinds", tool.ListKinds),
		fails.of("tool.LinkLists", tool.LinkLists),
		reads.of("tool.ShapeOf", tool.ShapeOf),
		pure.of("tool.ElementTypes", tool.ElementTypes),
		reads.of("tool.CheckCounters", tool.CheckCounters),
		pure.of("tool.Bytes", tool.Bytes),
		pure.of("tool.Reserve", tool.Reserve),
		pure.of("tool.Words", tool.Words).with(tool.Bytes(16)),
		reads.of("tool.ValueColumn", tool.ValueColumn),
		reads.of("tool.Settled", tool.Settled),
		restructures.of("tool.Empty", tool.Empty),
		writes.of("tool.ResetIdle", tool.ResetIdle),
		writes.of("tool.FillNew", tool.FillNew),
		reads.of("tool.FirstDifference", tool.FirstDifference),
		reads.of("tool.Parts", tool.Parts),
		reads.of("tool.Walking", tool.Walking),
		reads.of("tool.Used", tool.Used),
		pure.of("tool.Text", tool.Text).with([]byte{0, 0}),
		restructures.of("tool.Rebuild", tool.Rebuild),
		reads.of("tool.Verify", tool.Verify),
		pure.of("tool.Memory", tool.Memory),
		writes.of("tool.Touch", tool.Touch),
	}
}

// groupRows are those of what packing is built on.
func groupRows() []row {
	return []row{
		reads.of("tool.CheckRoom", tool.CheckRoom),
		reads.methods("tool.Groups", (*tool.Groups)(nil), "Sort Len Uses Place"),
		reads.methods("tool.Groups", (*tool.Groups)(nil), "Objects Has Keeps Places",
			"Components").with(0),
		restructures.methods("tool.Groups", (*tool.Groups)(nil),
			"Name").by(making(func(_ *exhibit, g *tool.Groups, ids []world.GameObject) {
			g.Name(ids[0], []byte("new"), false)
		})),
		restructures.methods("tool.Groups", (*tool.Groups)(nil),
			"Suspend").by(making(func(_ *exhibit, g *tool.Groups, _ []world.GameObject) {
			g.Add(0, 0)
			g.Suspend(0, 0)
		})),
		restructures.methods("tool.Groups", (*tool.Groups)(nil),
			"Add").by(making(func(_ *exhibit, g *tool.Groups, _ []world.GameObject) {
			g.Add(0, 0)
		})),
		restructures.methods("tool.Groups", (*tool.Groups)(nil),
			"Begin Create End").by(making(func(*exhibit, *tool.Groups, []world.GameObject) {})),
		reads.methods("tool.Components", (*tool.Components)(nil), "Rows Values AppendColumn"),
		restructures.methods("tool.Components", (*tool.Components)(nil),
			"IndexKeys").by(making(func(x *exhibit, g *tool.Groups, _ []world.GameObject) {
			n := world.Must(tool.NumberOf(x.kept.State(), pack.Global))
			g.Add(0, n)
			c := g.Components(0, n)
			c.IndexKeys()
		})),
		restructures.methods("tool.Components", (*tool.Components)(nil),
			"SetColumn").by(making(func(_ *exhibit, g *tool.Groups, _ []world.GameObject) {
			g.Add(0, 0)
			c := g.Components(0, 0)
			c.SetColumn(c.AppendColumn(nil, 0), 0)
		})),
		fails.methods("tool.Components", (*tool.Components)(nil), "List SetList"),
		fails.of("tool.RoomForLists", tool.RoomForLists),
		fails.of("tool.Elements", tool.Elements),
		fails.of("tool.SetElements", tool.SetElements),
		fails.of("tool.ParseList", tool.ParseList),
		reads.of("tool.ComponentsOf", tool.ComponentsOf),
		reads.of("tool.Get", tool.Get).with("velocity"),
		writes.of("tool.Set", tool.Set).with("velocity", "2"),
	}
}

// packRows are those of packs.
func packRows() []row {
	return []row{
		reads.of("pack.Pack", pack.Pack),
		reads.methods("pack.Packer", (*pack.Packer)(nil), "Pack DigestObjects"),
		restructures.of("pack.Unpack", pack.Unpack).with(packed),
		restructures.methods("pack.Packer", (*pack.Packer)(nil), "Unpack").with(packed),
		pure.of("pack.SameID", pack.SameID),
		reads.of("pack.DigestObjects", pack.DigestObjects).with(exhibitNameless),
		reads.of("pack.GlobalOf", pack.GlobalOf),
		reads.of("pack.ByGlobal", pack.ByGlobal),
		restructures.of("pack.SetGlobal", pack.SetGlobal).with(bare),
		restructures.of("pack.NewGlobal", pack.NewGlobal).with(bare),
		writes.of("pack.NextGlobal", pack.NextGlobal),
		reads.of("pack.Globals", pack.Globals).with(batchOfGlobals),
	}
}

// spaceRows are those of package space.
func spaceRows() []row {
	return []row{
		reads.of("space.NewCells", space.NewCells[[3]float32]),
		pure.of("space.Carry", space.Carry[[3]float32]),
		pure.of("space.Column", space.Column[float32, [3]float32]).with(carriedView),
		pure.of("space.Return", space.Return[float32, [3]float32]).with(exhibitFloats, exhibitFloats),
		writes.methods("space.Cells", (*roomCells)(nil), "Build"),
		reads.methods("space.Cells", (*roomCells)(nil),
			"In").by(func(x *exhibit, s world.State) (world.State, error) {
			if s != x.s { // a snapshot's, which the cells are not of
				defer func() { _ = recover() }()
			}
			x.cells.In(s)
			return s, nil
		}),
		pure.methods("space.View", roomView{}, "Len Points IDs ID Strays Between Near NearSquares Rect",
			"Pairs PairsOf Nearest"),
		pure.of("space.NewGrid", space.NewGrid),
		pure.methods("space.Grid", (*space.Grid)(nil), "AddTo Cells Size At XY Row Moore",
			"VonNeumann"),
		restructures.methods("space.Grid", (*space.Grid)(nil), "Create").with(exhibitYard),
		reads.methods("space.Grid", (*space.Grid)(nil), "ID Occupant Occupants Empty",
			"RandomEmpty"),
		writes.methods("space.Grid", (*space.Grid)(nil), "Leave").with(0).refusing(0, bare),
		restructures.methods("space.Grid", (*space.Grid)(nil), "Enter").with(bare).refusing(0, bare),
	}
}

// belowRows are those of networks and random draws.
func belowRows() []row {
	return []row{
		fails.of("network.New", network.New),
		fails.methods("network.Network", (*network.Network)(nil), "AddTo Link LinkAll Out In",
			"Neighbours Degree"),
		fails.of("network.Ring", network.Ring),
		fails.of("network.Random", network.Random),
		fails.of("network.SmallWorld", network.SmallWorld),
		fails.of("network.Preferential", network.Preferential),
		fails.of("random.Shuffle", random.Shuffle[float32]),
		fails.of("random.Choice", random.Choice[float32]),
		fails.of("random.Sample", random.Sample[float32]),
		fails.of("random.Weighted", random.Weighted),
		fails.of("random.NewWeights", random.NewWeights),
		fails.methods("random.Weights", random.Weights{}, "Len Draw"),
	}
}
