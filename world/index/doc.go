// Package index finds objects by the value of a field, and walks them in its order.
//
//	var ByTeam = index.New(Team) // of layout.NewComponent[uint8]("team"), say
//
//	for id := range ByTeam.Find(state, 3) { … }          // the objects of team 3, ascending
//	king, ok := BySquare.One(state, e1)                   // the first of them
//	for id := range ByAge.Between(state, 30, 40) { … }   // by age, then by id
//	for b := range ByDepth.Sorted(state, drawing) {       // batches of a query, in order
//		at := world.Column(b, Position)
//		…
//	}
//
// The field of each object is the only truth; it is written as ever. What an index knows is derived
// by the first question to it in a world, and kept beside the world's bytes:
//
//	rows 0 1 2 3 4    team 3 1 3 1 2
//	                              │ first question, after Restore, or after many changes: sorted
//	                              │ else: the rows that were written since, one by one
//	                              ▼
//	                  1 of object 1, 1 of 3, 2 of 4, 3 of 0, 3 of 2
//
// So snapshots, files, deltas and copies of the world have no index and need none: after Restore, a
// load or in a clone, the next question finds what the bytes say. A field may have an index in
// every world that counts its kind; it is not counted. Its memory, up to 95 bytes per object that
// has the kind, is reserved by the first question, and again when there are twice as many; other
// questions do not allocate.
//
// Fields are integers, enums and ids of objects: types over int8 to int64 and uint8 to uint64,
// GameObject among them. Texts have an index of their own, by [OfText]:
//
//	var ByName = index.OfText(Name) // of layout.NewText("name")
//
//	hero, ok := ByName.One(state, "Ada")
//	for id := range ByName.Between(state, "A", "Bz") { … } // in the order of bytes
//
// Texts whose first eight bytes are equal are sorted by each question for an order among them.
//
// A loop over [Index.Find] or [Index.Between] may change the world. Each step goes on with the next
// object as the world is then: one that lost the value is left out, and one that got it is
// there if it is behind the last one. The order of [Index.Sorted] is that of the beginning, also if
// the query writes the field.
//
// Questions read: several goroutines may ask at once while nobody writes. While a walk that writes
// the field is open they panic, and so they do in a task while some task of the call may write the
// kind. A pointer of Edit or of a Writer is written before the next question: later writes are not
// seen; builds with -tags ecsdebug find them.
//
// Make one: [New], [OfText]. Ask: [Index.Find], [Index.One], [Index.Count], [Index.Between],
// [Index.CountBetween]. Walk: [Index.Sorted]. Of texts: [Text.Find], [Text.One], [Text.Between],
// [Text.Sorted].
//
// # Decisions
//
// An index is not counted in a world's Counts, because it is no part of it: two programs whose
// worlds are equal may ask different questions. Unordered maps are not offered beside ordered ones:
// a first object by value, which the table under One finds, takes as long as in a Go map, and a map
// would give up the order of ids, which lockstep needs.
package index
