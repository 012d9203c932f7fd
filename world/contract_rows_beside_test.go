package world_test

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/index"
)

// relationRows are those of relations and package family.
func relationRows() []row {
	return []row{
		pure.of("HasTarget", systems.HasTarget),
		pure.of("NoTarget", systems.NoTarget),
		reads.of("Children", systems.Children),
		reads.of("ChildCount", systems.ChildCount),
		reads.of("Parents", systems.Parents[float32]).with(batchBelow),
		pure.of("UpdateParents", systems.UpdateParents[float32]).with(batchBelowToWrite),
		reads.of("Depth", systems.Depth),
		pure.of("Member", systems.Member),
		restructures.of("SpawnTree", systems.SpawnTree),
		restructures.of("CopyTree", systems.CopyTree),
		restructures.of("DisposeTree", systems.DisposeTree),
		reads.of("OrderedBy", systems.OrderedBy),
		reads.methods("Ordered", systems.Ordered{}, "First OfKey Between Count Walk"),
		pure.of("index.New", index.New[world.GameObject]),
		pure.methods("index.Index", exhibitIndex{}, "String"),
		reads.methods("index.Index", exhibitIndex{}, "Find One Count Between CountBetween Sorted"),
		fails.of("OrderedByText", systems.OrderedByText),
		fails.methods("OrderedTexts", systems.OrderedTexts{}, "First Of Between Walk"),
		fails.of("index.OfText", index.OfText),
		fails.methods("index.Text", index.Text{}, "Find One Between Sorted String"),
		fails.of("family.HasTarget", family.HasTarget),
		fails.of("family.NoTarget", family.NoTarget),
		fails.of("family.Depth", family.Depth),
		fails.of("family.Children", family.Children),
		fails.of("family.Count", family.Count),
		fails.of("family.Parents", family.Parents[float32]),
		fails.of("family.UpdateParents", family.UpdateParents[float32]),
		fails.of("family.Member", family.Member),
		fails.of("family.Spawn", family.Spawn),
		fails.of("family.SpawnTree", family.SpawnTree),
		fails.of("family.Copy", family.Copy),
		fails.of("family.Dispose", family.Dispose),
		fails.of("family.ParseTrees", family.ParseTrees),
		fails.of("family.AppendTrees", family.AppendTrees),
		fails.methods("family.TextError", (*family.TextError)(nil), "Error Unwrap"),
	}
}

// besideRows are those of events, resources, watchers and what else is on no object.
func besideRows() []row {
	return []row{
		reads.of("GlobalOf", systems.GlobalOf),
		reads.of("ByGlobal", systems.ByGlobal),
		restructures.of("SetGlobal", systems.SetGlobal).with(bare),
		restructures.of("NewGlobal", systems.NewGlobal).with(bare),
		writes.of("NextGlobal", systems.NextGlobal),
		reads.of("Globals", systems.Globals).with(batchOfGlobals),
		pure.of("NewEvents", world.NewEvents),
		pure.methods("Events", world.Events{}, "NewReader Count String"),
		pure.methods("EventReader", world.EventReader{}, "String"),
		writes.methods("Events", world.Events{}, "Send"),
		writes.methods("EventReader", world.EventReader{}, "Receive ReceiveN"),
		reads.methods("EventReader", world.EventReader{}, "Unread"),
		reads.methods("EventBatch", world.EventBatch{}, "Len"),
		restructures.of("SetName", world.SetName).with(bare),
		reads.of("NameOf", world.NameOf),
		reads.of("AppendName", systems.AppendName),
		reads.of("Named", world.Named),
		pure.of("NewStream", systems.NewStream),
		pure.of("PanicOf", systems.PanicOf),
		pure.of("StackOfPanic", systems.StackOfPanic),
		pure.methods("Stream", (*world.Stream)(nil), "Uint64 Uint64N IntN Float32 Range",
			"Float64 Norm Exp"),
		reads.of("Random", world.Random),
		writes.of("NextStream", world.NextStream),
		pure.of("NewResource", world.NewResource).with([]layout.AnyField{exhibitAlone}),
		pure.methods("ResourceKind", world.ResourceKind{}, "String"),
		pure.of("NewShared", world.NewShared[string]),
		pure.methods("Shared", world.Shared[string]{}, "Values Kind"),
		reads.methods("Shared", world.Shared[string]{}, "Of"),
		writes.methods("Shared", world.Shared[string]{}, "Set"),

		pure.of("NewWatcher", world.NewWatcher),
		pure.methods("Watcher", world.Watcher{}, "Query Keep Named"),
		writes.methods("Watcher", world.Watcher{}, "Look Once Forget Notify"),
		reads.methods("Watcher", world.Watcher{}, "Left Entered Members Count Listen"),
		reads.methods("Received", world.Received{}, "Len Batches"),
		reads.of("EventColumn", world.EventColumn[float32]).with(exhibitPower),
		reads.of("Resource", world.Resource[float32]).with(exhibitLight),
		writes.of("SetResource", world.SetResource[float32]).with(exhibitLight),
		writes.of("UpdateResource", world.UpdateResource[float32]).with(exhibitLight, func(*float32) {}),
		reads.of("LastOf", world.LastOf[[2]float32]).by(unsure(func(x *exhibit, s world.State) {
			_, _ = world.LastOf(s, exhibitWatcher, x.full, busyPair)
		})),
	}
}

