// Package manager is the layer of components: which row is on which object, and the columns of
// data. An [Arena] owns all bytes of a world; each [Manager] is a view of one region of them and
// holds the components of one kind. Its Go API may change; package world has the stable API.
//
// docs/ARCHITECTURE.md has a table of the parts of an arena: their order, and which of them are
// truth. There are two stores. A kind by block, whose [layout.Count] says ByBlock, gives 64 rows to
// each block of 64 objects in which an object ever had the component; it has no loose rows and
// searches for none. All other kinds hand out rows one by one. They keep a word per row: the object
// that the row is on, or one of
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
//	base       of objects with a row that are not odd: row = object + base, mod 2³² (in lockstep)
//
// By block, [Manager.Add] takes the row at the object's place among the rows of its block. Row by
// row, it takes the object's home row, the one in lockstep with its block, if that row was
// disposed. Otherwise, like [Manager.Create], it takes the row disposed last, or an unused one. If
// no object of a block is in lockstep, the next row that is mounted sets a new base.
//
// If no kind of a recipe is watched, and the world has at most 64 kinds, spawning or disposing an
// object writes one bit per kind: the recipe records the change for all of its kinds, and spawned
// records it for the block. A block of a slab counts as having each of these kinds as soon as it
// has rows for the kind.
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
// [Arena.Ready], [SpawnReady], [Arena.Give], [Arena.Equip], [Arena.Dispose], [LeavesNoOrder],
// [Arena.DisposeBlock]. Many: [AddEach], [CheckRoom], [Manager.AddBlock], [Manager.DropBlock],
// [Manager.DisposeBlock], [Manager.Copy]. By field: [Place], [Place.InLockstep], [IsOn], [MaskOf].
//
// A manager holds, each with its methods: [Blocks], which objects have the component, as
// [Blocks.Present], [Blocks.Holds], [Blocks.InLockstep], [Blocks.RowsOf], [Blocks.Busy], [Group];
// [Rows], the use of each row, as [Rows.Cap], [Rows.High], [Rows.Owner], [Rows.Owners], [Rows.IDs],
// [Rows.IDsFrom], [Rows.Each], [Rows.Runs], [Rows.Bits], [NextRun], [Rows.Use] with [RowUse],
// [RowUnused], [RowMounted], [RowLoose], [RowSuspended]; [Stamps], when they were written, as
// [Stamps.Touch], [Stamps.TouchRows], [Stamps.TouchAscending], [Stamps.ToStamp], [Stamps.Stamped],
// [Stamps.Of], [MaxTick], and the last few changes, [RecentRows], [Recent]; [Data], the values, as
// [Data.Buffer], [Data.Fill], [Column], [MaxRows], [ResetIdle], [Revise]; [Keys], the rows of
// unique numbers, as [Keys.Row], [Keys.Set], [Keys.Index]. Lists: [Heap] of [HeapOf], [Heap.In],
// [CheckLists], [CheckEachList], [ListsOf], [Lists], [Freed], [FirstLists], [StampedLists],
// [EachListed] with [Redirects], [OfResource]; [Heap.ElementsIn], [Heap.SetElements],
// [Heap.CheckElements], [HeapRoom] of [Heap.Room].
//
// Rules on several kinds: [Arena.NewMatch], [Match], [IsSingle], [Held]. Objects that enter and
// leave: [Arena.Watch], [Unknown], [Watch], [Watcher], [Watcher.Look], [Watcher.Left],
// [Watcher.Entered], [Watcher.Members], [Watcher.Count], [Watcher.Once], [Watcher.Forget]. The last
// values of objects that left: [Keep], [Watcher.Keep], [Arena.Leaving], [Watcher.Last],
// [Watcher.LastColumn], [Watcher.LastValues]. Tools: [QualityOf], [Quality], [MinRun], [ListSize].
// Check: [Manager.Verify], [Lent], [LendsWatched].
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
// Only worlds of more than 64 kinds record kinds per 8 objects. If each of 300 kinds is on a random
// hundredth of the objects, an object has three kinds, and the 64 objects of its block have 190: a
// disposal would read 190 records. Bits for 4 objects or for one are no faster and take more
// memory. The kinds of a block in a world of at most 64 kinds are one word, and finer bits would
// save nothing.
//
// Pages have three sizes because a block with two odd objects needs two rows in its page: with
// pages of 64 alone, 300 kinds used 157 of 489 MB for them. Counting the odd bits below an object
// finds its row in a small page. A block keeps its size of page until it has no odd object, so that
// alternating between 4 and 5 odd objects copies nothing. Each size has as many pages as there can
// be blocks that need one, so none runs out.
//
// By block, rows store no objects, so spawning writes no owners, and no row has to be found, tidied
// or freed. It costs 64 rows for a block in which one object has the kind, so a kind with fewer
// rows than the world has objects goes row by row.
//
// Columns without a count get huge pages only when they use 4 MB, because scattered bytes would
// take 2 MB each. Each stretch is a mapping, and a program can have 65,530 mappings: sixteen for a
// world, none for a snapshot.
//
// A wrong derived word, such as a count beside the bits that it counts, does harm only later.
// [Arena.Verify] compares all derived words; under ecsdebug each loop that trusts one checks it at
// random. A test flips bits everywhere.
package manager
