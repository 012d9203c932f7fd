// Package udp carries datagrams over UDP between a server and clients that a matchmaker sent: a
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
// The matchmaker and its servers share a [Key]. A [Token] says who the client is, and has two keys,
// one for each direction. Packets are sealed with ChaCha20-Poly1305. None is taken twice: a window
// of 256 knows the last ones. An end of which nothing comes for the token's timeout is given up, so
// each sends something at least ten times a second.
//
//	token, err := udp.Token{Protocol: game, Client: player, Servers: servers}.Seal(key)
//	l, err := udp.Listen(socket, udp.Options{Protocol: game, Key: key, Clients: 1000})
//	c, err := udp.Dial(ctx, token)
//
// # What strangers can do
//
// A server answers right tokens alone, and an address that is not proved yet gets less than came
// from it: 333 bytes for 1,078. A token connects once, from the address that showed it first. (The
// standard lets that address connect again, with the same keys and numbers.) Of requests, 500 are
// opened in 100 ms, and about two of one address. More are a flood, and skipped; honest clients
// repeat theirs. Beside Options.Clients, twice as many and 64 may be on their way in, and the last
// eight tokens per client are remembered. Each client has room for 16,384 bytes of datagrams that
// the program did not receive yet; the oldest go first.
//
// # Addresses
//
// Tokens name servers by addresses that clients reach. A listener refuses tokens that do not name
// one of Options.Public, so that a token for one server is of no use for another one.
//
// # Another program
//
// The state of a listener is bytes, and clients stay with the next program of the server. It has
// the socket by package hand; after a death it opens another one of the same address. It is ready
// within the timeout of tokens, or clients are gone.
//
//	h.Keep("udp", listener.AppendState)
//	h.OnOffer(func(o *hand.Offer) error {
//		f, err := listener.Pause()
//	…
//	udp.Listen(socket, udp.Options{State: h.Bytes("udp"), …}) // Accept returns clients again
//
// Numbers of packets go on with the time in nanoseconds, so that none is used twice with a key,
// however much the state has missed: the clock of the machine must not go back by as much. Packets
// that came after the state was made could be taken twice.
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
