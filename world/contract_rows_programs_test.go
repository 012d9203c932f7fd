package world_test

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/network"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/pool"
	"github.com/flatecs/flatecs/world/random"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/replica"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/session"
	"github.com/flatecs/flatecs/world/share"
	"github.com/flatecs/flatecs/world/space"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
)

// packageRows are the rows of the packages below world, of tool and of layout.
func packageRows() []row {
	return slices.Concat(
		toolRows(), groupRows(), packRows(), spaceRows(), stageRows(), programRows(), layoutRows(),
		fileRows(), replicaRows(),
	)
}

// toolRows are the rows of package tool.
func toolRows() []row {
	return slices.Concat(
		reads.of(tool.MaxIndex, tool.Cap, tool.Mounted, tool.Buffer, tool.KindUses, tool.Capacity,
			tool.QualityOf, tool.RowUseOf, tool.Runs, tool.AnyValueOf, tool.WatcherUses,
			tool.NumberOf, tool.KindNames, tool.MaskOf, tool.FillMask, tool.MaxUID, tool.MomentOf,
			tool.Changes, tool.GameObjectAt, tool.KindsOf, tool.ValueOf, tool.ShapeOf,
			tool.CheckCounters, tool.ValueColumn, tool.Settled, tool.FirstDifference, tool.Parts,
			tool.Walking, tool.Used, tool.Verify, tool.CheckRoom, tool.ComponentsOf),
		reads.of(tool.FindGameObject).with("7"),
		reads.of(tool.FieldNamed, tool.Get).with("velocity"),
		writes.of(tool.Set).with("velocity", "2"),
		pure.of(tool.ParseGameObject, tool.ParseElement, tool.Number, tool.ElementText,
			tool.Distance, tool.FieldsOf, tool.ElementTypes, tool.Bytes, tool.Reserve, tool.Memory,
			tool.RowsFit),
		pure.of(tool.ParseText).with([]byte{0, 0}, "3"),
		pure.of(tool.PlainText).with("a\r\n"),
		pure.of(tool.TextNaming, tool.Text).with([]byte{0, 0}),
		pure.of(tool.Words).with(tool.Bytes(16)),
		pure.methods(tool.Change{}, (*tool.TextError)(nil)),
		writes.of(tool.SetResimulating, tool.ResetIdle, tool.FillNew, tool.Touch),
		restructures.of(tool.Empty, tool.Rebuild),
		fails.of(tool.ListKinds, tool.LinkLists, tool.RoomForLists, tool.Elements,
			tool.SetElements, tool.ParseList),
	)
}

// groupRows are the rows of the functions under packing.
func groupRows() []row {
	groups, components := (*tool.Groups)(nil), (*tool.Components)(nil)
	return slices.Concat(
		reads.only(groups, "Sort Len Uses Place"),
		reads.only(groups, "Objects Has Keeps Places Components").with(0),
		restructures.only(groups, "Name").
			by(making(func(_ *exhibit, g *tool.Groups, ids []world.GameObject) {
				g.Name(ids[0], []byte("new"), false)
			})),
		restructures.only(groups, "Suspend").
			by(making(func(_ *exhibit, g *tool.Groups, _ []world.GameObject) {
				g.Add(0, 0)
				g.Suspend(0, 0)
			})),
		restructures.only(groups, "Add").
			by(making(func(_ *exhibit, g *tool.Groups, _ []world.GameObject) { g.Add(0, 0) })),
		restructures.only(groups, "Begin Create End").
			by(making(func(*exhibit, *tool.Groups, []world.GameObject) {})),
		reads.only(components, "Rows Values AppendColumn"),
		restructures.only(components, "IndexKeys").
			by(making(func(x *exhibit, g *tool.Groups, _ []world.GameObject) {
				n := world.Must(tool.NumberOf(x.kept.State(), pack.Global))
				g.Add(0, n)
				c := g.Components(0, n)
				c.IndexKeys()
			})),
		restructures.only(components, "SetColumn").
			by(making(func(_ *exhibit, g *tool.Groups, _ []world.GameObject) {
				g.Add(0, 0)
				c := g.Components(0, 0)
				c.SetColumn(c.AppendColumn(nil, 0), 0)
			})),
		fails.only(components, "List SetList"),
	)
}

