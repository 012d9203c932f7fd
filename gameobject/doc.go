// Package gameobject hands out the ids of game objects and knows which are alive. It owns no
// memory: its slices are views of the world's bytes that are given to it.
//
//	ID            generation (32 bits) | index (32 bits); the zero ID is nobody
//
//	generations   4 bytes per index    how often the index was handed out, from 1
//	next          4 bytes per index    free list: the index disposed before it, plus 1; 0 ends it
//	alive         1 bit per index
//	counters      high, free, live     first index never used · head of the free list · alive
//
// All zeros is an empty registry. An index is handed out again with the next generation, the last
// disposed first, so an id that was kept too long names nobody. An index whose generations are used
// up is retired.
//
// Registry: [New], [Registry.Create], [Registry.Dispose], [Registry.Check], [Registry.All].
// Errors: [ErrTooMany], [ErrOutOfRange], [ErrDead].
package gameobject
