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
// it, all at once, regardless of their own positions; all of them need global ids, and only the
// root needs a position. Other shards see members at their positions, so a family must be narrower
// than a region. An object whose parent is removed becomes a root.
//
// References must lead to objects of the same family, or to objects that never leave the shard. A
// reference that would lead to another shard after a tick, or that leads to a ghost, stops the
// shard with [ErrReferences]: store the object's global id instead, and look it up by
// [pack.ByGlobal].
//
// # Plans
//
// [Propose] makes all shards carry out a plan after the same tick, a multiple of Options.Every. The
// first shard that reaches the tick stores the plan, or its absence, in the stream; other shards,
// and shards that repeat the tick later, read it there. A [Plan] can
//
//   - move the borders of Strips or of a Grid, while objects cross them. A region may become empty,
//     which merges others, and its shard may get a region again, which splits one. The number of
//     shards does not change.
//   - change the build. Each shard stores a snapshot of that tick and stops with a [BuildError]. A
//     program with the new Options.Save.Behaviour continues from there; it may have other kinds and
//     fields, as package save allows, with Options.Save.Migrations. No build runs a tick of another
//     build: a shard whose last snapshot cannot be read requires the older build.
//
// # What is stored
//
//	stream <name>             <name>.m.<to>.<from>.<tick>.<round>.<part> messages
//	                          <name>.i.<shard>.<tick>                    inputs
//	                          <name>.p.<tick>                            plans
//	bucket <name>             lease.<shard>, snapshot.<shard>, charter   leases, pointers, options
//	objects <name>-snapshots  <shard>.<tick>                             save files
//
// Each message has a subject that names its tick, and is stored only if its subject has no message
// yet. A tick has one round, or three if borders move. A shard that restarts from a snapshot
// computes the same messages again, and the stream keeps the first ones; if they differ, the shard
// stops with [ErrDiverged]. Messages that are too large for the server are sent in parts.
//
// A shard holds a lease; each message contains its epoch. Before a shard stores anything, it renews
// a lease that is older than two thirds of Options.Lease. A process that was replaced while it was
// stopped or disconnected stops with [ErrFenced]. Another holder may begin between the check and
// the write: then both store the same bytes. Late writes are harmless: a snapshot without a
// pointer, or messages of a tick before all snapshots, which the next cleaning removes.
//
// Snapshots are written while the shard steps, and read back; only then does the pointer move, and
// only forward. Two snapshots are kept. Messages and inputs are removed when the older snapshots of
// both ends are of a later tick; between shards whose regions do not touch any more, when they
// touch again. The server frees the disk some seconds later. If it has no room, shards stop with
// [ErrNoRoom], or with [ErrSilent] if it does not answer; they continue without a loss once there
// is room and the server was restarted.
//
// # Safety
//
// A server without users may only be on loopback; otherwise the error is [ErrOpen]. [Server]
// supports TLS and a password, an nkey or credentials. Clients that may publish to the subjects of
// a simulation are trusted with its objects; their messages are nevertheless checked like files.
// docs/SCALE.md lists the subjects that a shard needs, and server/shards.conf is a configuration
// that permits no others.
//
// # Decisions
//
// JetStream provides what a shard needs, in one server that can be embedded or clustered: append
// the first message of a subject, read it back, update a key from a known revision, store large
// objects. Each message has a subject of its own, so that the condition "first message" is
// permanent. There is no barrier and no master: a shard waits only for its neighbours, so a tick
// takes the time of one message for any number of shards.
//
// Two holders of a lease may write at the same time, because a process can be stopped between its
// check of the lease and its write; the second writes the same bytes or is refused. The waiting
// shard's clock decides when a lease expires. References stay within a family, because a relation's
// policy is carried out immediately, in the shard of the target.
//
// The first shard that reaches a tick decides about plans: each shard tries to store the plan, or
// its absence, and the first message is final, without votes. Borders move in two further rounds,
// in which objects go directly to their new shards, and new neighbours show each other their
// objects. A build ends on all shards, with a snapshot at one tick, before another begins, so that
// a build reads another build's data only from the save file.
//
// [Connect] tries once before it waits for a server, because a wrong password is not worth
// retrying. The module is separate from the library, which does not need NATS, and from its
// command, which needs more.
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
