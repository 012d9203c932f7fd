package world_test

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/pool"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/session"
	"github.com/flatecs/flatecs/world/share"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
)

// programRows are those of histories, stages, schedules, sessions and inspectors.
func programRows() []row {
	return []row{
		reads.of("history.Resimulating", history.Resimulating),
		reads.of("history.New", history.New),
		reads.methods("history.History", (*history.History)(nil), "Frames Restart Record",
			"Close FirstDifference"),
		reads.methods("history.History", (*history.History)(nil), "Input SetInput Snapshot",
			"Kept Digest").with(0),
		fails.methods("history.History", (*history.History)(nil), "At").with(0),
		restructures.methods("history.History", (*history.History)(nil),
			"Undo Rollback Resimulate").with(keptHistory, 0),
		fails.of("timeline.New", timeline.New),
		fails.methods("timeline.DifferError", (*timeline.DifferError)(nil), "Error"),
		fails.methods("timeline.Timeline", (*timeline.Timeline)(nil), "Frames Bytes Close Record",
			"Changed Input Kept KeptByTick At Rollback"),
		pure.methods("history.Difference", history.Difference{}, "String"),
		pure.of("stage.NewGizmos", stage.NewGizmos),
		pure.methods("stage.Gizmos", (*stage.Gizmos)(nil), "Line Len Bytes Draw"),
		reads.methods("stage.System", (*stage.System)(nil), "HasObjects"),
		pure.methods("stage.Root", (*stage.Root)(nil), "Add Names Watchers"),
		writes.methods("stage.Root", (*stage.Root)(nil), "Update Clear"),
		writes.methods("stage.Root", (*stage.Root)(nil), "Remove").refusing("another"),
		writes.methods("stage.Root", (*stage.Root)(nil), "Init DrawGizmos").with(movingRoot),
		fails.methods("inspect.Inspector", (*inspect.Inspector)(nil), "Close Handler Publish",
			"Job Listen Serve ServeListener Refused Edit Turn Input Metrics Var"),
		fails.methods("inspect.Guard", inspect.Guard{}, "Handler Listen Serve"),
		fails.of("inspect.New", inspect.New),
		fails.of("inspect.ServeMetrics", inspect.ServeMetrics),
		pure.of("stage.Clock", stage.Clock),
		pure.of("stage.NewSeen", stage.NewSeen),
		pure.methods("stage.Seen", stage.Seen{}, "Kind"),
		writes.methods("stage.Seen", stage.Seen{}, "Look"),
		restructures.methods("stage.Launcher", (*stage.Launcher)(nil),
			"Launch LaunchNext").with(launching(world.Tidy)).
			refusing(launching(refuseAll)),
		pure.methods("stage.Launcher", (*stage.Launcher)(nil), "Ready"),
		writes.methods("stage.Launcher", (*stage.Launcher)(nil), "FixedUpdate Update",
			"DrawGizmos").with(staging),
		pure.methods("stage.Timed", (*stage.Timed)(nil), "Start Pause Stop StepOnce",
			"Running Paused Dropped"),
		writes.methods("stage.Timed", (*stage.Timed)(nil), "Frame").with(startedLoop),
		fails.of("pool.New", pool.New),
		fails.of("pool.Copy", pool.Copy),
		fails.methods("pool.Pool", (*pool.Pool)(nil), "Take Put Left Fork Step Close"),
		fails.methods("pool.StepError", (*pool.StepError)(nil), "Error Unwrap"),
		pure.of("schedule.New", schedule.New),
		pure.methods("schedule.Schedule", (*schedule.Schedule)(nil), "Close Register",
			"Unregister Times AppendTimes String DOT Workers"),
		writes.methods("schedule.Schedule", (*schedule.Schedule)(nil), "Run").refusing("another"),
		pure.methods("schedule.Link", schedule.Link(0), "String"),
		fails.methods("session.DesyncError", (*session.DesyncError)(nil), "Error"),
		fails.of("session.New", session.New),
		fails.methods("session.Session", (*session.Session)(nil), "Advance Status History",
			"Close"),
		fails.methods("session.SyncTest", (*session.SyncTest)(nil), "Close Advance"),
		fails.of("session.NewSyncTest", session.NewSyncTest),
	}
}

