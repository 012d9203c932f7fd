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
// others wait for ever: [Session.Status] reports how long, and the program decides.
//
// # Datagrams
//
// A datagram contains everything that its receiver has not acknowledged, so the next one repeats
// the content of a lost one. docs/FORMAT.md describes every byte.
//
// Datagrams that are malformed, of another session, or contradict earlier ones are ignored and
// counted. Everyone who knows the ID can send inputs for a player: keep it secret.
//
// # Index
//
// [New], [Options], [Session], [Session.Advance], [Session.Status], [Session.History]; [Status],
// [ErrWaiting], [DesyncError]. Test: [NewSyncTest], [SyncTest], [SyncTest.Advance].
package session
