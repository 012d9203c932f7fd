package world_test

import (
	"slices"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/index"
)

// worldRows are the rows of systems and world, of heroes, index and family.
func worldRows() []row {
	return slices.Concat(
		objectRows(), walkRows(), besideRows(), relationRows(), arenaRows(), heroRows(),
		listRows(),
	)
}

// objectRows are the rows of States, objects and components, and of commands.
func objectRows() []row {
	return slices.Concat(
		restructures.of(world.Copy, world.CreateComponent, world.Suspend,
			world.Reset, world.CreateWith, world.Create, world.Dispose, world.Spawn, world.SpawnN,
			world.Apply, world.ApplyKeeping),
		restructures.of(world.Ensure).with(bare),
		restructures.of(world.Add).with(bare, noKinds),
		restructures.of(world.Remove).with(noKinds),
		restructures.of(world.Mount).with(bare, looseMixed),
		restructures.of(world.DisposeComponent).with(looseMixed),
		restructures.of(world.Restore).with(kept),
		reads.of(world.Has, world.RowOf, world.ObjectOf, world.All, world.Alive, world.GameObjects,
			world.Get[float32], world.GetRow[float32], world.ReaderOf[float32], world.View[float32],
			world.ValueOf[string], world.Len, world.Tick, world.CountsOf, world.NewSnapshot,
			world.Digest, world.Equal, world.Used, world.Bytes, world.Dangling),
		reads.methods(world.Reader[float32]{}, (*world.Snapshot)(nil)),
		reads.of(world.Applied).by(unsure(func(x *exhibit, s world.State) {
			_, _ = world.Applied(s, x.full)
		})),
		pure.of(world.NewRecipe),
		pure.of(world.Must2[int, int]).by(unsure(func(*exhibit, world.State) {
			world.Must2(1, 2, nil)
		})),
		pure.of(world.Must[int]).by(unsure(func(*exhibit, world.State) { world.Must(1, nil) })),
		pure.methods(world.Recipe{}, (*world.ApplyError)(nil), (*world.CommandError)(nil),
			world.Counts{}),
		records.of(world.Record, world.Put[float32], world.WriterOf[float32]),
		records.methods(world.Commands{}),
		points.methods(world.Writer[float32]{}),
		writes.of(world.Edit[float32], world.Set[float32], world.SetValue[string]).refusing(bare),
		writes.of(world.SetRow[float32], world.Advance),
		makes.only((*world.Snapshot)(nil), "State"),
		makes.of(world.Resized, world.Clone),
		creates.of(world.CreateState),
		closes.of(world.Close),
		recovers.of(world.Recovered),
	)
}

// heroRows are the rows of the founding chapter's portal.
func heroRows() []row {
	return slices.Concat(
		creates.of(heroes.CreateState),
		restructures.of(heroes.CreateGameObject, heroes.CreatePosition, heroes.CreateVelocity,
			heroes.CreateFly, heroes.CreateInstance),
		restructures.of(heroes.SetComponent).with(bare, looseMixed),
		reads.of(heroes.GetPosition, heroes.GetVelocity, heroes.GetMaxVelocity),
		writes.of(heroes.SetPosition, heroes.SetVelocity, heroes.SetMaxVelocity, heroes.Move,
			heroes.MoveAll, heroes.Fly, heroes.FlyAll, heroes.Update),
		draws.of(heroes.RenderOneByOne, heroes.RenderInstances),
		passes.of(heroes.Init),
		writes.of(heroes.Loop).with(heroes.MoveAll),
	)
}

// walkRows are the rows of queries, walks and tasks.
func walkRows() []row {
	return slices.Concat(
		reads.methods(world.Query{}, world.Batch{}),
		restructures.only(world.Query{}, "DisposeAll RemoveAll"),
		restructures.only(world.Query{}, "AddAll").with(exhibitBare, busyMark),
		pure.only(world.Query{}, "And String"),
		records.only(world.Batch{}, "Dispose Spawn Add Remove"),
		pure.of(world.Read, world.Write, world.Optional, world.With, world.Without, world.Any,
			world.Only, world.Changed, world.RowWise, world.NewQuery, systems.Conflict,
			systems.NewWorkers),
		pure.methods(world.Term{}, (*systems.PanicError)(nil), (*systems.Workers)(nil)),
		writes.of(systems.RunTasks),
		writes.methods((*systems.Pace)(nil)),
		reads.of(world.Column[float32], world.Gather[float32]),
		writes.of(world.Scatter[float32]).with(make([]float32, 6)),
	)
}

