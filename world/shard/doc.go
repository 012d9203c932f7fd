// Package shard runs one world on several machines: each shard is a process whose world contains
// the objects of one region of space. After any tick, the objects of all shards have the digest
// that they have in a single process, whichever processes were killed in between.
//
//	            shard 0                            shard 1
//	inputs ──▶  sealed in the stream               sealed in the stream  ◀── inputs
//	            step of the schedule               step of the schedule
//	            leavers, ghosts  ──▶ stream ──▶    arrivals, ghosts
//	            arrivals, ghosts ◀── stream ◀──    leavers, ghosts
//	            snapshot, now and then             snapshot, now and then
//
// Shards communicate by streams of NATS JetStream, a server that stores messages. Once per tick,
// each pair of neighbours exchanges two messages: the objects that left the region, with all
// components, and ghosts, which are copies of the objects that the neighbour sees over the border.
// A shard waits only for the messages of its neighbours.
//
//	nc, err := shard.Connect(shard.Server{URL: "nats://127.0.0.1:4222"})
//	s, err := shard.Start(ctx, nc, shard.Options{
//		Name: "crowd", Shard: 0, Partition: shard.Strips(4, 0, 1000),
//		Counts: counts, Position: Position, Populate: populate,
//		Schedule: schedule, Pipeline: "tick", Reach: shard.Reach{Radius: 3},
//	})
//	err = s.Run(ctx, 600)
//	sum, objects, err := s.Digest()
//	s.Close()
//
// # Rules of a simulation
//
// Results must not depend on the order or the ids of objects: add integers, or sort by
// pack.GlobalOf; draw numbers by [world.Random] of a global id, never by [world.NextStream]. Give
// each new object a global id by pack.NextGlobal of its parent. Systems look no farther than
// [Reach.Radius], and may read ghosts there, but not change them: exclude ghosts by
// world.Without(Ghost), or by a kind that ghosts lack. Resources must change in all shards alike.
// In one tick an object may move to a neighbouring region only. [ErrGlobal], [ErrNarrow],
// [ErrReferences], [ErrDiffers] and [ErrFar] report broken rules.
//
// # Families
//
// The objects of a tree (see package family) are in the shard where their root is, and move with
// it, all at once, wherever they are themselves; all of them need global ids, and only the root
// needs a position. Those with positions are seen there by others, so a family is narrower than a
// region. An object whose parent is removed becomes a root.
//
// References lead to objects of the same family, or to others of the shard that never part. A
// reference that would lead to another shard after a tick, or that leads to a ghost, stops the
// shard with [ErrReferences]: keep the other's global id instead, and look it up by
// [pack.ByGlobal].
//
// # Plans
//
// [Propose] has all shards do something after the same tick, a multiple of Options.Every. The first
// shard that gets there seals in the stream what is done, or that nothing is; the others, and those
// that repeat the tick later, read it there. A [Plan] can
//
//   - move the borders of Strips or of a Grid, while objects cross them. A region may become empty,
//     which merges others, and its shard may get a region again, which splits one. The number of
//     shards stays.
//   - change the build. Each shard stores a snapshot of that tick and stops with a [BuildError]. A
//     program with the new Options.Save.Behaviour goes on from there; it may have other kinds and
//     fields, as package save allows, with Options.Save.Migrations. No build runs a tick of another
//     one: a shard whose last snapshot cannot be read asks for the older build.
//
// # What is stored
//
//	stream <name>             <name>.m.<to>.<from>.<tick>.<round>.<part> messages
//	                          <name>.i.<shard>.<tick>                    inputs
//	                          <name>.p.<tick>                            plans
//	bucket <name>             lease.<shard>, snapshot.<shard>, charter   leases, pointers, options
//	objects <name>-snapshots  <shard>.<tick>                             save files
//
// Each message has a subject that names its tick, and is stored if there is none of that subject.
// A tick has one round, and three if borders move.
// So a shard that begins again from a snapshot makes the same messages again, and the stream keeps
// the first ones; if they differ, the shard stops with [ErrDiverged]. Messages that are larger than
// the server takes go in parts.
//
// A shard holds a lease, whose epoch is in each message. It renews the lease before it stores
// anything, should it be older than two thirds of Options.Lease; a process that another one has
// replaced, while it was stopped or cut off, stops with [ErrFenced]. Between this question and the
// answer of the server another holder may begin: the two then store the same. What was in flight
// may arrive late: a snapshot to which no pointer leads, or messages of a tick that is behind all
// snapshots, which go with the next ones that do.
//
// Snapshots are written beside the steps, read back, and only then is the pointer moved, which goes
// forward only. Two are kept. Messages and inputs go when both ends have an older snapshot of a
// later tick; between shards whose regions do not touch any more, when they touch again. A server
// frees the disk some seconds later. If it has no room, shards stop with [ErrNoRoom], or with
// [ErrSilent] if it does not answer; they go on, without a loss, when there is room and the server
// was started again.
//
// # Safety
//
// A server without users is reached on loopback alone, else the error is [ErrOpen]. [Server] has
// TLS and a password, an nkey or credentials. Whoever may publish to the subjects of a simulation
// is trusted with its objects; what comes is checked like a file all the same. docs/SCALE.md lists
// the subjects that a shard needs, and server/shards.conf is a configuration that permits no
// others.
//
// # Decisions
//
// JetStream has what a shard needs, in one server that can be embedded or clustered: append a
// message to a subject only if there is none, read it back, move a key from a known revision, keep
// large objects. Each message has a subject of its own, because the condition "there is none" then
// holds for ever. There is no barrier and no master: a shard waits for its neighbours only, so a
// tick takes one message's time for any number of shards.
//
// Two holders of a lease may store something at once, as a process can stop between its look at the
// lease and its write; the second writes the same bytes or is refused. The waiting shard's clock
// decides when a lease expires. References stay within a family, because a relation's policy is
// carried out where the target is, at once.
//
// Plans are sealed by the first shard that comes: each tries to store a plan, or that there is
// none, and what was stored first counts for ever, without votes. Borders move in two further
// rounds, in which objects go directly to their new shards and the new neighbours show each other
// theirs. One build ends on all shards, with a snapshot at one tick, before another begins, so that
// a build reads another one's data in the save file alone.
//
// [Connect] tries once before it waits for a server, because a wrong password is not worth
// retrying. The module is apart from the library, which does not need NATS, and from its command,
// which needs more.
//
// # Index
//
// Run: [Connect] to a [Server], [Start] of [Options] returns a [Shard]; [Shard.Step], [Shard.Run],
// [Shard.Tick], [Shard.State], [Shard.Digest], [Shard.Stats] as [Stats], [Shard.Close]. Regions:
// [Partition], [Strips], [Grid]. All shards at once: [Propose] a [Plan]. Queries: [Ghost].
// [IsLoopback]. A server in this process: package server. Errors: [ErrOptions], [ErrNarrow],
// [ErrFar], [ErrGlobal], [ErrReferences], [ErrDiffers], [ErrDiverged], [ErrHeld], [ErrFenced],
// [ErrSnapshot], [ErrLost], [ErrMessage], [ErrInput], [ErrSilent], [ErrBack], [ErrNoRoom],
// [ErrPlan], [ErrBuild] with [BuildError], [ErrOpen], [ErrRefused].
package shard
