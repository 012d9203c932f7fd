// Package session lets several players, each in a program of their own, play one world over a
// network that loses and delays what is sent: by rollback. What a player does is sent to the
// others; nobody waits for it. The others predict that everyone goes on doing what they did last,
// and when they hear otherwise, go back and take the steps again.
//
//	                         confirmed                     frame
//	frames       final       │     rest on predictions     │     to come
//	─────────────────────────┼─────────────────────────────┼──────────────▶
//	digests compared         │     at most Window frames   │ Delay inputs of the player here
//
// All begin with the same world and take the same steps, so only inputs are sent, a few bytes each.
// That the worlds stay the same is checked: the digest of every frame whose inputs are all known
// goes to the others, who compare.
//
//	s, err := session.New(state, session.Options{
//		ID: id, Local: 0, Links: links, InputBytes: 1, Delay: 2, Step: step,
//	})
//	for each frame {
//		state, err = s.Advance(state, input) // ErrWaiting: the others are too far behind
//	}
//
// A [Link] carries datagrams, to one player each. A [Network] is links within one process that
// lose, delay, repeat and break datagrams as they are told. A [SyncTest] plays alone and finds
// steps that do not do the same again.
//
// A session has no clock and knows nothing of time but the calls of Advance. A player who is gone
// makes the others wait for ever: [Status] tells how long by now, and the program decides.
//
// # Datagrams
//
// A datagram holds everything that its receiver has not said to have: what gets lost is in the next
// one too. Numbers are little-endian, frames count from 0.
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
// What does not have this form, is of another session or contradicts what was said before is left
// out and counted. Somebody who knows the ID can send inputs for a player: keep it among the
// players.
//
// # Index
//
// [New], [Options], [Session], [Session.Advance], [Session.Status], [Session.History]; [Status],
// [ErrWaiting], [DesyncError]. Transport: [Link], [MaxDatagram]; [NewNetwork], [Network],
// [Conditions], [Network.Link], [Network.Links], [Network.Step]. Test: [NewSyncTest], [SyncTest],
// [SyncTest.Advance].
package session
