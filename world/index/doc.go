// Package index finds objects by the value of a field, and walks objects in the order of the
// values.
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
// The field itself is the only truth; write it like any other field. An index derives its table
// from the field at the first look-up in a world, and keeps the table outside the world's bytes:
//
//	rows 0 1 2 3 4    team 3 1 3 1 2
//	                              │ first look-up, after Restore, or after many changes: sorted
//	                              │ else: rows written since then, one by one
//	                              ▼
//	                  1 of object 1, 1 of 3, 2 of 4, 3 of 0, 3 of 2
//
// So snapshots, files, deltas and copies of a world do not contain indexes: after Restore, after a
// load or in a clone, the next look-up derives the table again. An index works in every world that
// contains the field's kind, and needs no count. The first look-up allocates up to 95 bytes per
// object with the kind, and a look-up after the number of objects has doubled allocates again;
// others do not allocate.
//
// Fields are integers, enums and ids of objects: types over int8 to int64 and uint8 to uint64,
// GameObject among them. For texts use [OfText]:
//
//	var ByName = index.OfText(Name) // of layout.NewText("name")
//
//	hero, ok := ByName.One(state, "Ada")
//	for id := range ByName.Between(state, "A", "Bz") { … } // in the order of bytes
//
// Look-ups that need an order sort texts whose first eight bytes are equal each time.
//
// A loop over [Index.Find] or [Index.Between] may change the world. Each step continues with the
// next object of the changed world: an object that lost the value is skipped, and an object that
// got it is yielded if it comes after the last one. The order of [Index.Sorted] is fixed when the
// walk begins, even if the query writes the field.
//
// Calls of an index only read: several goroutines may call it while no goroutine writes. They panic
// while a walk that writes the field is open, and in a task while any task of the call may write
// the kind. Write through pointers of Edit or of a Writer before the next look-up: the index
// misses later writes; builds with -tags ecsdebug detect them.
//
// Create: [New], [OfText]. Ask: [Index.Find], [Index.One], [Index.Count], [Index.Between],
// [Index.CountBetween]. Walk: [Index.Sorted]. Texts: [Text.Find], [Text.One], [Text.Between],
// [Text.Sorted].
//
// # Decisions
//
// Counts do not list indexes, because an index is not part of the world: two programs with equal
// worlds may make different look-ups. There are no unordered indexes: One takes as long as a Go
// map, and a map would lose the order of ids, which lockstep needs.
package index
