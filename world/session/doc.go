// Package session lets several players share one world over an unreliable network, by rollback.
// Each program sends the inputs of its player and never waits for those of others. It predicts that
// they stay the same; when other inputs arrive, it goes back and repeats the steps.
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
// Package world/link has the links, and a network within one process for tests. A [SyncTest] finds
// steps whose repetition has another result.
//
// A session has no clock; its time is the number of calls of Advance. If a player leaves, the
// others wait for ever: [Status] says how long, and the program decides what to do.
//
// # Datagrams
//
// A datagram holds everything that its receiver has not acknowledged, so what one datagram loses is
// in the next one too. Numbers are little-endian; frames count from 0.
//
//	at  bytes  what
//	 0      8  xxh3 of all that follows, seeded with the session's ID
//	 8      1  version, 1
//	 9      1  player who sends it
//	10      1  player to whom
//	11      1  number of inputs
//	12      2  bytes of an input
//	14      1  number of digests
//	15      1  frames that the sender sees itself ahead, signed
//	16      4  sequence number
//	20      4  frame of the sender's next step
//	24      4  the sender has the receiver's inputs before this frame
//	28      4  frame of the first input
//	32      4  the sender has compared the receiver's digests before this frame
//	36      4  frame of the first digest
//	40         inputs, then digests of 8 bytes each
//
// Datagrams that are malformed, of another session, or contradict earlier ones are ignored and
// counted. Anyone who knows the ID can send inputs for a player: keep it secret.
//
// # Index
//
// [New], [Options], [Session], [Session.Advance], [Session.Status], [Session.History]; [Status],
// [ErrWaiting], [DesyncError]. Test: [NewSyncTest], [SyncTest], [SyncTest.Advance].
package session
