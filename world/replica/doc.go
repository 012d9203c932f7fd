// Package replica serves one world to many clients, each of which sees its own part of it. The
// server's world is the only truth; what a client is sent depends on what the server names for it,
// and on nothing else. Predictions of a client are exact for its own objects, as far as they depend
// on what it has exactly: on walls, yes; on other players, no.
//
//	server                                                client
//	world ─▶ table: wire values and stamps                mirror: wire values of the last ticks
//	         │ once per tick, for all clients             │
//	see ─▶ Conn: slots, ticks ──── datagram ──▶ Apply ──▶ Present ─▶ a world of its own
//	       budget, priorities ◀── acknowledgements, inputs ── Step: own objects, ahead
//
// Both ends declare a [Schema]: which fields travel, and how. A mirror is an ordinary world, so
// that whatever draws, inspects or saves worlds works on it. Package world/session is the other
// answer to several players: there each computes the whole world, which needs no server and hides
// nothing.
//
// The package does no I/O and reads no clock: a program gives it a link.Link per client, and
// calls it once per tick. All memory is there from the start, but for events beyond the counts of
// the server's world; clients cannot ask for more.
//
// # Method
//
// The table has a row per object: the values as they travel, and per field the tick in which that
// last changed. Of a client, the server keeps no values but the tick that it acknowledged, per
// object. A field is sent while its stamp is later. A lost datagram costs nothing but its content,
// which the next ones have.
//
// A client knows objects by slots, which are its own: neither indexes nor the number of other
// objects show. Objects that come in are ordered by their weights and by what the client may see of
// them. An object that goes is taken back until that is acknowledged; if it comes again before, it
// is another object for the client. So is one that becomes the client's, or somebody else's.
//
// If a datagram has no room for all, objects with the highest priority go first. Priority is the
// sum of weights since an object was sent, so each has its turn.
//
// Events about an object that the client sees are queued for it. Each datagram has those that were
// not acknowledged, for at most 10 ticks, and in at most half of its bytes; a mirror takes each
// once. One that is about an object that the client does not have yet waits for it. An event may be
// lost: what must not be lost is a field. At most 128 events of a client wait, and 64 go into a
// datagram. References are what the client sees in the event's tick. Events that the world's ring
// loses before Send are sent, too: the server takes them in as they are overwritten.
//
// What an object was while a client did not see it is not sent: a kind that it lost takes its
// values along, and fields with Every and Once have the value of the tick in which the object comes
// into sight.
//
// A client gets Options.Budget bytes per datagram while its acknowledgements come. If more than a
// sixth of the bytes is missing in a window of 40 datagrams, another budget is tried for a window.
// If as many bytes arrive, the line is full, and the client gets those. If the same share arrives,
// the line loses at random, and the client gets 1.2 of that share of Options.Budget, half of it at
// least. A line whose delay grows is full, too. Budgets rise by 5 % per window, or by a quarter if
// nothing is lost, and are at least 200. In a crowd, [Near] has what is far sent less often.
//
// A client of which nothing came for Options.Patience is given up, and told so once; [Mirror.Lost]
// reports that, or that the server was silent for as long.
//
// What the step of a client spawns has a key: the number of the input, and which spawn of it. The
// server says which of its objects belongs to an input, and its enter record has the key, so that
// the client's object becomes the mirror's.
//
// A mirror carries out no policies of relations: what a client sees is a part of what there is, of
// datagrams that came in any order. Which objects there are, what each refers to and which are
// disabled is what the server has; a reference that would close a ring with an older one is tried
// again in each Present.
//
// # Another program
//
// The next program's server goes on where one was: [Server.AppendState] makes bytes, which travel
// beside the world by package hand or lie in a file, and [ReadServer] makes a server of them.
// Clients notice nothing, if their links travel too, or are found again. If the program died, and
// the bytes are older than what clients were told, clients have all anew in a round trip.
//
//	h.Keep("server", server.AppendState) // with each copy of the world, too
//	…
//	lost := int(h.Lost()/tick) + 1 // 0, if h.Lost() is: the world was handed over
//	server, err := replica.ReadServer(state, Seen, options, h.Bytes("server"), lost)
//
// # Datagrams
//
// Numbers are little-endian; varints are those of encoding/binary. From the server:
//
//	at  bytes  what
//	 0      4  xxh3 of all that follows, the low half
//	 4      4  tick of the server
//	 8      2  sequence number
//	10      2  the last input that was used
//	12      1  ticks to the one that differences are from; 0: there are none
//	13      1  1: the client has all of this tick with this datagram; 2: the schemas differ;
//	           4: there are events; 8: the client was given up
//	14      1  inputs that wait, or ticks that lacked one, negative
//	15      1  groups
//	16         groups: 1 byte (1 differences, 2 enter, 4 leave, 8 own, 16 keys), mask of parts
//	           (varint), number of slots (varint), steps from slot to slot (varints), keys (number
//	           of an input, 2 bytes, and which spawn of it, 1 byte), a column per part, of lists
//	             each with its length before it (1 byte, or 2 if there may be more than 255)
//	           events: number of the first (2 bytes), how many (1), and of each the step from the
//	           last number (1 byte), the type (1), and its fields
//
// Part 0 has a bit per kind that comes and goes. References are slots plus one. To the server:
//
//	 0      4  xxh3 of all that follows, the low half
//	 4      1  1: something was received
//	 5      8  hash of the schema
//	13      6  the last sequence number, and a bit for each of the 32 before it
//	19      4  the moment that is shown, in parts of 256 of a tick
//	23      3  number of the first input, and how many
//	26         inputs
//
// The checksum finds damage, not lies: whoever can send to the server can send inputs. Links that
// prove who sends are the program's.
//
// # Limits
//
// A schema has at most 31 parts of at most 64 bytes, lists apart; an object as a whole, with its
// lists, fits into a datagram. A client sees at most 16,384 objects. Objects that go take a slot
// until the client acknowledged that; Options.Known needs room for those, too. What is beyond
// Known is left out until there is room. The Send after Restore, or with another world of the same
// objects (Load, Resized), looks at all objects.
//
// A mirror is of one server. A client that goes on to another one, such as of the next shard, makes
// another mirror, of the same world or a new one, in which objects are others; those that are to be
// known again have a number of the program's in a field, Raw and Once. It says to clients what its
// making says: one that counts objects tells how many there are.
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
// [Conn.Number], [Conn.Stats] for [Stats], [Conn.Resume], [Conn.Renew], [Conn.Spawned],
// [Conn.Sees] for a [Sight], [Conn.AppendSees]; hit tests: [Was], [Conn.Back].
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
