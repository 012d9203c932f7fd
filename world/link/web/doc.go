// Package web carries datagrams between a server and browsers: a [link.Listener] and [link.Link]
// values over WebSocket, a binary message for each datagram.
//
//	page, or a program in Go               server
//	Dial ──GET, upgrade─────────────────▶  http.Server ─▶ Listener: origin? room? Enter: who?
//	     ◀──────────────────────────────▶  a message per datagram, up to 1,200 bytes
//	Send ─▶ 16 kB ─▶ TCP                   Send ─▶ 16 kB ─▶ TCP
//
// TCP loses nothing, so a slow end would get ever older datagrams. Here Send never waits: an end
// that receives too slowly loses the oldest datagrams, and the system buffers few of them. After a
// lost TCP packet, datagrams arrive late, and all at once. Programs that can use UDP should use
// package world/link/udp.
//
//	listener := web.NewListener(web.Options{Clients: 100})
//	http.Handle("/play", listener)                 // wss:// if the server has TLS
//	conn, err := web.Dial(ctx, "wss://example.com/play") // Go, and Go in the page: GOOS=js
//
// A script in a page connects by new WebSocket(url) and binaryType "arraybuffer". Empty messages
// are not datagrams: each end sends one after a second without sending, and gives the other end up
// after 10 seconds without receiving.
//
// # Index
//
// [NewListener] of [Options]; [Listener], [Listener.ServeHTTP], [Listener.Accept],
// [Listener.Flush], [Listener.Stats] for [Stats], [Listener.Close]; [Dial], [Conn], [Conn.Send],
// [Conn.Receive], [Conn.Err], [Conn.Lost], [Conn.Close]; [ErrTimeout].
package web