// stateRows are those of States.
func stateRows() []row {
	return []row{
		reads.of("Len", world.Len),
		reads.of("Tick", world.Tick),
		writes.of("Advance", world.Advance),
		pure.of("Must2", world.Must2[int, int]).by(unsure(func(*exhibit, world.State) {
			world.Must2(1, 2, nil)
		})),
		pure.of("Must", world.Must[int]).by(unsure(func(*exhibit, world.State) { world.Must(1, nil) })),
		reads.of("CountsOf", world.CountsOf),
		pure.methods("Counts", world.Counts{}, "Clone Complete Room"),
		reads.of("NewSnapshot", world.NewSnapshot),
		reads.methods("Snapshot", (*world.Snapshot)(nil), "Take Digest Close"),
		restructures.of("Restore", world.Restore).with(kept),
		makes.methods("Snapshot", (*world.Snapshot)(nil), "State"),
		reads.of("Digest", world.Digest),
		reads.of("Equal", world.Equal),
		makes.of("Resized", world.Resized),
		creates.of("CreateState", world.CreateState),
		makes.of("Clone", world.Clone),
		closes.of("Close", world.Close),
		recovers.of("Recovered", world.Recovered),
		reads.of("Used", world.Used),
		reads.of("Bytes", world.Bytes),
		reads.of("Dangling", world.Dangling),
	}
}

// arenaRows are those of what systems has for packages, and world does not forward.
func arenaRows() []row {
	return []row{
		restructures.of("Changing", systems.Changing).by(changing(func(*exhibit, systems.Arena) {})),
		restructures.methods("Arena", systems.Arena{}, "Renewed Derived"),
		restructures.methods("Arena", systems.Arena{},
			"Name").by(changing(func(x *exhibit, a systems.Arena) {
			a.Name(x.bare, []byte("bare"), true)
		})),
		restructures.methods("Arena", systems.Arena{},
			"Changed").by(changing(func(*exhibit, systems.Arena) {})),
		reads.of("ArenaOf", systems.ArenaOf),
		reads.methods("Arena", systems.Arena{}, "Names Walking Unapplied Verify Living Mask",
			"OnObjects Rules"),
		writes.methods("Arena", systems.Arena{}, "Resimulate"),
		passes.of("Freeze", systems.Freeze).with(false),
		writes.of("Written", systems.Written),
		draws.of("Next", systems.Next),
		fails.of("EditRow", systems.EditRow[float32]),
		reads.of("RowsFrom", systems.RowsFrom),
		reads.of("EventsFrom", systems.EventsFrom),
		reads.of("KeepEvents", systems.KeepEvents),
		pure.of("EventKind", systems.EventKind),
		pure.of("EventKinds", systems.EventKinds),
		reads.of("EventBytes", systems.EventBytes).with(exhibitPower.Spec()),
		pure.of("FindRing", systems.FindRing),
		pure.of("RecipeOf", systems.RecipeOf),
		pure.of("FieldsOf", systems.FieldsOf),
		pure.of("ForeignRecipe", systems.ForeignRecipe),
		pure.of("ForeignWatcher", systems.ForeignWatcher),
		creates.of("CreateStateIn", systems.CreateStateIn),
		fails.of("CloneIn", systems.CloneIn),
		restructures.of("RestoreFrom", systems.RestoreFrom),
		creates.of("StateOver", systems.StateOver),
		creates.of("Unwritten", systems.Unwritten),
		reads.of("NewSnapshotIn", systems.NewSnapshotIn).by(unsure(func(_ *exhibit, s world.State) {
			_, _ = systems.NewSnapshotIn(s, nil)
		})),
		makes.of("Anew", systems.Anew),
		discards.of("Discard", systems.Discard),
		writes.of("SetSeed", systems.SetSeed),
		reads.of("Resimulating", systems.Resimulating),
	}
}
