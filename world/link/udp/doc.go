// Package udp carries datagrams over UDP between a server and clients that a matchmaker sends: a
// [link.Listener] and [link.Link] by the public netcode standard, version 1.02
// (github.com/mas-bandwidth/netcode, STANDARD.md). Clients in C, C#, Rust and TypeScript speak it.
//
//	matchmaker ──token, over HTTPS──▶ client                         server
//	                                  request: the token ──────────▶ opens it with the Key
//	                                  ◀─ challenge: is the address yours?
//	                                  response ────────────────────▶ Accept returns the client
//	                                  ◀─────────────── keep-alive: your number is 7
//	                                  payload ◀────────────────────▶ payload
//
// The matchmaker and its servers share a [Key]. A [Token] contains the client's ID and two keys,
// one for each direction. Packets are sealed with ChaCha20-Poly1305. A window of 256 packets
// prevents replays. An end that is silent for the token's timeout is given up, so each end sends at
// least ten packets a second.
//
//	token, err := udp.Token{Protocol: game, Client: player, Servers: servers}.Seal(key)
//	l, err := udp.Listen(socket, udp.Options{Protocol: game, Key: key, Clients: 1000})
//	c, err := udp.Dial(ctx, token)
//
// # What strangers can do
//
// A server answers valid tokens only, and sends an unproved address less than it received: 333
// bytes for 1,078. A token connects once, from the first address that sent it. (The standard lets
// that address connect again, with the same keys and numbers.) The server opens 500 requests per
// 100 ms, and about two per address. It skips more as a flood; honest clients repeat their
// requests. Besides [Options.Clients], twice as many clients plus 64 may be connecting, and the
// last eight tokens per client are remembered. Each client has a buffer of 16,384 bytes for
// datagrams that the program did not receive yet; the oldest are dropped first.
//
// # Addresses
//
// Tokens name servers by addresses that clients can reach. A listener refuses tokens that do not
// name one of [Options.Public], so that a token for one server is useless for another.
//
// # Another program
//
// The state of a listener can be appended as bytes, so that clients stay connected to the server's
// next program. That program gets the socket by package hand; after a death it opens another socket
// with the same address. It must be ready within the timeout of tokens; otherwise clients are gone.
//
//	h.Keep("udp", listener.AppendState)
//	h.OnOffer(func(o *hand.Offer) error {
//		f, err := listener.Pause()
//	…
//	udp.Listen(socket, udp.Options{State: h.Bytes("udp"), …}) // Accept returns clients again
//
// Packet numbers continue with the time in nanoseconds, so that no number is used twice with a key,
// even if the state is old; the machine's clock must not go back by as much. Packets that arrived
// after the state was appended could be accepted twice.
//
// # Files
//
// From the top down:
//
//	listener.go  a server: receiving             state.go   in another program; pauses
//	clients.go   its ends of connections         gate.go    admission
//	batch.go     sending                         dial.go    a client
//	packet.go    sealed packets                  token.go   tokens
//
// # Index
//
// Matchmaker: [NewKey], [Key], [Token], [Token.Seal], [MaxData]. Server: [Listen] of [Options];
// [Listener], [Listener.Accept], [Listener.Flush], [Listener.Addr], [Listener.Stats] for [Stats],
// [Listener.Close]; [Listener.Pause], [Listener.Resume], [Listener.AppendState], [SocketOf].
// Client: [Dial], [Conn], [Conn.Send], [Conn.Receive], [Conn.Err], [Conn.Number], [Conn.Lost],
// [Conn.LocalAddr], [Conn.Close]. Errors: [ErrToken], [ErrExpired], [ErrDenied], [ErrTimeout],
// [ErrClosed], [ErrState].
package udp
