// Package world is the portal: a client calls everything through it, and imports package layout
// besides to declare fields and kinds of its own.
//
//	client ──▶ world ──▶ systems ──▶ manager, gameobject ──▶ buffer, layout
//
//	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(
//		world.Position.Count(1_000), world.Velocity.Count(1_000),
//	)})
//	state, hero, err := world.CreateGameObject(state)
//	state, position, err := world.Add(state, hero, world.Position.Kind()) // create and mount
//	state, velocity, err := world.Add(state, hero, world.Velocity.Kind())
//	state = world.Move(state, position, velocity) // this hero
//	state = world.MoveAll(state)                  // every object that has both
//
// It owns no bytes. The types are those of the layers below, by alias, and the functions of
// portal.go are forwards of package systems, written by
//
//	go run ./cmd/portal
//
// after a change there; read package systems for the rules of states, ids, rows and walks, and
// for an index of all that is forwarded. A system of your own may import package systems itself.
//
// # What happens when
//
// A program calls its systems one after the other: state = Fall(state). Packages below world run
// them for programs that want more, and may be mixed:
//
//	world/schedule   pipelines → groups → jobs     made by several modules; on several goroutines
//	world/hooks      sets → systems → hooks        enter, first update, update, leave
//	world/loop       fixed steps and updates       in step with a clock; start-up steps, stages
//	world/history    the last frames of a world    to go back, and to step again
//
// They hold what belongs to the program: names, times, goroutines. What decides the world's
// future is in its bytes.
//
// # By task
//
// Create a world: [CreateState] of [Counts], or [Must] of it, returns its first [State]; [Close]
// ends it. What it takes: [Size], [Used]; what it was created with: [CountsOf],
// [systems.Counts.Clone], [systems.Counts.Room]. The same world in other counts: [Resized].
//
// Create and dispose objects: [Spawn] by a [Recipe], which [NewRecipe] and [systems.Recipe.With]
// declare, [SpawnN] of many; [CreateGameObject], [CreateWith], [CopyGameObject],
// [DisposeGameObject], [systems.Query.DisposeAll]. Ask: [Alive], [Live], [GameObjects], [Dangling].
// An id is a [GameObject].
//
// Give objects components and marks of a [Kind], and take them away: [Add], [Ensure], [Renew],
// [Remove], [Suspend], [Has]; of all objects that match: [systems.Query.AddAll],
// [systems.Query.RemoveAll]. In two steps, by row: [Create], [Mount], [Dispose], [RowOf],
// [ObjectOf], [All]. Rows in order again: [Tidy].
//
// Read and write values: by object [Get], [Set], [Edit]; by row [GetRow], [SetRow], [View]; in
// loops by object [Open] with [Reader] and [systems.Reader.At], [OpenWrite] with [Writer] and
// [systems.Writer.At]. Go values: [ValueOf], [SetValue], [UpdateValues].
//
// Loop: [NewQuery] of each [Term], [Read], [Write], [Optional], [With], [Without], [Any], [Only],
// [Changed], [RowWise]; [systems.Query.And]. Walk a [Query] by [systems.Query.In],
// [systems.Query.Since], [systems.Query.Of], in each [Batch] of [systems.Batch.Len] objects by
// [Column], [Flat], [systems.Batch.ID], [systems.Batch.Row]. Ask by [systems.Query.Count],
// [systems.Query.First], [systems.Query.Matches], [systems.Query.Objects]; for caches of your own
// [systems.Query.Key], [systems.Query.Kinds].
//
// Change what is walked: in the walk [systems.Batch.Spawn], [systems.Batch.Dispose],
// [systems.Batch.Add], [systems.Batch.Remove]; anywhere [Record] with [Commands]:
// [systems.Commands.Create], [systems.Commands.Spawn], [systems.Commands.Copy],
// [systems.Commands.Dispose], [systems.Commands.Add], [systems.Commands.Remove], [Put], [Replace].
// Then [Apply] or [ApplyKeeping], and [Applied] for ids that were recorded.
//
// Watch what enters and leaves: [NewWatcher] for a [Watcher], [systems.Watcher.Look];
// [systems.Watcher.Entered], [systems.Watcher.Left], [systems.Watcher.Members],
// [systems.Watcher.Count], [systems.Watcher.Once], [systems.Watcher.Forget],
// [systems.Watcher.Query]. By functions: [systems.Watcher.Listen] for a [Listener],
// [systems.Watcher.Notify], [systems.Listener.Stop].
//
// Keep what is there once: [NewResource] for a [ResourceKind], [Resource], [SetResource]; Go values
// by [NewShared] for a [Shared], [systems.Shared.Of], [systems.Shared.Set], [systems.Shared.Kind],
// [systems.Shared.Values].
//
// Send events: [NewEvents] for [Events], counted by [systems.Events.Count] as an [EventCount];
// [systems.Events.Send] for an [EventBatch] of [systems.EventBatch.Len], [EventColumn]; by an
// [EventReader] of [systems.Events.NewReader], [systems.EventReader.Receive] or
// [systems.EventReader.Unread] for [Received] of [systems.Received.Len],
// [systems.Received.Batches].
//
// Draw random numbers: [Random] for a [Stream]: [systems.Stream.Float32], [systems.Stream.Range],
// [systems.Stream.IntN], [systems.Stream.Uint64], [systems.Stream.Uint64N]; of one sequence
// [NextStream].
//
// Name objects: [SetName], [NameOf], [Named], [NameKind].
//
// Step: [Tick], [Advance].
//
// Copy, go back, compare: [NewSnapshot] for a [Snapshot], [systems.Snapshot.Take], [Restore],
// [systems.Snapshot.State], [systems.Snapshot.Digest], [systems.Snapshot.Close]; [Clone]; [Digest],
// [Equal], [Bytes]. The last frames: package world/history. Save: package world/save. What changed:
// package world/delta. With others: package world/session. Look on: package world/inspect. For
// other tools: package systems/tool.
//
// Handle errors: [Error], [ErrTooMany], [ErrFull], [ErrDead], [ErrOutOfRange], [ErrTwice],
// [ErrAbsent], [ErrNoKind], [ErrWalking]; of Apply [ApplyError],
// [CommandError]; of counts [ErrCount], [ErrMemory].
//
// # The heroes
//
// Kinds and systems that come with the library: [Position], [Velocity], [MaxVelocity], [Instance];
// [Move], [MoveAll], [Fly], [FlyAll], [Update]; to a [Renderer] [RenderOneByOne],
// [RenderInstances]. Frames by hand: [Init], [Loop].
package world