// packRows are the rows of packs.
func packRows() []row {
	return slices.Concat(
		reads.of(pack.Pack, pack.GlobalOf, pack.ByGlobal),
		reads.methods((*pack.Packer)(nil)),
		restructures.of(pack.Unpack).with(packed),
		restructures.only((*pack.Packer)(nil), "Unpack").with(packed),
		pure.of(pack.SameID),
		reads.of(pack.DigestObjects).with(exhibitNameless),
		restructures.of(pack.SetGlobal, pack.NewGlobal).with(bare),
		writes.of(pack.NextGlobal),
		reads.of(pack.Globals).with(batchOfGlobals),
	)
}

// spaceRows are the rows of cells, grids and networks.
func spaceRows() []row {
	grid := (*space.Grid)(nil)
	return slices.Concat(
		reads.of(space.NewCells[[3]float32]),
		pure.of(space.Carry[[3]float32], space.NewGrid),
		pure.of(space.Column[float32, [3]float32]).with(carriedView),
		pure.of(space.Return[float32, [3]float32]).with(exhibitFloats, exhibitFloats),
		writes.only((*roomCells)(nil), "Build"),
		reads.only((*roomCells)(nil), "In").by(func(x *exhibit, s world.State) (world.State, error) {
			if s != x.s { // a snapshot's, which the cells are not of
				defer func() { _ = recover() }()
			}
			x.cells.In(s)
			return s, nil
		}),
		pure.methods(roomView{}, grid),
		restructures.only(grid, "Create").with(exhibitYard),
		reads.only(grid, "ID Occupant Occupants Empty RandomEmpty"),
		writes.only(grid, "Leave").with(0).refusing(0, bare),
		restructures.only(grid, "Enter").with(bare).refusing(0, bare),
		fails.of(network.New, network.Ring, network.Random, network.SmallWorld,
			network.Preferential, random.Shuffle[float32], random.Choice[float32],
			random.Sample[float32], random.Weighted, random.NewWeights),
		fails.methods((*network.Network)(nil), random.Weights{}),
	)
}

// stageRows are the rows of stages and schedules.
func stageRows() []row {
	root, launcher := (*stage.Root)(nil), (*stage.Launcher)(nil)
	return slices.Concat(
		pure.of(stage.NewGizmos, stage.Clock, stage.NewSeen, schedule.New),
		pure.methods((*stage.Gizmos)(nil), root, launcher, (*stage.Timed)(nil),
			(*schedule.Schedule)(nil), schedule.Link(0)),
		reads.only((*stage.System)(nil), "HasObjects"),
		writes.only(root, "Update Clear"),
		writes.only(root, "Remove").refusing("another"),
		writes.only(root, "Init DrawGizmos").with(movingRoot),
		pure.only(stage.Seen{}, "Kind"),
		writes.only(stage.Seen{}, "Look"),
		restructures.only(launcher, "Launch LaunchNext").
			with(launching(world.Apply)).refusing(launching(refuseAll)),
		writes.only(launcher, "FixedUpdate Update DrawGizmos").with(staging),
		writes.only((*stage.Timed)(nil), "Frame").with(startedLoop),
		writes.only((*schedule.Schedule)(nil), "Run").refusing("another"),
	)
}

