// Package systems holds behaviour: functions that take a [State], a whole world, and return it.
//
//	state, hero, err := systems.CreateGameObject(state)
//	state, position, err := systems.Add(state, hero, systems.Position.Kind())
//	state = systems.MoveAll(state)
//
// What touches one kind of component is a batch of its manager, which a system calls ([Update]);
// what touches several is a system ([Move], [Fly]). Systems hold nothing, read no clock, print
// nothing.
//
// # State
//
// A State is consumed as a slice is by append: a system may write in place, and only the State
// that it returns is valid afterwards, also when it comes with an error. What returns no State
// leaves every byte of the world as it was, walks aside, which write what their queries say. A
// State that was used up panics; -tags ecsrelease leaves the check out. A [Snapshot]'s State is
// only read. While nobody changes the world, several goroutines may read it at once; walks,
// [Record] and snapshots belong to one.
//
// # Ids and rows
//
// A [GameObject] is an id, generation<<32 | index. Every function checks it: one that was
// disposed or is out of range is refused with an error. A [Row] is a bare
// number, as an index into a slice is: one that is not in use panics, and one that another
// object uses by now is not noticed. Keep ids; keep rows only as long as their owner.
//
// # Queries
//
//	var moving = systems.NewQuery(systems.Write(systems.Position), systems.Read(systems.Velocity))
//
//	for b := range moving.In(s) {
//		p, v := systems.Column(b, systems.Position), systems.Column(b, systems.Velocity)
//		for i := range p {
//			p[i][1] += v[i]
//		}
//	}
//
// An object matches when every rule holds: it has the kinds of [Read], [Write] and [With], none
// of [Without], one or more of each [Any], those of [Only] and nothing else. [Optional] fields
// it may have or not; a batch has such a column for all its objects, or nil. [Changed] holds in
// a walk by [Query.Since] only. A query without rules matches every live object. Batches come in
// ascending order of objects, each object once. Row i of every column of a [Batch] belongs to
// the same object, [Batch.ID] of i:
//
//	batch                      row 0     row 1     row 2
//	Column(b, Position)        [x y z]   [x y z]   [x y z]   a [3]float32 per row
//	Flat[float32](b, Position)  x y z     x y z     x y z    the same as elements, for kernels
//	Column(b, Velocity)         v         v         v
//
// A column is the world's own memory where the rows of the matched objects lie side by side, and
// otherwise a copy of up to 256 rows; a copy of what the query writes is put back when the loop
// goes on or ends, by break, return or panic too. A system cannot tell which, and must not keep
// a column. The system of a [RowWise] query may find rows in a batch that do not match; what it
// writes there is undone.
//
// While a walk is open:
//   - creating, mounting, removing and disposing return [ErrWalking]; by row, disposing panics;
//   - a field that the walk writes is reached through its batches only: [Get], [Set] and [Edit]
//     return ErrWalking, [Reader.At], [GetRow] and the like panic;
//   - what the query reads is not to be written; -tags ecsdebug finds out;
//   - a second walk may be open inside, up to eight, if neither writes what the other asks for.
//
// # Commands
//
// What may not be done while a walk is open is recorded, by a [Batch] about its objects or by
// [Record] about any, and carried out by [Apply] in the order in which it was recorded:
//
//	if left[i] -= dt; left[i] <= 0 {
//		b.Dispose(i)
//	}
//
// Each command is carried out wholly, or refused without harm to the others. Commands lie beside
// the world's bytes, in room that [Counts] says.
//
// # Recipes
//
// A [Recipe] is kinds, marks and first values. [Spawn] and [SpawnN] give its objects ids and rows
// in slabs of their own, a block, or up to 1,024 where that is a sixteenth of what is left, the
// lowest free ones first; where there is not even a block left, ids and rows as anyone gets them.
//
// # Tasks
//
// [RunTasks] calls systems on several goroutines at once, each on some blocks of objects, with
// the same bytes for any number of goroutines. In a [Task] a system walks the queries that it
// lists, reads by id, and records commands; it does not change structure, nor write by id or row.
// Rows are stamped and commands merged when all have ended, in the order of the tasks. Package
// world/schedule makes tasks of jobs.
//
// # Watchers
//
// A [Watcher] remembers which objects matched a query when it last looked:
//
//	state = watcher.Look(state)
//	for id := range watcher.Left(state) { … }    // by now somebody else, or nobody
//	for id := range watcher.Entered(state) { … }
//
// [Watcher.Notify] looks, and calls whoever listens. A world has a memory for each watcher in its
// counts, in its bytes: about 8.6 bytes per object.
//
// # Beside the objects
//
// A world may have one of something: a [ResourceKind] lies in its bytes, a [Shared] Go value beside
// them. Its random numbers ([Random], [NextRandom]), the names of its objects ([SetName], [Named])
// and the last events of a type ([Events.Send], [EventReader.Receive]) are in its bytes too, so
// that a copy goes on as the original does. [Counts] says which of them a world has. In tasks they
// are read only; a [Stream] of random numbers is named there by numbers, not drawn from the one
// sequence.
//
// # Ticks
//
// [Tick] is the number of the step that is under way, from 1; [Advance] begins the next. What is
// mounted or written is stamped with it, per 64 rows: by walks that Write, by the built-in systems,
// by [Set], [Edit], [SetRow] and the [Writer.At] of an [OpenWrite]. A [View] is to be read; what is
// written through it all the same is stamped by Touch of package tool. What no stamp tells of is
// left out by [Query.Since], and by every copy of what has changed: [Snapshot.Take],
// [Restore], histories.
//
//	for b := range query.Since(s, tick) { … } // what may have been written after tick
//
// # Errors and panics
//
// An error leaves the world as it was. It wraps a sentinel for errors.Is in an [Error], which
// names the kind, the object, the count and the cure. What only a mistake in the program causes
// panics: a row not in use, a kind that the world does not have, a field that the query does not
// ask for.
//
// # Verbs
//
// World: [CreateState], [Counts], [CountsOf], [State], [Clone], [Close], [Size], [Used], [Bytes],
// [Dangling]; [Must].
//
// Objects: [GameObject], [CreateGameObject], [CreateWith], [CopyGameObject], [DisposeGameObject],
// [Alive], [Live], [GameObjects]. Many: [Recipe], [NewRecipe], [Spawn], [SpawnN];
// [Query.DisposeAll], [Query.AddAll], [Query.RemoveAll]; [Tidy].
//
// Components of any [Kind]: [Create], [Mount], [Add], [Remove], [Dispose], [Has], [RowOf],
// [ObjectOf], [All], [View]; [Ensure], [Renew], [Suspend]. Fields: by object [Get], [Set], [Edit];
// by [Row] [GetRow], [SetRow]; in loops by object [Open] with a [Reader], [OpenWrite] with a
// [Writer]. Go values: [ValueOf], [SetValue], [UpdateValues].
//
// Queries: [Query], [NewQuery], [Query.And]; each [Term]: [Read], [Write], [Optional], [With],
// [Without], [Any], [Only], [Changed], [RowWise]. Walk: [Query.In], [Query.Since], [Query.Of]. Ask:
// [Query.Matches], [Query.Objects], [Query.Count], [Query.First]; [Query.Key], [Query.Kinds]. In a
// walk: [Batch], [Batch.Len], [Batch.ID], [Batch.Row]; [Column], [Flat].
//
// Commands: [Record], [Commands], [Commands.Create], [Commands.Spawn], [Commands.Copy],
// [Commands.Dispose], [Commands.Add], [Commands.Remove], [Put], [Replace]; in a walk [Batch.Spawn],
// [Batch.Dispose], [Batch.Add], [Batch.Remove]; [Apply], [ApplyKeeping], [Applied].
//
// What enters and leaves: [NewWatcher], [Watcher], [Watcher.Look], [Watcher.Left],
// [Watcher.Entered], [Watcher.Members], [Watcher.Count], [Watcher.Once], [Watcher.Forget];
// [Watcher.Listen], [Listener], [Listener.Stop], [Watcher.Notify].
//
// Tasks: [RunTasks], [Task], [Workers], [NewWorkers], [Conflict]. Ticks: [Tick], [Advance],
// [MaxTick].
//
// One of a kind: [NewResource], [ResourceKind], [Resource], [SetResource]; [NewShared], [Shared],
// [Shared.Of], [Shared.Set]. Random numbers: [Random], [NextStream], [SetSeed];
// [Stream], [NewStream]. Names: [SetName], [NameOf], [AppendName], [Named],
// [NameKind], [MaxName]. Events: [NewEvents], [Events], [EventCount], [EventReader], [Events.Send],
// [EventBatch], [EventColumn], [EventReader.Receive], [Received], [EventReader.Unread].
//
// Again and elsewhere: [NewSnapshot], [Snapshot], [Restore], [Resized], [ErrEmpty], [ErrOther];
// [Digest], [Equal]; [Resimulating].
//
// For tools: package systems/tool, on [ArenaOf], [Arena], [Written]; [ForeignRecipe].
//
// Errors: [Error], [ApplyError], [CommandError]; [ErrTooMany], [ErrFull], [ErrDead],
// [ErrOutOfRange], [ErrTwice], [ErrAbsent], [ErrRemove], [ErrNoKind], [ErrWalking], [ErrName],
// [ErrCount], [ErrKinds], [ErrKindTwice], [ErrMemory].
//
// The heroes' kinds and systems: [Position], [Velocity], [MaxVelocity], [Instance]; [Move],
// [MoveAll], [MoveQuery], [Fly], [FlyAll], [FlyQuery], [Update], [UpdateQuery]; to a [Renderer]
// [RenderOneByOne], [RenderInstances].
package systems
