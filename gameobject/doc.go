// Package gameobject hands out the ids of game objects and knows which are alive. It owns no
// memory: its slices are views of the world's bytes that are given to it.
//
//	ID            0 | generation (31 bits) | index (32 bits): an object. Printed: 7, 7v3
//	              1 | origin (31 bits) | number (32 bits): a recorded creation. Printed: 7r0
//	              0: nobody
//
//	generations   4 bytes per index    of the live object, from 1; when dead, of the next one
//	next          4 bytes per index    free list: the index disposed before it, plus 1; 0 ends it
//	alive         1 bit per index
//	owners        2 bytes per 64       their pool; 0: loose, for objects created one by one
//	room          1 bit per 64         and pool: some of the 64 are free
//	lowest        4 bytes per pool     no word of room before it has a bit
//	counters      40 bytes             see [Counters]
//
// All zeros is an empty registry. An index is handed out again with the next generation, so an id
// that was kept too long names nobody. An index whose generations are used up is retired.
//
// A loose index is used again the last disposed first or, in order, the first disposed first and
// after all that were never used. A pool is given slabs of whole blocks of 64 indexes, of which it
// hands out the lowest free one; indexes that nobody gave it stay with the loose.
//
// Registry: [New], [Registry], [Views], [Counters]. Ids: [ID], [MakeID], [Nobody],
// [LastGeneration], [ParseID]; of recorded creations: [MakeRecorded], [ID.Recorded], [ID.Origin].
// Loose: [Registry.Create]. Pools: [Registry.Spare], [Registry.Reserve], [Registry.Take],
// [Registry.TakeBlock], [Registry.Pool]. Any: [Registry.Dispose], [Registry.Alive],
// [Registry.Check], [Registry.At], [Registry.Words], [Registry.All], [Registry.Verify].
// Count: [Registry.Cap], [Registry.Live], [Registry.Left], [Registry.High].
// Errors: [ErrTooMany], [ErrOutOfRange], [ErrDead].
package gameobject
