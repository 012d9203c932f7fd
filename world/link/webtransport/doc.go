// Package webtransport carries datagrams between a server and browsers over QUIC: a [link.Listener]
// and, in a page, a [link.Link]. A lost datagram does not delay later ones, as it does over
// WebSocket (package world/link/web), which works in all browsers and through all proxies.
//
//	page, GOOS=js                          server
//	Dial ──HTTP/3, extended CONNECT────▶   Listener: origin? room? Enter: who?
//	     ◀─────────────────────────────▶   a QUIC datagram each, up to 1,200 bytes
//	Send ─▶ WebTransport.datagrams         Send ─▶ 16 kB ─▶ QUIC, unless it is congested
//
// Browsers require TLS. A listener without Options.TLS has its own certificate, valid for 13 days,
// and creates the next one in time; a page accepts it if the program passes it the [Listener.Hash].
//
//	l := webtransport.Listen(socket, webtransport.Options{Clients: 100})
//	conn, err := webtransport.Dial(ctx, "https://example.com:8080/play", hash) // in the page
//
// Pages have WebTransport if they are secure: loaded by https, or from this machine. Use package
// web beside it, and [link.Rooms] to serve the clients of both by one server.
//
// # Index
//
// [Listen] of [Options]; [Listener], [Listener.Hash], [Listener.Accept], [Listener.Flush],
// [Listener.Stats] for [Stats], [Listener.Close]. In a page: Dial, Conn.
package webtransport
