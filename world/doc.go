// Package world is the portal: a client calls everything through it, and imports package layout to
// declare fields and kinds. Its types are aliases: `go doc ./systems Query` shows the methods of
// Query, and `go doc ./systems Query.In` documents one.
//
//	var (
//		Height  = layout.NewComponent[float32]("height") // m
//		Lift    = layout.NewComponent[float32]("lift")   // m/s
//		Balloon = world.NewRecipe("balloon", Height, Lift)
//	)
//
//	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(Height, Lift)})
//	state, id, err := world.Spawn(state, Balloon)
//	state, err = world.Set(state, id, Lift, 2)
//	state = Rise(state, dt) // a system of the program: it walks every object with both kinds
//
// Package systems describes the rules of states, ids, rows and walks. Your own systems import only
// world. Package world/heroes is the portal of the founding chapter, with its heroes.
//
//	client ──▶ world ──▶ systems ──▶ manager, gameobject ──▶ buffer, layout
//
// # What happens when
//
// Call systems one after the other, state = Fall(state), until you need more. The packages below
// run systems too, and can be mixed with calls and with each other:
//
//	world/schedule   several goroutines; pipelines to which several modules add jobs
//	world/stage      systems that start, end, and react to objects that enter and leave; start-up
//	                 steps and stages; fixed steps and frames by a clock
//	world/history    the last frames of a world, to restore and to step again
//
// These packages hold functions, times and goroutines of the program. Everything that decides the
// world's future is in its bytes.
//
// # By task
//
// Create a world: [CreateState] of [Counts] returns the first [State]; [Must] panics on an error,
// [Must2] for calls that also return an id or a row; [Close] frees the world. After a panic:
// [Recovered]. Memory: [Bytes], [Used]; counts: [CountsOf], Counts.Clone, Counts.Complete,
// Counts.Room. A copy with other counts: [Resized].
//
// Create and dispose objects: [Spawn] by a [Recipe], which [NewRecipe] and Recipe.With declare,
// [SpawnN] of many; [Create], [CreateWith], [Copy], [Dispose], Query.DisposeAll. Ask: [Alive],
// [Len], [GameObjects], [Dangling]. An id is a [GameObject], or [Nobody].
//
// Give objects components and marks of a [layout.Kind], and remove them: [Add], [Ensure], [Reset],
// [Remove], [Suspend], [Has]; for all matching objects: Query.AddAll, Query.RemoveAll. In two
// steps, by row: [CreateComponent], [Mount], [DisposeComponent], [RowOf], [ObjectOf], [All].
//
// Read and write values: by object [Get], [Set], [Edit]; by row [GetRow], [SetRow], [View]; in
// loops by object [ReaderOf] with [Reader] and Reader.Get, Reader.Has and Reader.Alive, [WriterOf]
// with [Writer] and Writer.At or Writer.Must, for many objects at once Reader.AtN and Writer.AtN.
// Copy a field of all matching objects: [Gather]; write it back: [Scatter]. Go values: [ValueOf],
// [SetValue].
//
// Loop: [NewQuery] of each [Term], [Read], [Write], [Optional], [With], [Without], [Any], [Only],
// [Changed], [RowWise]; Query.And. Walk a [Query] by Query.In, Query.Since, Query.Of, in each
// [Batch] of Batch.Len objects by [Column], Batch.ID, Batch.AppendIDs,
// Batch.Row. Ask by Query.Count, Query.First, Query.Matches, Query.Objects; for caches of your own
// Query.Key, Query.Kinds.
//
// Change structure: during a walk Batch.Spawn, Batch.Dispose, Batch.Add, Batch.Remove; anywhere
// [Record] with [Commands]: Commands.Create, Commands.Spawn, Commands.Copy, Commands.Dispose,
// Commands.Add, Commands.Remove, [Put]. Then [Apply] or [ApplyKeeping]; ids: [Applied].
//
// Watch objects enter and leave: [NewWatcher] for a [Watcher], Watcher.Named, Watcher.Look;
// Watcher.Entered, Watcher.Left, Watcher.Members, Watcher.Count, Watcher.Once, Watcher.Forget,
// Watcher.Query; last values, Watcher.Keep, [LastOf]. By functions: Watcher.Listen,
// Watcher.Notify.
//
// Families: relations by [layout.NewRelation], walked by Query.Down, Query.Up, Query.AtDepth,
// Query.ChildrenOf, recorded as a tree by Commands.SpawnTree; see package world/family.
//
// Find objects by value, and walk in value order: package world/index.
//
// Store singletons: [NewResource] for a [ResourceKind], [Resource], [SetResource],
// [UpdateResource]; Go values by [NewShared] for a [Shared], Shared.Of, Shared.Set, Shared.Kind,
// Shared.Values. See each change once: package world/stage.
//
// Send events: [NewEvents] for [Events], counted by Events.Count as an [EventCount]; Events.Send
// for an [EventBatch] of EventBatch.Len, [EventColumn]; by an [EventReader] of Events.NewReader,
// EventReader.Receive, EventReader.ReceiveN or EventReader.Unread for [Received] of Received.Len,
// Received.Batches.
//
// Draw random numbers: [Random] for a [Stream]: Stream.Float32, Stream.Range, Stream.IntN,
// Stream.Uint64, Stream.Uint64N, Stream.Float64, Stream.Norm, Stream.Exp; of one sequence
// [NextStream]. Orders, choices, samples and weights: package world/random.
//
// Name objects: [SetName], [NameOf], [Named], [NameKind].
//
// Step: [Tick], [Advance].
//
// Snapshots and comparison: [NewSnapshot] for a [Snapshot], Snapshot.Take, [Restore],
// Snapshot.State, Snapshot.Digest, Snapshot.Close; [Clone]; [Digest], [Equal], [Bytes]. The past:
// packages world/history and world/timeline; on disk: package world/record. Which job wrote a
// value: package world/why. Search for bugs: package world/hunt. Many worlds of equal counts:
// package world/pool. Save: package world/save. Deltas: package world/delta. Objects as bytes:
// package world/pack. Multiplayer: packages world/session, world/replica and world/link. Inspector:
// package world/inspect. For other tools: package systems/tool.
//
// Handle errors: [Error], [ErrTooMany], [ErrFull], [ErrDead], [ErrOutOfRange], [ErrTwice],
// [ErrAbsent], [ErrNoKind], [ErrWalking]; of Apply [ApplyError], [CommandError]; of counts
// [ErrCount].
package world
