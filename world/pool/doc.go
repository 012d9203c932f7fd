// Package pool allocates many worlds of equal counts at the start: rooms of a server, futures of a
// search, matches of a test.
//
//	range   [ world ][ world ][ world ]…   one stretch of bytes, reserved by New
//	           ▲        ▲
//	first ─────┴─ Take  └─ Fork ◀── any world of such counts
//
//	rooms := must(pool.New(first, 1_000))
//	room, err := rooms.Take()             // a copy of first
//	futures, err := rooms.Fork(nil, room, 100)
//	err = rooms.Step(futures, 0, play)    // on all processors
//	for _, s := range futures {
//		rooms.Put(s)
//	}
//
// A world of a pool is an ordinary world, with its own ids, random numbers, watchers and recorded
// commands. Its contents are copied, not created: a world of some kB takes less than a microsecond.
// A pool owns its worlds, and a copy of the first one. Several goroutines may use the pool at once,
// but each world belongs to one.
//
// Make: [New], [Pool.Close]. Worlds: [Pool.Take], [Pool.Put], [Pool.Left], [ErrTaken]. Copies:
// [Pool.Fork], [Copy]. Step: [Pool.Step], [StepError].
//
// # Decisions
//
// A pool does not grow: a full server returns an error, and memory stays constant. Put, rather than
// Take, resets a world, so that no data of a room is left for the next one, and the old State
// becomes invalid. Step may use any goroutine for a world, because a step depends on its world
// alone.
package pool