// relationRows are the rows of relations and of searches by value.
func relationRows() []row {
	return slices.Concat(
		pure.of(systems.HasTarget, systems.NoTarget, systems.Member, index.New[world.GameObject]),
		pure.of(systems.UpdateParents[float32]).with(batchBelowToWrite),
		pure.only(exhibitIndex{}, "String"),
		reads.of(systems.Children, systems.ChildCount, systems.Depth, systems.OrderedBy),
		reads.of(systems.Parents[float32]).with(batchBelow),
		reads.methods(systems.Ordered{}, exhibitIndex{}),
		restructures.of(systems.SpawnTree, systems.CopyTree, systems.DisposeTree),
		fails.of(systems.OrderedByText, index.OfText, family.HasTarget, family.NoTarget,
			family.Depth, family.Children, family.Count, family.Parents[float32],
			family.UpdateParents[float32], family.Member, family.Spawn, family.SpawnTree,
			family.Copy, family.Dispose, family.ParseTrees, family.AppendTrees),
		fails.methods(systems.OrderedTexts{}, index.Text{}, (*family.TextError)(nil)),
	)
}

// besideRows are the rows of events, resources, watchers and other data not attached to objects.
func besideRows() []row {
	return slices.Concat(
		reads.of(systems.GlobalOf, systems.ByGlobal, world.NameOf, systems.AppendName, world.Named,
			world.Random),
		reads.of(systems.Globals).with(batchOfGlobals),
		restructures.of(systems.SetGlobal, systems.NewGlobal, world.SetName).with(bare),
		writes.of(systems.NextGlobal, world.NextStream),
		pure.of(world.NewEvents, systems.NewStream, systems.PanicOf, systems.StackOfPanic,
			world.NewShared[string], world.NewWatcher),
		pure.of(world.NewResource).with(newFields),
		pure.methods((*world.Stream)(nil), world.Events{}, world.ResourceKind{},
			world.Shared[string]{}),
		pure.only(world.EventReader{}, "String"),
		pure.only(world.Watcher{}, "Query Keep Named"),
		writes.only(world.Events{}, "Send"),
		writes.only(world.EventReader{}, "Receive ReceiveN"),
		writes.only(world.Shared[string]{}, "Set"),
		writes.only(world.Watcher{}, "Look Once Forget Notify"),
		reads.only(world.Shared[string]{}, "Of"),
		reads.methods(world.EventReader{}, world.EventBatch{}, world.Received{}, world.Watcher{}),
		reads.of(world.EventColumn[float32]).with(exhibitPower),
		reads.of(world.Resource[float32]).with(exhibitLight),
		writes.of(world.SetResource[float32]).with(exhibitLight),
		writes.of(world.UpdateResource[float32]).with(exhibitLight, func(*float32) {}),
		reads.of(world.LastOf[[2]float32]).by(unsure(func(x *exhibit, s world.State) {
			_, _ = world.LastOf(s, exhibitWatcher, x.full, busyPair)
		})),
	)
}

// arenaRows are the rows of functions that systems has for packages, and that world does not
// forward.
func arenaRows() []row {
	return slices.Concat(
		restructures.of(systems.Changing).by(changing(func(*exhibit, systems.Tools) {})),
		restructures.only(systems.Tools{}, "Renewed Derived"),
		restructures.only(systems.Tools{}, "Name").by(changing(func(x *exhibit, t systems.Tools) {
			t.Name(x.bare, []byte("bare"), true)
		})),
		restructures.only(systems.Tools{}, "Changed").by(changing(func(*exhibit, systems.Tools) {})),
		restructures.of(systems.RestoreFrom),
		reads.methods(systems.Tools{}),
		reads.of(systems.ArenaOf, systems.ToolsOf, systems.RowsFrom, systems.EventsFrom, systems.KeepEvents,
			systems.Resimulating),
		reads.of(systems.EventBytes).with(exhibitPower.Spec()),
		reads.of(systems.NewSnapshotIn).by(unsure(func(_ *exhibit, s world.State) {
			_, _ = systems.NewSnapshotIn(s, nil)
		})),
		writes.only(systems.Tools{}, "Resimulate"),
		writes.of(systems.Written, systems.SetSeed),
		passes.of(systems.Freeze).with(false),
		draws.of(systems.Next),
		pure.of(systems.EventKind, systems.EventKinds, systems.FindRing, systems.RecipeOf,
			systems.FieldsOf, systems.ForeignRecipe, systems.ForeignWatcher),
		creates.of(systems.CreateStateIn, systems.StateOver, systems.Unwritten),
		makes.of(systems.Anew),
		discards.of(systems.Discard),
		fails.of(systems.EditRow[float32], systems.CloneIn),
	)
}

// listRows are the rows of lists.
func listRows() []row {
	return slices.Concat(
		fails.of(systems.ListOf, systems.AppendToList, systems.SpliceList,
			systems.SwapRemoveFromList, systems.ClearList, systems.ShrinkList,
			systems.ListsOf[float32], systems.AppendLater[float32]),
		fails.methods(&systems.ListColumn[float32]{}),
	)
}
