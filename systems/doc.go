// Package systems holds behaviour: functions that take a [State], a whole world, and return it.
//
//	state, hero, err := systems.CreateGameObject(state)
//	state, position, err := systems.AddPosition(state, hero)
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
// only reads, or hands out memory. Under -tags ecsdebug a State that was used up panics; in
// release builds it is one pointer and not checked. A State belongs to one goroutine.
//
// # Ids and rows
//
// A [GameObject] is an id, generation<<32 | index. Every function checks it: one that was
// disposed or is out of range is refused with an error. A row ([Row], [Position], …) is a bare
// number, as an index into a slice is: one that is not in use panics, and one that another
// object uses by now is not noticed. Keep ids; keep rows only as long as their owner.
//
// # Queries
//
//	var moving = systems.NewQuery(systems.Write(systems.XYZ), systems.Read(systems.Speed))
//
//	for b := range moving.In(s) {
//		p, v := systems.Column3(b, systems.XYZ), systems.Column(b, systems.Speed)
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
//	batch          row 0     row 1     row 2
//	Column(XYZ)    x y z     x y z     x y z      lanes elements per row
//	Column3(XYZ)   [x y z]   [x y z]   [x y z]
//	Column(Speed)  v         v         v
//
// A column is the world's own memory where the rows of the matched objects lie side by side, and
// otherwise a copy of up to 64 rows; a copy of what the query writes is put back when the loop
// goes on or ends, by break, return or panic too. A system cannot tell which, and must not keep
// a column. The system of a [RowWise] query may find rows in a batch that do not match; what it
// writes there is undone.
//
// While a walk is open:
//   - creating, mounting, removing and disposing return [ErrWalking]; by row, disposing panics;
//   - a field that the walk writes is reached through its batches only: [Values] returns
//     ErrWalking, [Reader.At], [Lanes] and the like panic;
//   - what the query reads is not to be written; -tags ecsdebug finds out;
//   - a second walk may be open inside, up to eight, if neither writes what the other asks for.
//
// # Watchers
//
// A [Watcher] remembers which objects matched a query when it last looked:
//
//	state = systems.Look(state, watcher)
//	for id := range systems.Left(state, watcher) { … }    // by now somebody else, or nobody
//	for id := range systems.Entered(state, watcher) { … }
//
// [Notify] looks, and calls whoever listens. A world has a memory for each watcher in its counts,
// in its bytes: about 8.6 bytes per object.
//
// # Ticks
//
// [Tick] is the number of the step that is under way, from 1; [Advance] begins the next. What is
// mounted or written is stamped with it, per 64 rows: by walks that Write, by systems and setters
// of the built-in kinds, and by [Values] and [Lanes], which hand out memory to write to. What is
// written through a [View] is stamped by [Touch].
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
// World: [CreateState], [Clone], [Close], [Size], [Bytes]. Objects: [CreateGameObject],
// [DisposeGameObject], [Alive], [Live], [MaxUID], [GameObjects], [GameObjectAt], [KindsOf].
// Components of any kind: [Create], [Mount], [Add], [Remove], [Dispose], [Has], [RowOf],
// [ObjectOf], [All], [MaxIndex], [Cap], [Mounted], [Buffer], [View]. Fields: by object [Values],
// [Value], [Open] with [Reader.At]; by row [Lanes]. Go values: [ValueOf], [SetValue],
// [UpdateValues]. Built-in kinds, as [AddPosition]: Create, Mount, Add, Remove, Dispose, Has,
// Of, At and Set for positions, velocities, flies and instances. Queries: [NewQuery],
// [Query.And]; rules [Read], [Write], [Optional], [With], [Without], [Any], [Only], [Changed],
// [RowWise]. Walk: [Query.In], [Query.Since], [Query.Of]. Ask: [Query.Matches], [Query.Objects],
// [Query.Count], [Query.First]. In a walk: [Batch.Len], [Batch.ID], [Batch.Row], [Column],
// [Column2], [Column3], [Column4]. What enters and leaves: [NewWatcher], [Look], [Left],
// [Entered], [Members]; [Listen], [Unlisten], [Notify]. Ticks: [Tick], [Advance], [Touch].
// Behaviour: [Move], [MoveAll], [Fly], [FlyAll], [Update], [RenderOneByOne], [RenderInstances].
package systems
