// Package manager is the layer of components: which row is on which object, and the columns of
// data. An [Arena] owns all bytes of a world; each [Manager] is a view of one region of them and
// holds the components of one kind. Its Go API may change; that of package world is the promise.
//
// docs/ARCHITECTURE.md has a table of the parts of an arena, in which order they lie, and which are
// truth. There are two stores. A kind by block, whose [layout.Count] says ByBlock, gives 64 rows to
// each 64 objects of which one ever had the component; no row is loose, and none is searched for.
// All other kinds hand out their rows one by one. What a row of theirs is on is a word: an object,
// or one of
//
//	0xFFFFFFFF          in use, on no object (loose)
//	0x80000000 | q+1    free; row q was disposed before it
//	0x40000000 | o      suspended; keeps the values of object o
//	0                   if it is not mounted: never used
//
// A [blockRecord] is the manager's record of 64 neighbouring objects:
//
//	present    bit i: object 64b+i has the component
//	odd        bit i: it has a row, which is in the page
//	kept       bit i: its row is suspended, with its values: it does not have the component
//	base       for those with a row that are not odd: row = object + base, mod 2³² (in lockstep)
//
// By block, [Manager.Add] takes the row at the object's place among those of its block. Row by row,
// it takes the object's home row, the one in lockstep with its block, if that row was disposed.
// Otherwise, like [Manager.Create], it takes the row disposed last, or an unused one. If no object
// of a block is in lockstep, the next row that is mounted sets a new base.
//
// Where no kind of a recipe is watched, and the world has 64 kinds at most, an object comes and
// goes with a bit per kind: the recipe notes the change for all of its kinds, and spawned says it
// of the block. Such kinds stand by: a block of a slab counts as having them when it has their
// rows.
//
// Objects are indexes, and the caller has checked that they are alive. Rows are checked here: a row
// that is not in use panics. Creating, mounting, disposing and looking up allocate nothing.
//
// World: [NewArena], [Unwritten], [ArenaIn], [ArenaOver], [Sizes], [Arena.Fill], [Arena.Find],
// [Arena.Slot], [Arena.Kinds], [Arena.KindsNear], [Arena.Among], [Arena.AmongNear],
// [Arena.DropAll], [Arena.Verify], [Arena.CheckCounters], [RefuseID], [CommitFor], [Large],
// [ForeseeBlock], [ForeseeRows]. Whole worlds: [Part], [Arena.Parts], [Arena.Used], [Part.Per],
// [Part.Offset], [Arena.Like], [Arena.Clone], [Arena.Alike], [Arena.AlikeIn], [Arena.CopyFrom],
// [Arena.Overwritten], [Arena.Adopt], [Arena.Rebuild], [Arena.Digest], [Arena.Equal],
// [Arena.FirstDifference], [Difference], [Text], [TextNaming], [ElementText], [Number]; what
// changed since a copy: [Past], [Past.Now], [Past.Since], [Past.Cut], [Past.Ready], [Base],
// [CheckCopy]; what was written without a stamp: [Past.Watch], [Past.Unwatch], [Past.Called],
// [Past.Compare], [Past.CheckStamps].
//
// Components: [Manager.Create], [Manager.Mount], [Manager.Add], [Manager.Remove],
// [Manager.Dispose], [Manager.Drop], [Manager.Suspend], [Manager.Has], [Manager.Get],
// [Manager.RowOf], [Manager.ObjectOf], [Manager.Changed]; their numbers: [Manager.Live],
// [Manager.Mounted], [Manager.Left]. By block: [ByBlock], [RowsFit], [Arena.Describe],
// [Arena.Ready], [SpawnReady], [Arena.Give], [Arena.Equip], [Arena.Dispose],
// [Arena.DisposeBlock]. Many: [AddEach], [CheckRoom], [Manager.AddBlock], [Manager.DropBlock],
// [Manager.DisposeBlock], [Manager.Copy]. By field: [Place], [Place.InLockstep], [IsOn], [MaskOf].
//
// A manager holds, each with its methods: [Blocks], which objects have the component, as
// [Blocks.Present], [Blocks.Holds], [Blocks.InLockstep], [Blocks.RowsOf], [Blocks.Busy], [Group];
// [Rows], what the rows are used for, as [Rows.Cap], [Rows.High], [Rows.Owner], [Rows.Owners],
// [Rows.IDs], [Rows.IDsFrom], [Rows.Each], [Rows.Runs], [Rows.Bits], [NextRun],
// [Rows.Use] with [RowUse], [RowUnused], [RowMounted], [RowLoose], [RowSuspended]; [Stamps], when
// they were written, as [Stamps.Touch], [Stamps.TouchRows], [Stamps.TouchAscending],
// [Stamps.ToStamp], [Stamps.Stamped], [Stamps.Of], [MaxTick], and the last few changes,
// [RecentRows], [Recent]; [Data], what they hold, as [Data.Buffer], [Data.Fill], [Column],
// [MaxRows], [ResetIdle], [Revise]; [Keys], the rows of unique numbers, as [Keys.Row], [Keys.Set],
// [Keys.Index]. Lists: [Heap] of [HeapOf], [Heap.In], [CheckLists], [CheckEachList], [ListsOf],
// [Lists], [Freed], [FirstLists], [StampedLists], [EachListed] with [Redirects], [OfResource];
// [Heap.ElementsIn], [Heap.SetElements], [Heap.CheckElements], [HeapRoom] of [Heap.Room].
//
// Rules on several kinds: [Arena.NewMatch], [Match], [IsSingle], [Held]. What enters and leaves:
// [Arena.Watch], [Unknown], [Watch], [Watcher], [Watcher.Look], [Watcher.Left], [Watcher.Entered],
// [Watcher.Members], [Watcher.Count], [Watcher.Once], [Watcher.Forget]. What those who left had:
// [Keep], [Watcher.Keep], [Arena.Leaving], [Watcher.Last], [Watcher.LastColumn],
// [Watcher.LastValues]. Tools: [QualityOf], [Quality], [MinRun], [ListSize]. Check:
// [Manager.Verify], [Lent], [LendsWatched].
//
// Built-in kinds, each with its field and its manager: [Position], [Positions], [PositionsOf];
// [Velocity]; [MaxVelocity]; [Instance]. Go values: [Values],
// [ValuesOf].
//
// Errors: [Error], [ErrFull], [ErrTwice], [ErrAbsent], [ErrRemove], [ErrNoKind], [ErrKindTwice],
// [ErrBeside], [PlainError], [ClashOf], [ErrKinds], [ErrCount], [ErrMemory], [ErrBytes].
//
// # Decisions
//
// Kinds per 8 objects exist only in worlds of more than 64 kinds. If each of 300 kinds is on a
// random hundredth of the objects, an object has three and the 64 of its block have 190: a disposal
// would read 190 records. Bits for 4 objects or for one are no faster and take more memory. Up to
// 64 kinds a block's are one word, and no change pays for bits that save nothing.
//
// Pages have three sizes because a block with two odd objects needs one row in its page: with pages
// of 64 alone, 300 kinds took 157 of 489 MB for them. Rows of a small page are found by counting
// the odd bits below. A block keeps its size of page until it has no odd object, so that going back
// and forth between 4 and 5 copies nothing. Each size has as many pages as there can be blocks that
// need one, so none runs out.
//
// By block, a row says nothing of its object, so that spawning writes no owners, and nothing has to
// be found, tidied or kept free. It costs 64 rows for a block of which one object has the kind: so
// a kind that has fewer rows than there are objects goes row by row.
//
// Free room gets huge pages only where a column has 4 MB in use, since a byte here and there would
// take 2 MB each; each stretch is a mapping, of which a program can have 65,530: sixteen for a
// world, none for a snapshot.
//
// Derived words, such as a count beside the bits that it counts, do their harm later when they are
// wrong. [Arena.Verify] compares all of them; under ecsdebug each loop that trusts one checks it at
// random. A test flips bits everywhere.
package manager