// layoutRows are those of layout and its packages.
func layoutRows() []row {
	return []row{
		fails.methods("layout.FieldSpec", (*layout.FieldSpec)(nil), "Spec String Flat Shape Same",
			"Check DefaultValue ElementsValue Title Twin"),
		fails.methods("layout.Part", layout.Part{}, "Size Bytes String Like Within"),
		fails.methods("layout.Field", layout.Field[float32]{}, "Spec Fields Value Kind Rows",
			"Count Counted"),
		fails.of("layout.NewField", layout.NewField[float32]),
		fails.methods("layout.FieldValue", (*layout.FieldValue)(nil), "Bytes Elements Clone"),
		fails.of("layout.NewComponent", layout.NewComponent[float32]),
		fails.of("layout.Flat", layout.Flat[float32, float32]),
		fails.of("layout.Quoted", layout.Quoted),
		fails.methods("layout.FieldSpec", layout.FieldSpec{}, "Foreign"),
		fails.methods("layout.KindSpec", layout.KindSpec{}, "Foreign"),
		fails.of("layout.NewKind", layout.NewKind),
		fails.of("layout.NewMark", layout.NewMark),
		fails.methods("layout.KindSpec", (*layout.KindSpec)(nil), "Handle Twin Clash"),
		fails.methods("layout.Kind", layout.Kind{}, "Spec Fields String Count Kind Counted"),
		fails.methods("layout.Values", layout.Values[string]{}, "Counted Kind Count"),
		fails.methods("layout.Count", layout.Count{}, "Counted AppendLists"),
		fails.of("layout.Kinds", layout.Kinds),
		fails.of("layout.NewValues", layout.NewValues[string]),
		fails.of("layout.NewRelation", layout.NewRelation),
		fails.methods("layout.RelationSpec", (*layout.RelationSpec)(nil), "Handle"),
		fails.methods("layout.Field", layout.Field[[3]float32]{}, "Axis Axes"),
		fails.methods("layout.Axis", layout.Axis[[3]float32]{}, "Of Read"),
		fails.methods("layout.List", layout.List[float32]{}, "Spec Fields Kind Rows Bytes Count",
			"Counted Value"),
		fails.methods("layout.Text", layout.Text{}, "Spec Fields Kind Count Counted Value"),
		fails.methods("layout.FieldSpec", (*layout.FieldSpec)(nil), "OpenList ListKinds LinkList"),
		fails.of("layout.NewList", layout.NewList[float32]),
		fails.of("layout.NewListField", layout.NewListField[float32]),
		fails.of("layout.NewText", layout.NewText),
		fails.of("layout.NewTextField", layout.NewTextField),
		fails.of("ListOf", systems.ListOf),
		fails.of("AppendToList", systems.AppendToList),
		fails.of("SpliceList", systems.SpliceList),
		fails.of("SwapRemoveFromList", systems.SwapRemoveFromList),
		fails.of("ClearList", systems.ClearList),
		fails.of("ShrinkList", systems.ShrinkList),
		fails.of("ListsOf", systems.ListsOf[float32]),
		fails.methods("ListColumn", &systems.ListColumn[float32]{}, "Append At Cut Len"),
		fails.of("AppendLater", systems.AppendLater[float32]),
		fails.of("mask.New", mask.New),
		fails.methods("mask.Mask", (*mask.Mask)(nil), "Set Add"),
		fails.methods("mask.Mask", mask.Mask{}, "Unset Has Clear Len Intersects SubsetOf",
			"Equal All String"),
		fails.methods("layout.ValueSlice", (*layout.ValueSlice[string])(nil), "Make Reset Grow CopyRow Swap",
			"Copy Value"),
		fails.methods("layout.ValueSlice", (*layout.ValueSlice[int])(nil), "CopyFrom"),
	}
}

// fileRows are those of files, shared worlds and programs that take over.
func fileRows() []row {
	return []row{
		fails.methods("delta.Coder", (*delta.Coder)(nil), "Apply Append"),
		fails.of("delta.Apply", delta.Apply),
		fails.of("delta.Append", delta.Append),
		fails.of("hand.Join", joinQuietly),
		fails.methods("hand.Event", hand.Event{}, "String"),
		fails.methods("hand.Hand", (*hand.Hand)(nil), "World Continue Ready Code Report",
			"Supervised Undo Listen OnOffer Keep Conns File Bytes Lost NewTape Close"),
		fails.methods("hand.Offer", (*hand.Offer)(nil), "Conn File Bytes OnRefused"),
		fails.methods("hand.Tape", (*hand.Tape)(nil), "Next Loop Looping Records Close"),
		fails.of("memory.SizeOf", memory.SizeOf),
		fails.of("memory.Make", memory.Make),
		fails.of("memory.Fingerprint", memory.Fingerprint),
		fails.of("memory.CreateState", memory.CreateState),
		fails.of("memory.NewSnapshot", memory.NewSnapshot),
		fails.of("memory.Attach", memory.Attach),
		fails.of("memory.Open", memory.Open),
		fails.of("memory.Copy", memory.Copy),
		fails.of("memory.Read", memory.Read),
		fails.methods("memory.Head", (*memory.Head)(nil), "Counts Attach"),
		fails.of("save.Values", save.Values[string]),
		fails.of("save.Shared", save.Shared[string]),
		fails.of("save.Save", save.Save),
		fails.of("save.Copy", save.Copy),
		fails.methods("save.FileField", (*save.FileField)(nil), "Text Shape"),
		fails.of("save.Load", save.Load),
		fails.of("save.Read", save.Read),
		fails.of("save.Reload", save.Reload),
		fails.of("save.Reread", save.Reread),
		fails.of("save.Migrate", save.Migrate[float32, float32]),
		fails.of("save.MigrateKind", save.MigrateKind),
		fails.of("save.Drop", save.Drop),
		fails.methods("save.Migration", save.Migration{}, "String"),
		fails.of("save.NewSaver", save.NewSaver),
		fails.methods("save.Saver", (*save.Saver)(nil), "Offer Wait Counts Close"),
		fails.of("save.Sweep", save.Sweep),
		fails.of("save.Open", save.Open),
		fails.methods("save.File", (*save.File)(nil), "Close Size Frame Tick Behaviour Kinds",
			"Recipes Watchers Objects Live Mounted Parts Rows Bytes ObjectOf Rowed Verify",
			"Load LoadInto Counts List OfList"),
		fails.methods("save.FileList", (*save.FileList)(nil), "At Text"),
		fails.of("save.FileColumn", save.FileColumn[float32]),
		fails.of("save.Write", save.Write),
		fails.of("share.Publish", share.Publish),
		fails.of("share.PublishMemory", share.PublishMemory),
		fails.methods("share.Publisher", (*share.Publisher)(nil), "File Offer Counts Close"),
		fails.of("share.Open", share.Open),
		fails.of("share.OpenAny", share.OpenAny),
		fails.of("share.OpenFile", share.OpenFile),
		fails.methods("share.Reader", (*share.Reader)(nil), "Head Latest Writing Pin Close"),
		fails.methods("share.Frame", (*share.Frame)(nil), "Number State Unpin"),
	}
}
