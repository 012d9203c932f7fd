// Package session lets several players share one world over an unreliable network, by rollback.
// Each program sends the inputs of its player and predicts that the inputs of others stay the same;
// when different inputs arrive, it goes back and repeats the steps.
//
//	                         confirmed                     frame
//	frames       final       │     rest on predictions     │     to come
//	─────────────────────────┼─────────────────────────────┼──────────────▶
//	digests compared         │     at most Window frames   │ Delay inputs of the player here
//
// All players start with the same world and take the same steps, so only inputs are sent, a few
// bytes each. Players also exchange the digest of every final frame, and compare them.
//
//	s, err := session.New(state, session.Options{
//		ID: id, Local: 0, Links: links, InputBytes: 1, Delay: 2, Step: step,
//	})
//	for each frame {
//		state, err = s.Advance(state, input) // ErrWaiting: the others are too far behind
//	}
//
// Package world/link defines the links, and a network within one process for tests. A [SyncTest]
// finds steps whose repetition has another result.
//
// A session has no clock; its time is the number of calls of Advance. If a player leaves, the
// others wait: [Session.Status] reports how long, and the program decides, by [Session.Drop].
//
// # Players who leave
//
// A player who calls Drop accepts no more inputs of the leaver, and sends a vote to all remaining
// players: the set of players that it drops, the frame before which it knows the leaver's inputs,
// and the frame from which it wants the default. When all remaining players drop the same set, the
// largest known and the largest frame count, so no input of a final frame is undone. A player with
// all inputs before known settles its vote, which never changes and binds all remaining players,
// and sends inputs to players that lack some. Only then are frames from known on final there. Sets
// only grow. If another player leaves meanwhile, such as the one who began, the others drop it,
// too, and vote again for the larger set. So two players who do not drop each other never settle
// differently, whatever is lost, late or repeated; players who drop each other play two matches.
// Votes are repeated until both sides know that both are settled. A dropped player is refused, and
// told so.
//
// In GGPO and GGRS a timeout at one player disconnects the leaver at all others, at the first frame
// that any of them lacks: they discard later inputs, and confirm a frame once all have it. Here all
// have to agree, later inputs are passed on, and a frame is final once its inputs have arrived. A
// liar can delay the match until it is dropped, or make worlds differ, which digests reveal; it
// cannot drop others alone, undo a final frame, or exhaust memory.
//
// # Datagrams
//
// A datagram contains everything that its receiver has not acknowledged, so the next one repeats
// the content of a lost one. Votes have their own datagrams. docs/FORMAT.md describes every byte.
//
// Datagrams that are malformed, belong to another session, or contradict earlier ones are ignored
// and counted. Everyone who knows the ID can send inputs for a player: keep it secret.
//
// # Index
//
// [New], [Options], [Session], [Session.Advance], [Session.Status], [Session.History]; [Status],
// [Player], [ErrWaiting], [DesyncError]. Leave: [Session.Drop], [ErrDropped].
// Test: [NewSyncTest], [SyncTest], [SyncTest.Advance].
package session
