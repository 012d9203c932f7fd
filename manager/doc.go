// Package manager keeps the components of one kind: which row is on which object, and the
// columns of data. It owns the bytes of a world, its [Arena], and each [Manager] is a view of
// one region of it.
//
// An arena, for n objects and k kinds; every part starts on a multiple of 64 bytes:
//
//	header        8 bytes               tick of the step that is under way
//	counters      16 bytes              indexes ever used · head of the free list · alive · –
//	generations   4 × n                 ┐
//	next          4 × n                 ├ see package gameobject
//	alive         8 × ⌈n/64⌉            ┘
//	kinds         8 × ⌈k/64⌉ × ⌈n/64⌉   a bit per kind: some of 64 objects have it (derived)
//	manager 0     see below             in the order of the counts
//	manager 1
//	…
//	watcher 0     see below             in the order of the watchers
//	…
//
// A manager's region, for r rows and n objects; truth first, then what follows from it:
//
//	counters      24 bytes              rows ever used · head of the free list · loose · mounted ·
//	                                    tick of the last change
//	bases         4 × ⌈n/64⌉            row minus object, for the objects in lockstep
//	objects       4 × r                 what row is on: an object, or one of
//	                                    0xFFFFFFFF          in use, on no object (loose)
//	                                    0x80000000 | p+1    free; p was disposed before it
//	links         4 × r                 of a free row: the row disposed after it, plus 1; 0: none
//	changed       8 × ⌈r/64⌉            tick at which one of 64 rows was last written or mounted
//	columns       r × stride each       one per field: stride = lanes × bytes per element
//	                                    ─ here truth ends ─
//	blocks        24 × ⌈n/64⌉           present uint64 · odd uint64 · base uint32 · page uint32
//	pages         256 × min(r, ⌈n/64⌉)  the rows of a block's odd objects, by their place in it
//	spare pages   8 bytes               pages ever used · first unused page, plus 1
//	mounted       8 × ⌈r/64⌉            a bit per row: is on an object
//	groups        16 × ⌈n/4096⌉         a bit per block: any uint64 · whole uint64
//
// A watcher's region, for n objects:
//
//	generations   4 × n                 of each member
//	former        4 × n                 generation of each object that left
//	blocks        40 × ⌈n/64⌉           a bit per object: member · touched · gone · left · entered
//	                                    ─ here truth ends ─
//	touched       8 × ⌈n/4096⌉          a bit per block: some are touched
//	reported      8 × ⌈n/4096⌉          a bit per block: some left or entered
//
// A mark has counters, blocks and groups, and nothing else. [Manager.Buffer] is exactly the
// columns. A manager that stands alone ([New], [View]) has a header and kinds per block of its
// own before it.
//
// A [Block] is what a manager knows of 64 neighbouring objects:
//
//	present   bit i: object 64b+i has the component
//	odd       bit i: it has, and its row is pages[page][i]
//	base      for present, not odd: row = object + base, modulo 2³² (in lockstep)
//
// [Manager.Add] takes the row that is in lockstep, if it was disposed, and else the one disposed
// last, or never used; [Manager.Create] takes the latter. A block in which nobody is in lockstep
// is given a new base by the next row that is mounted.
//
// Objects are indexes, and the caller has checked that they are alive. Rows are checked here: one
// that is not in use panics. Creating, mounting, disposing and looking up allocate nothing.
//
// World: [NewArena], [Arena.Clone], [Arena.Find]. Alone: [New], [Size], [View], [Manager.Fill].
// Components: [Manager.Create], [Manager.Mount], [Manager.Add], [Manager.Remove],
// [Manager.Dispose]. Look up: [Manager.Has], [Manager.Get], [Manager.RowOf],
// [Manager.ObjectOf], [Manager.RowsOf]. Go through: [Manager.All], [Manager.Runs]. Rules on
// several kinds: [Arena.NewMatch], [Match]. What enters and leaves: [Arena.Watch],
// [Watcher.Look], [Watcher.Left], [Watcher.Entered], [Watcher.Members]; [Arena.TouchRange].
// Ticks: [Manager.Touch], [Manager.TouchRows], [Manager.Changed]. Bytes: [Manager.Buffer],
// [Column]. Count: [Manager.Cap], [Manager.MaxIndex], [Manager.Live], [Manager.Mounted].
// Built-in kinds: [PositionsOf], [VelocitiesOf], [FliesOf], [InstancesOf]. Go values:
// [ValuesOf]. Errors: [Error], [ErrFull], [ErrTwice], [ErrAbsent], [ErrRemove], [ErrNoKind].
package manager
