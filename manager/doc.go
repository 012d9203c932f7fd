// Package manager is the layer of components: which row is on which object, and the columns of
// data. An [Arena] owns all bytes of a world; each [Manager] is a view of one region of them and
// holds the components of one kind. Its Go API may change; that of package world is the promise.
//
// An arena, for n objects and k kinds; every part starts on a multiple of 64 bytes:
//
//	header        8 bytes               tick of the current step
//	counters      40 bytes              ┐
//	generations   4 × n                 │
//	next          4 × n                 │
//	alive         8 × ⌈n/64⌉            ├ see package gameobject; p pools, one per recipe
//	owners        2 × ⌈n/64⌉            │
//	recipes       12 × p                │
//	groups        16 × ⌈n/4096⌉         │
//	room          8 × p × ⌈n/4096⌉      ┘
//	kinds         8 × ⌈k/64⌉ × ⌈n/64⌉   a bit per kind: some of 64 objects have it (derived)
//	settled       8 × ⌈n/64⌉            a bit per object of a slab: it is dead, or has all kinds
//	                                    of its recipe that are stored by block (derived)
//	turns         8 × p                 tick at which such an object was last spawned or disposed
//	                                    (derived)
//	eights        8 × ⌈k/64⌉ × 8⌈n/64⌉  the same of 8 objects, where k > 64 (derived)
//	manager 0     see below             in the order of the counts
//	manager 1
//	…
//	watcher       see below             each, in the order of the watchers
//	…
//
// There are two stores. A kind by block, whose [layout.Count] says ByBlock, gives 64 rows to each
// 64 objects of which one ever had the component; no row is loose, and none is searched for. Its
// region, for r rows and n objects:
//
//	counters      40 bytes              rows ever given · 0 · up to where, of all but the last ·
//	                                    0 · 0 · mounted · suspended · low half of the tick of the
//	                                    last change of who has it · tick of the last change of a
//	                                    value
//	blocks        32 × ⌈n/64⌉           present · 0 · kept uint64 · base · 0 uint32
//	changed       8 × ⌈r/64⌉            tick at which one of 64 rows was last written or mounted
//	homes         4 × ⌈r/64⌉            of 64 rows: object minus row, plus 1; 0: of no block
//	columns       r × stride each       one per field: stride = lanes × bytes per element
//	                                    ─ here truth ends ─
//	groups        16 × ⌈n/4096⌉         a bit per block: any uint64 · whole uint64
//
// All other kinds hand out their rows one by one. Their region; truth first, then what is derived
// from it:
//
//	counters      40 bytes              rows ever used · last disposed · 0 · 0 · loose · mounted ·
//	                                    suspended · low half of the tick of the last change of who
//	                                    has it · tick of the last change of a value
//	bases         4 × ⌈n/64⌉            row minus object, for the objects in lockstep
//	objects       4 × r                 what row is on: an object, or one of
//	                                    0xFFFFFFFF          in use, on no object (loose)
//	                                    0x80000000 | q+1    free; q was disposed before it
//	                                    0x40000000 | o      suspended; keeps the values of o
//	                                    0                   if it is not mounted: never used
//	links         4 × r                 of a free row: the row disposed after it, plus 1; 0: none
//	changed       8 × ⌈r/64⌉            tick at which one of 64 rows was last written or mounted
//	mounted       8 × ⌈r/64⌉            a bit per row: is on an object
//	columns       r × stride each       one per field: stride = lanes × bytes per element
//	                                    ─ here truth ends ─
//	blocks        32 × ⌈n/64⌉           present · odd · kept uint64 · base · page uint32
//	pages of 4    16 × min(r, ⌈n/64⌉)   the rows of a block's odd objects, in their order
//	pages of 16   64 × min(r, ⌈n/64⌉)   the same, of a block that had more than 4 at once
//	pages of 64   256 × min(r, ⌈n/64⌉)  of a block that had more than 16: by their place in it
//	spare pages   8 × 3                 of 64, 4, 16: pages ever used · first unused one, plus 1
//	groups        16 × ⌈n/4096⌉         a bit per block: any uint64 · whole uint64
//
// and of a keyed kind, whose rows are found by the first field:
//
//	slots         4 × 2ᵏ, 2ᵏ ≥ 2 × r    rows plus 1, by the hash of their keys; or left over
//	keys          8 bytes               slots that are not 0 · log of how many are in use
//
// A watcher's region, for n objects:
//
//	record        8 bytes               was Once called
//	generations   4 × n                 of each member
//	former        4 × n                 generation of each object that left
//	blocks        40 × ⌈n/64⌉           a bit per object: member · touched · gone · left · entered
//	                                    ─ here truth ends ─
//	touched       8 × ⌈n/4096⌉          a bit per block: some are touched
//	reported      8 × ⌈n/4096⌉          a bit per block: some left or entered
//	count         8 bytes               members
//
// A mark has counters, blocks (which are truth there) and groups only. [Manager.Buffer] is exactly
// the columns.
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
// An index of a slab is settled if its block has rows for all kinds of the recipe that are by
// block, and it is dead or has all of them and keeps none suspended: then a spawn and a disposal
// ask nothing per kind, groups and kinds per block stay as they are, and the recipe notes the
// change for all of its kinds. Whatever else happens to one of these kinds clears the bit. Truth
// does not follow from it. Where a kind is watched, or the world has more than 64, nobody is.
//
// Objects are indexes, and the caller has checked that they are alive. Rows are checked here: a row
// that is not in use panics. Creating, mounting, disposing and looking up allocate nothing.
//
// World: [NewArena], [Unwritten], [ArenaIn], [ArenaOver], [Sizes], [Arena.Fill], [Arena.Find],
// [Arena.Slot], [Arena.Kinds], [Arena.KindsNear], [Arena.Among], [Arena.AmongNear],
// [Arena.DropAll], [Arena.Verify], [Arena.CheckCounters], [Arena.Refuse]. Whole worlds: [Part],
// [Arena.Parts], [Arena.Used], [Part.Per], [Part.Offset],
// [Arena.Like], [Arena.Clone], [Arena.Alike], [Arena.AlikeIn], [Arena.CopyFrom],
// [Arena.Overwritten], [Arena.Adopt], [Arena.Rebuild], [Arena.Digest], [Arena.Equal],
// [Arena.FirstDifference], [Difference], [Text], [TextNaming], [ElementText], [Number]; what
// changed since a copy: [Past], [Past.Now], [Past.Since], [Past.Cut], [Past.Ready], [Base],
// [CheckCopy]; what was written without a stamp: [Past.Watch], [Past.Unwatch], [Past.Called],
// [Past.Compare], [Past.CheckStamps]. Values: [Manager.Fill], [MaxRows].
// Components: [Manager.Create], [Manager.Mount], [Manager.Add], [Manager.Remove],
// [Manager.Dispose], [Manager.Drop], [Manager.Suspend]. By block: [ByBlock], [RowsFit],
// [Arena.Describe], [Arena.Ready], [SpawnReady], [DisposeReady], [Arena.Bare], [Arena.Wake],
// [Arena.DisposeBlock], [Rests], [DisposeRested]. Many: [AddEach], [CheckRoom], [HaveRoom],
// [Manager.AddBlock], [Manager.DropBlock], [Manager.DisposeBlock], [Manager.Copy].
// Look up: [Manager.Has], [Manager.Get], [Manager.RowOf], [Manager.ObjectOf], [Manager.RowsOf],
// [Manager.Present], [Manager.Holds], [Manager.InLockstep], [Manager.Busy],
// [Manager.Owner], [Manager.Owners], [Manager.IDs], [Manager.IDsFrom]; by field [Place],
// [Place.InLockstep], [IsOn], [MaskOf]. Lists: [Heap] of [Manager.HeapOf], [Manager.ListIn],
// [Manager.CheckLists], [Manager.CheckEachList], [Manager.ListsOf], [Lists], [Freed], [FirstLists],
// [Manager.StampedLists], [Manager.EachListed] with [Redirects], [OfResource];
// [Manager.ElementsIn], [Manager.SetElements], [Manager.CheckElements], [HeapRoom] of [Heap.Room].
// Keys: [Manager.Keyed], [Manager.RowOfKey], [Manager.SetKey], [Manager.IndexKey]. Go through:
// [Manager.All], [Manager.Each], [Manager.Runs], [Group]. Rules on several kinds: [Arena.NewMatch],
// [Match], [Held]. What enters and leaves: [Arena.Watch], [Unknown], [Watch], [Watcher],
// [Watcher.Look], [Watcher.Left], [Watcher.Entered], [Watcher.Members], [Watcher.Count],
// [Watcher.Once], [Watcher.Forget]. What those who left had: [Keep], [Watcher.Keep],
// [Arena.Leaving], [Watcher.Last], [Watcher.LastColumn], [Watcher.LastValues]. Ticks: [MaxTick],
// [Manager.Touch], [Manager.TouchRows], [Manager.TouchAscending], [Manager.Stamps],
// [Manager.Stamped], [Manager.Changed]. The last few changes by their rows: [Manager.Recent],
// [Recent], [Manager.RowBits], [NextRun]. Bytes: [Manager.Buffer], [Column]. Count: [Manager.Cap],
// [Manager.MaxIndex], [Manager.Live], [Manager.Mounted]. Tools: [Manager.Quality], [Quality],
// [MinRun], [ListSize], [Manager.Use], [RowUse], [RowUnused], [RowMounted], [RowLoose],
// [RowSuspended]. Check: [Manager.Verify], [Lent], [LendsWatched].
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
// random. The tables above are compared with the parts of a world by a test that flips bits
// everywhere.
package manager
