// Package gameobject is the layer of ids: it hands out the ids of game objects and records which
// are alive. It owns no memory: its slices are views of the world's bytes. Its Go API may change;
// package world has the stable API.
//
//	ID            0 | generation (31 bits) | index (32 bits): an object. Printed: 7, 7v3
//	              1 | origin (31 bits) | number (32 bits): a recorded creation. Printed: 7r0
//	              0: nobody
//
//	generations   4 bytes per index    of the live object, from 1; when dead, of the next one
//	next          4 bytes per index    free list: the index disposed before it, plus 1; 0 ends it;
//	                                   of a live loose index: the pool that counts it, or 0
//	alive         1 bit per index
//	owners        2 bytes per 64       their pool; 0: loose, for objects created one by one
//	recipes       12 bytes per pool    see [Pool]
//	groups        2 bits per 64        some objects are alive, all are; see [Group]
//	room          1 bit per 64         and pool, by groups: some of the 64 indexes are free
//	counters      40 bytes             see [Counters]
//
// Zeroed views are an empty registry. A reused index gets the next generation, so that a stale id
// names no object. An index beyond its last generation is retired.
//
// Loose indexes are reused last in, first out; or, in order, first in, first out after all unused
// ones. A pool consists of slabs of whole blocks of 64 indexes and hands out its lowest free index.
// Indexes outside of pools are loose. A pool with too few objects for a slab counts loose objects.
//
// Registry: [New], [Registry], [Views], [Counters]. Ids: [ID], [MakeID], [Nobody],
// [LastGeneration], [ParseID]; of recorded creations: [MakeRecorded], [ID.Recorded], [ID.Origin],
// [Members].
// Loose: [Registry.Create], [Registry.CreateBlock]. Pools: [Pool], [Registry.Spare],
// [Registry.Reserve], [Registry.Take], [Filled], [Opened],
// [Registry.TakeBlock], [Registry.PoolOf]. Groups: [Group].
// Any: [Registry.Dispose], [Registry.Alive],
// [Registry.Check], [Registry.At], [Registry.Words], [Registry.Each], [Registry.Verify].
// Count: [Registry.Cap], [Registry.Live], [Registry.Left], [Registry.High].
// Errors: [ErrTooMany], [ErrOutOfRange], [ErrDead].
package gameobject