// programRows are the rows of histories, sessions, pools and inspectors.
func programRows() []row {
	past := (*history.History)(nil)
	return slices.Concat(
		reads.of(history.Resimulating, history.New),
		reads.only(past, "Frames Restart Record Close FirstDifference"),
		reads.only(past, "Input SetInput Snapshot Kept Digest").with(0),
		fails.only(past, "At").with(0),
		restructures.only(past, "Undo Rollback Resimulate").with(keptHistory, 0),
		pure.of(timeline.Newest),
		pure.methods(history.Difference{}),
		fails.of(timeline.New, timeline.Open, timeline.Compare, inspect.New, inspect.ServeMetrics, pool.New, pool.Copy, session.New,
			session.NewSyncTest),
		fails.methods((*timeline.DifferError)(nil), (*timeline.Timeline)(nil),
			(*inspect.Inspector)(nil), (*inspect.Trace)(nil), inspect.Guard{}, (*pool.Pool)(nil), (*pool.StepError)(nil),
			(*session.DesyncError)(nil), (*session.Session)(nil), (*session.SyncTest)(nil)),
	)
}

// layoutRows are the rows of layout and its packages.
func layoutRows() []row {
	return slices.Concat(
		fails.of(layout.NewField[float32], layout.NewComponent[float32],
			layout.Flat[float32, float32], layout.Quoted, layout.NewKind, layout.NewMark,
			layout.Kinds, layout.NewValues[string], layout.NewRelation, layout.NewList[float32],
			layout.NewListField[float32], layout.NewText, layout.NewTextField, mask.New),
		fails.only(layout.Field[[3]float32]{}, "Axis Axes"),
		fails.only((*layout.ValueSlice[int])(nil), "CopyFrom"),
		fails.methods(layout.FieldSpec{}, (*layout.FieldSpec)(nil), layout.Part{},
			layout.Field[float32]{}, (*layout.FieldValue)(nil), layout.KindSpec{},
			(*layout.KindSpec)(nil), layout.Kind{}, layout.Values[string]{}, layout.Count{},
			(*layout.RelationSpec)(nil), layout.Axis[[3]float32]{}, layout.List[float32]{},
			layout.Text{}, mask.Mask{}, (*mask.Mask)(nil), (*layout.ValueSlice[string])(nil)),
	)
}

// fileRows are the rows of files, shared worlds and programs that take over.
func fileRows() []row {
	return slices.Concat(
		fails.of(delta.Apply, delta.Append, memory.SizeOf, memory.Make, memory.Fingerprint,
			memory.CreateState, memory.NewSnapshot, memory.Attach, memory.Open, memory.Copy,
			memory.Read, save.Values[string], save.Shared[string], save.Save, save.Copy, save.Load,
			save.Read, save.Reread, save.Migrate[float32, float32], save.MigrateKind,
			save.Drop, save.NewSaver, save.Sweep, save.Open, save.FileColumn[float32], save.Write,
			share.Publish, share.Open, share.OpenAny),
		fails.of(record.Create, record.New, record.Read, record.ReadFrom, record.Open,
			record.Replay),
		fails.methods((*record.File)(nil), (*record.Recorder)(nil)),
		fails.of(joinQuietly).named("hand.Join"),
		fails.methods((*delta.Coder)(nil), hand.Event{}, (*hand.Hand)(nil), (*hand.Offer)(nil),
			(*hand.Tape)(nil), (*memory.Head)(nil), save.Migration{},
			(*save.Saver)(nil), (*save.File)(nil), (*save.FileList)(nil), (*share.Publisher)(nil),
			(*share.Reader)(nil), (*share.Frame)(nil)),
	)
}

// replicaRows are the rows of links and of replicas.
func replicaRows() []row {
	return slices.Concat(
		fails.of(link.NewNetwork, replica.Fixed, replica.Angle, replica.Half, replica.Raw,
			replica.Field[[3]float32], replica.List, replica.Mark, replica.Ref, replica.Sent,
			replica.WhoeverSees, replica.NewSchema, replica.NewServer, replica.ReadServer,
			replica.Near[[3]float32], replica.Was[[3]float32], replica.NewMirror,
			replica.NewPredictor, replica.Soften[[3]float32]),
		fails.methods((*link.Network)(nil), (*link.Rooms)(nil), replica.Wire{},
			(*replica.Schema)(nil), (*replica.Server)(nil), (*replica.Conn)(nil),
			(*replica.View)(nil), (*replica.Mirror)(nil), (*replica.Predictor)(nil)),
	)
}
