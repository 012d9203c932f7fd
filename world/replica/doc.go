// Package replica serves one world to many clients, each of which sees its own part of it. The
// server's world is the only truth, and a client receives only the objects that the server names
// for it. A client's predictions of its own objects are exact if they depend only on data that the
// client has exactly: on walls, but not on other players.
//
//	server                                                client
//	world ─▶ table: wire values and stamps                mirror: wire values of the last ticks
//	         │ once per tick, for all clients             │
//	see ─▶ Conn: slots, ticks ──── datagram ──▶ Apply ──▶ Present ─▶ a world of its own
//	       budget, priorities ◀── acknowledgements, inputs ── Step: own objects, ahead
//
// Both ends declare a [Schema]: which fields travel, and how. A mirror is an ordinary world, so
// that code that draws, inspects or saves worlds works on it. In package world/session each player
// computes the whole world instead, which needs no server and hides nothing.
//
// The package does no I/O and reads no clock: a program passes it a [link.Link] per client, and
// calls it once per tick. All memory is allocated at the start, except for events beyond the counts
// of the server's world; clients cannot cause more.
//
// # Method
//
// The table has a row per object: the encoded values, and per field the tick of its last change.
// Per client and object, the server keeps only the acknowledged tick. A field is sent while its
// stamp is later. The next datagrams repeat the content of a lost one.
//
// A client knows objects by its own slots, which reveal neither indexes nor the number of other
// objects. Entering objects are ordered by weight and by the data that the client may see of them.
// The server repeats that an object left until the client acknowledges it; an object that enters
// again before that is a new object for the client. So is an object whose owner changes.
//
// If a datagram has no room for all objects, those with the highest priority go first. Priority is
// the sum of weights since an object was sent, so that every object gets a turn.
//
// Events about an object that the client sees are queued for the client. Each datagram contains the
// events that were not acknowledged, for at most 10 ticks, in at most half of its bytes; a mirror
// receives each once. An event about an object that the client does not have yet waits for the
// object. Events may be lost: use a field for data that must arrive. A client's queue holds at most
// 128 events, and a datagram 64. References are to objects that the client sees in the event's
// tick. Events that the world's ring drops before Send are sent, too: the server reads them when
// they are overwritten.
//
// Data from times when a client did not see an object is not sent: when an object loses a kind,
// the kind's values are not sent, and fields with Every and Once have the value of the tick in
// which the object comes into sight.
//
// A client gets [Options.Budget] bytes per datagram while its acknowledgements arrive. If more than
// a sixth of the bytes is lost in a window of 40 datagrams, another budget is tried for a window.
// If the same number of bytes arrives, the line is full, and that number becomes the budget. If the
// same share arrives, the line loses at random, and the budget becomes 1.2 times that share of
// Options.Budget, at least half of it. A line with growing delay is full, too. Budgets rise by 5 %
// per window, or by a quarter without losses, and are at least 200. In a crowd, [Near] sends far
// objects less often.
//
// A client that sent nothing for [Options.Patience] is given up, and told once; [Mirror.Lost]
// reports this, and a server that was silent for as long.
//
// An object that a client's step spawns has a key: the number of the input, and of the spawn within
// it. The server names its own object for the input, whose enter record contains the key, so that
// the client's object becomes the mirror's.
//
// A mirror does not apply the policies of relations, because a client sees only some objects, and
// datagrams arrive in any order. The server decides which objects exist, their references, and
// which are disabled; a reference that would close a ring with an older one is retried in each
// Present.
//
// # Another program
//
// The next program's server continues an earlier one: [Server.AppendState] appends bytes, which
// travel with the world by package hand or in a file, and [ReadServer] creates a server from them.
// Clients do not notice if their links are handed over, too, or found again. If the program
// died, and the bytes are older than the last datagrams, clients receive everything again within a
// round trip.
//
//	h.Keep("server", server.AppendState) // with each copy of the world, too
//	…
//	lost := int(h.Lost()/tick) + 1 // 0, if h.Lost() is: the world was handed over
//	server, err := replica.ReadServer(state, Seen, options, h.Bytes("server"), lost)
//
// # Datagrams
//
// docs/FORMAT.md describes every byte of the datagrams.
//
// The checksum detects damage, not forgery: everyone who can send to the server can send inputs.
// Use links that authenticate the sender, such as the links of world/link/udp.
//
// # Limits
//
// A schema has at most 31 parts of at most 64 bytes, except lists; a whole object, with its lists,
// must fit into a datagram. A client sees at most 16,384 objects. Objects that leave take a slot
// until the client acknowledges it; [Options.Known] must include room for them. Objects beyond
// Known are omitted until there is room. The Send after Restore, or with another world of the same
// objects (Load, Resized), looks at all objects.
//
// A mirror belongs to one server. A client that moves to another server, such as the server of the
// next shard, creates another mirror, with new objects, over the same world or a new one; to
// recognise objects, send a number in a field, Raw and Once. The number is visible to clients: if
// you number objects consecutively, clients learn how many there are.
//
// # Files
//
// From the top down: the files of the server, the files of the client, and the files of both.
//
//	state.go    handing over       server.go   Server: clients, ticks
//	send.go     a datagram         events.go   its events
//	view.go     View: objects in sight past.go     hit tests
//	conn.go     Conn: one client   queue.go    its events, until they arrive
//	slots.go    its objects            flow.go     its budget of bytes
//	line.go     acknowledgements   inputs.go   its inputs
//	group.go    slots by parts     eventlog.go events of the world
//	table.go    values and stamps of the world
//
//	predict.go  Predictor          read.go     Apply: datagrams
//	show.go     Present: the world mirror.go   Mirror: objects of seats
//	soft.go     corrections        seat.go     one object, and its ticks
//
//	schema.go   Schema, Part       wire.go     Wire
//	errors.go   errors             internal/wire
//
// # Index
//
// Declare: [NewSchema] of [Part]: [Field], [List], [Mark], [Ref], [Sent] to an [Audience]:
// [WhoeverSees]; [Wire]: [Fixed], [Angle], [Half], [Raw], [Wire.Delta], [Wire.Smooth], [Wire.Once],
// [Wire.Every], [Wire.Owner], [Wire.OwnerOnly]; [Schema], [Schema.Hash], [Schema.Counts].
//
// Serve: [NewServer] of [Options]; [Server], [Server.Accept], [Server.Conns], [Server.Joined],
// [Server.Gone], [Server.Inputs] for [Input] with [Moment], [Server.Send] for a [View]:
// [View.State], [View.See], [View.Own], [View.Related], [View.Query], [Near]; [Conn],
// [Conn.Number], [Conn.Stats] for [Stats], [Conn.Resume], [Conn.Renew], [Conn.Drop],
// [Conn.Spawned], [Conn.AppendSees]; hit tests: [Was], [Conn.Back].
//
// Play: [NewMirror] of [Show]; [Mirror], [Mirror.Apply], [Mirror.Due], [Mirror.Append],
// [Mirror.Present], [Mirror.Own], [Mirror.Entered], [Mirror.Left], [Mirror.Tick], [Mirror.Whole],
// [Mirror.Late], [Mirror.Lost]; [NewPredictor], [Predictor], [Predictor.Step], [Predictor.Spawn],
// [Predictor.Again]; [Soften] for a [Softening]; [Own].
//
// Hand over: [Server.AppendState], [ReadServer], [Server.Skip].
//
// Errors: [ErrDamaged], [ErrSchema], [ErrState].
package replica
