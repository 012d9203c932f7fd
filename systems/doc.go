// Package systems implements behaviour: functions that take a [State], a whole world, and return
// it.
//
//	state, hero, err := systems.Create(state)
//	state, err = systems.Add(state, hero, Position, Velocity)
//	state = Rise(state)
//
// Logic that touches one kind of component is a batch function of its manager, which a system
// calls; logic that touches several kinds is a system. Systems keep no state, read no clock and
// print nothing. The systems of package systems/heroes are examples.
//
// # State
//
// A State is used like a slice with append: a system may write in place, and afterwards only the
// State that it returns is valid, also if it comes with an error. A function that returns no State
// changes no byte of the world, except for walks, which write the fields that their queries name,
// and Writers. Using a stale State panics; builds with -tags ecsrelease omit the check. After a
// panic of the program, [Recovered] takes a stale State and returns a valid one. The State of a
// [Snapshot] is read-only. While no goroutine changes the world, several may read it at once;
// walks, [Record] and snapshots belong to one goroutine.
//
// # Ids and rows
//
// A [GameObject] is an id, generation<<32 | index. Every function checks it, and returns an error
// if the object was disposed or the index is out of range. A [Row] is a plain number, like an
// index into a slice: a row that is not in use panics, but a row that another object uses by now
// goes unnoticed. Keep ids; do not keep rows longer than their component lives.
//
// # Queries
//
//	var rising = systems.NewQuery(systems.Write(Position), systems.Read(Velocity))
//
//	for b := range rising.In(s) {
//		p, v := systems.Column(b, Position), systems.Column(b, Velocity)
//		for i := range p {
//			p[i][1] += v[i]
//		}
//	}
//
// An object matches if every rule holds: it has the kinds of [Read], [Write] and [With], none of
// [Without], at least one of each [Any], and the kinds of [Only] and no others. The fields of
// [Optional] may be missing: in each batch their column is complete, or nil. [Changed] applies to
// walks by [Query.Since] only. A query without rules matches every live object. Batches come in
// ascending order of objects, each object once. Row i of every column of a [Batch] belongs to the
// same object, [Batch.ID] of i:
//
//	batch                      row 0     row 1     row 2
//	Column(b, Position)        [x y z]   [x y z]   [x y z]   a [3]float32 per row
//	as elements                 x y z     x y z     x y z    by layout.Flat, for kernels
//	Column(b, Velocity)         v         v         v
//
// A column is the world's own memory if the rows of the matched objects are consecutive, and
// otherwise a copy of up to 256 rows; copies of written fields are written back when the loop
// continues or ends, also by break, return or panic. A system cannot tell the difference, and must
// not keep a column. A batch of a [RowWise] query may contain rows that do not match; writes to
// them are undone.
//
// While a walk is open:
//   - creating, mounting, removing and disposing return [ErrWalking]; disposing by row panics;
//   - a field that the walk writes is accessible through its batches only: [Get], [Set] and [Edit]
//     return ErrWalking, [Reader.Get], [GetRow] and the like panic;
//   - do not write to fields that the query only reads; ecsdebug builds detect it;
//   - walks may be nested, up to eight, if none writes a field that another one uses.
//
// # Commands
//
// Changes of structure during a walk are recorded, by a [Batch] for its objects or by [Record] for
// any object, and carried out by [Apply] in the order in which they were recorded:
//
//	if left[i] -= dt; left[i] <= 0 {
//		b.Dispose(i)
//	}
//
// Each command is carried out completely or refused; the others are carried out regardless.
// Commands are outside the world's bytes; [Counts] gives the room for them.
//
// # Recipes
//
// A [Recipe] is a set of kinds and marks with first values. The first 16 objects of a recipe get
// ordinary ids, in blocks that all recipes share. Later objects get ids and rows in slabs of the
// recipe: of 64 ids, then of 128, 256 and so on up to 1,024, but at most a sixteenth of the room
// left, and at least 64. [Spawn] and [SpawnN] take the lowest free id of the recipe's slabs. If no
// slab has a free id, they take an ordinary id while fewer than 16 live objects of the recipe have
// one, and otherwise reserve a new slab. SpawnN of 64 or more objects takes no ordinary ids. If
// fewer than 64 ids or rows are left, both fall back to ordinary ids and rows.
//
// # Tasks
//
// [RunTasks] calls systems on several goroutines in parallel, each on a range of objects. The
// resulting bytes are the same for any number of goroutines. In a [Task] a system may walk the
// queries that the task lists, read by id fields that no other task writes, and record commands. It
// may not change the structure. It may not write by id or row, except by [WriterOf] and
// [Query.Down] in a task on all objects. Reading a field that another task may write always panics.
// When all tasks have ended, rows are stamped and commands merged, in the order of the tasks.
// Package world/schedule turns jobs into tasks.
//
// # Watchers
//
// A [Watcher] reports which objects started and stopped matching a query since its last look:
//
//	state = watcher.Look(state)
//	for id := range watcher.Left(state) { … }    // may be disposed by now
//	for id := range watcher.Entered(state) { … }
//
// [Watcher.Notify] looks, and calls the listeners. Each watcher in a world's counts takes about 8.6
// of the world's bytes per object. [Watcher.Named] distinguishes watchers of equal rules. A watcher
// that keeps values ([Watcher.Keep]) holds the values of objects that left, until its next look:
// [LastOf].
//
// # Data not attached to objects
//
// A world can hold singletons: a [ResourceKind] in its bytes, a [Shared] Go value outside. Its
// random numbers ([Random], [NextStream]), the names of its objects ([SetName], [Named]) and the
// last events of each type ([Events.Send], [EventReader.Receive]) are in its bytes too, so that a
// copy continues like the original. [Counts] lists them. In tasks they are read-only, and random
// numbers come from [Random], not from the world's sequence.
//
// # Ticks
//
// [Tick] is the number of the current step, from 1; [Advance] starts the next one. Mounted and
// written rows are stamped with it, per 64 rows: by walks that Write, by the heroes' systems, by
// [Set], [Edit], [SetRow] and [Writer.At]. A [View] is for reading; writes through it must be
// stamped by Touch of package tool. [Query.Since] and incremental copies ([Snapshot.Take],
// [Restore], histories) miss writes that are not stamped.
//
//	for b := range query.Since(s, tick) { … } // objects that may have been written after tick
//
// # Errors and panics
//
// A call that returns an error changes nothing. The error wraps a sentinel for errors.Is in an
// [Error], which names the kind, the object, the count and the fix. Mistakes in the program panic:
// a row that is not in use, a kind that the world does not have, a field that the query does not
// ask for. Errors and panics begin with "flatecs: ".
//
// # Decisions
//
// [Reader.AtN] takes slices, not a function: its loop has under forty instructions per id, so that
// a processor runs several look-ups side by side, which a call for each value would prevent.
// [Reader.Get] calls a function literal for the rare cases, because the compiler inlines a literal
// that is called once at the cost of one call; a call through a field or a method would exceed the
// budget of 80 nodes. [Get], [Set] and [Edit] call function literals too, so that a program's call
// of package world is one call.
//
// A world has a table of places by field number (manager.Place). A place holds everything that a
// look-up needs of the kind in one cache line, so that one load leads from the field to its place.
//
// [CreateWith] keeps the last eight lists of kinds with which it was called, with their managers,
// outside the bytes: finding ten kinds was two fifths of its instructions. Spawns of many kinds
// write eight words per object and kind (owner, bits, stamps, counts), so they take several times
// as long as appending a row to an archetype.
//
// Queries with equal terms share one declaration, found in a table of the program, so that a query
// created where it is used gets no new number and plan in each world. The cost is a hash per
// [NewQuery].
//
// # Verbs
//
// Package world forwards most functions of this package under the same names, and lists them by
// task. The other names are listed here.
//
// Tasks: [RunTasks], [Pace], [Task], [PanicError], [PanicOf], [StackOfPanic], [Workers],
// [NewWorkers], [Workers.SetPatience], [Conflict].
//
// For package systems/heroes: [EditRow], [Next], [RowsFrom].
//
// For tools: [ArenaOf], [ToolsOf], [Tools], [Written], [ForeignRecipe], [ForeignWatcher],
// [RecipeOf], [FieldsOf], [ReadersOf], [ReadBy], [Resimulating], [SetSeed], [NewStream],
// [AppendName], [Changing], [Discard], [Dangling], [Freeze], [EventsFrom], [KeepEvents] by an
// [EventKeeper], [EventKind], [EventKinds], [EventBytes]; package systems/tool. For package
// world/pack: [GlobalKind], [GlobalOf], [SetGlobal], [NewGlobal], [ByGlobal], [NextGlobal],
// [Globals], [ErrGlobal], [ErrTaken], [FindRing]. Types of layout: [Kind], [Row]. Limits:
// [MaxName], [MaxTick].
//
// For package world/list: [ListOf], [AppendToList], [SpliceList], [SwapRemoveFromList],
// [ClearList], [ShrinkList], [ListsOf] with [ListColumn], [AppendLater], [ErrIndex].
//
// For worlds in bytes of the caller: [CreateStateIn], [CloneIn], [StateOver], [NewSnapshotIn],
// [Unwritten], [Anew], [ErrReadOnly], [ErrBytes]; package world/memory. Many worlds: [RestoreFrom];
// package world/pool.
//
// Errors that programs seldom handle: [ErrEmpty], [ErrKinds], [ErrKindTwice], [ErrMemory],
// [ErrName], [ErrOther], [ErrRemove].
//
// For package world/index: [OrderedBy] for [Ordered] with [Ordered.First], [Ordered.OfKey],
// [Ordered.Between], [Ordered.Count], [Ordered.Walk]; [OrderedByText] for [OrderedTexts] with
// [OrderedTexts.First], [OrderedTexts.Of], [OrderedTexts.Between], [OrderedTexts.Walk].
//
// For package world/family: [Children], [ChildCount], [Query.Down], [Query.Up], [HasTarget],
// [NoTarget], [Query.ChildrenOf], [Query.AtDepth], [Depth], [Parents], [UpdateParents], [SpawnTree]
// of a [Tree] with [Member], [Commands.SpawnTree], [CopyTree], [DisposeTree], [ErrRing],
// [ErrReferred].
package systems
