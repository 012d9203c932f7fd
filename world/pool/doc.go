// Package pool holds many worlds of equal counts that are there from the start: the rooms of a
// server, the futures that a search looks at, the matches of a test.
//
//	range   [ world ][ world ][ world ]…   one stretch of bytes, reserved by New
//	           ▲        ▲
//	first ─────┴─ Take  └─ Fork ◀── any world of such counts
//
//	rooms := must(pool.New(first, 1_000))
//	room, err := rooms.Take()             // as first is
//	futures, err := rooms.Fork(nil, room, 100)
//	err = rooms.Step(futures, 0, play)    // on all processors
//	for _, s := range futures {
//		rooms.Put(s)
//	}
//
// A world of a pool is one like any other, with what belongs to it: ids, random numbers, watchers,
// recorded commands. What is in it is copied, never made: a world of some kB takes less than a
// microsecond. A pool owns its worlds, and a copy of the first one. It may be used by several
// goroutines at once, each world by one.
//
// Make: [New], [Pool.Close]. Worlds: [Pool.Take], [Pool.Put], [Pool.Left], [ErrTaken]. Copies:
// [Pool.Fork], [Copy]. Step: [Pool.Step], [StepError].
//
// # Decisions
//
// A pool does not grow: a server that is full says so, and memory is what it was at the start.
// Put makes a world what the first one is, rather than Take, so that nothing of a room is left
// where the next one begins, and so that the State that was put back is used up. Step hands each
// world to one goroutine, which of them does not matter: what a step leads to depends on its world
// alone.
package pool
