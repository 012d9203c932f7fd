// Package webtransport carries datagrams between a server and browsers over QUIC, as datagrams: a
// [link.Listener] and, in a page, a [link.Link]. What is lost holds nothing back, as it does over
// WebSocket (package world/link/web), which all browsers and proxies let through.
//
//	page, GOOS=js                          server
//	Dial ──HTTP/3, extended CONNECT────▶   Listener: origin? room? Enter: who?
//	     ◀─────────────────────────────▶   a QUIC datagram each, up to 1,200 bytes
//	Send ─▶ WebTransport.datagrams         Send ─▶ 16 kB ─▶ QUIC, as it is not congested
//
// Browsers want TLS. A listener without Options.TLS has a certificate of its own, of 13 days, and
// makes the next one in time; a page that other means tell its [Listener.Hash] takes it.
//
//	l := webtransport.Listen(socket, webtransport.Options{Clients: 100})
//	conn, err := webtransport.Dial(ctx, "https://example.com:8080/play", hash) // in the page
//
// Pages have WebTransport where they are secure: by https, or from this machine. Use package web
// beside it, and [link.Rooms] to have the clients of both in one server.
//
// # Index
//
// [Listen] of [Options]; [Listener], [Listener.Hash], [Listener.Accept], [Listener.Flush],
// [Listener.Stats] for [Stats], [Listener.Close]. In a page: Dial, Conn.
package webtransport
