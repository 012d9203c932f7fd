// Package link carries datagrams between programs. A [Link] is one end of a connection, such as a
// UDP socket; packages world/session and world/replica send and receive by it.
//
//	end a                    wire a → b                      end b
//	Send ──▶ lost? twice? broken? ──▶ on its way: due in step 7 ──▶ Receive
//	Receive ◀── on its way: due in step 9 ◀── lost? twice? broken? ◀── Send
//	                         wire b → a
//
// A [Network] provides links within one process, with the faults of a real network, for tests. Its
// time is counted in steps, and it is deterministic: the fate of a wire's datagrams depends on the
// seed, its two ends and its earlier datagrams, and not on other wires.
//
// # Index
//
// [Link], [MaxDatagram]; [Listener], [Client]; [Rooms], [Rooms.Add], [Rooms.Open], [Rooms.Admit],
// [ErrRoom]; [NewNetwork], [Network], [Conditions],
// [Network.Link], [Network.Links], [Network.Step], [Network.Set].
package link
