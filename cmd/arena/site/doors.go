//go:build !js

package site

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync/atomic"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/link/web"
)

// listen has clients of all kinds come to the room.
func (r *Room) listen() error {
	rooms, most := new(link.Rooms), max(r.options.Players-r.options.Bots, 1)
	r.listener = rooms.Open(0)
	browsers := web.NewListener(web.Options{Clients: most})
	r.handler.Handle("/play", browsers)
	r.doors = append(r.doors, browsers)
	if r.options.UDP != nil {
		m := &matchmaker{key: udp.NewKey(), local: r.options.Local, servers: public(r.options.UDP)}
		programs, err := udp.Listen(r.options.UDP, udp.Options{
			Protocol: arena.Schema.Hash(), Key: m.key, Clients: most, Public: m.servers,
		})
		if err != nil {
			return err
		}
		r.handler.Handle("GET /join", m)
		r.doors = append(r.doors, programs)
	}
	for _, d := range r.doors {
		rooms.Add(d)
	}
	return nil
}

// public returns the addresses by which a socket is reached.
func public(socket *net.UDPConn) (all []netip.AddrPort) {
	own := socket.LocalAddr().(*net.UDPAddr).AddrPort()
	if !own.Addr().IsUnspecified() {
		return []netip.AddrPort{own}
	}
	found, _ := net.InterfaceAddrs()
	for _, a := range found {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLinkLocalUnicast() {
			ip, _ := netip.AddrFromSlice(n.IP)
			all = append(all, netip.AddrPortFrom(ip.Unmap(), own.Port()))
		}
	}
	return all
}

// A matchmaker gives tokens to whoever asks.
type matchmaker struct {
	key     udp.Key
	local   bool // answer this machine only
	servers []netip.AddrPort
	last    atomic.Uint64 // client
}

// ServeHTTP implements [http.Handler].
func (m *matchmaker) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if m.local && !server.NamesLoopback(q.Host) {
		http.Error(w, "this server answers this machine only", http.StatusForbidden)
		return
	}
	token, err := udp.Token{
		Protocol: arena.Schema.Hash(), Client: m.last.Add(1), Servers: m.reached(q),
	}.Seal(m.key)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(token)
}

// reached returns the servers that a token names: the one at the address by which this request
// came, as the client reaches that.
func (m *matchmaker) reached(q *http.Request) []netip.AddrPort {
	if at, ok := q.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		here := netip.AddrPortFrom(at.AddrPort().Addr().Unmap(), m.servers[0].Port())
		if slices.Contains(m.servers, here) {
			return []netip.AddrPort{here}
		}
	}
	return m.servers[:min(len(m.servers), 8)]
}
