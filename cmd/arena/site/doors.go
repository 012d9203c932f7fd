//go:build !js

package site

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/link/web"
	"github.com/flatecs/flatecs/world/link/webtransport"
)

// listen opens the listeners for all kinds of clients.
func (r *Room) listen() error {
	most := r.most()
	r.listener = r.rooms.Open(0)
	browsers := web.NewListener(web.Options{Clients: most, Enter: enter})
	r.handler.Handle("/play", browsers)
	r.doors = append(r.doors, browsers)
	if r.options.QUIC != nil {
		r.openPages(r.options.QUIC)
	}
	r.handler.HandleFunc("GET /quic", r.serveHash)
	if r.options.UDP != nil {
		m := &matchmaker{key: udp.NewKey(), local: r.options.Local, servers: public(r.options.UDP)}
		o := udp.Options{
			Protocol: arena.Schema.Hash(), Key: m.key, Clients: most, Public: m.servers,
		}
		if h := r.options.Hand; h != nil {
			o.State = h.Bytes(udpKey)
		}
		programs, err := udp.Listen(r.options.UDP, o)
		if err != nil {
			return err
		}
		r.udp = programs
		for range programs.Stats().Clients { // clients of the previous program
			if c, ok := programs.Accept(); ok {
				r.enter(c, false)
			}
		}
		r.handler.Handle("GET /join", m)
		r.doors = append(r.doors, programs)
	}
	for _, d := range r.doors {
		r.rooms.Add(d)
	}
	return nil
}

// most returns the largest number of clients of each kind.
func (r *Room) most() int { return max(r.options.Players-r.options.Bots, 1) }

// openPages opens the WebTransport listener for pages.
func (r *Room) openPages(socket *net.UDPConn) {
	pages := webtransport.Listen(socket, webtransport.Options{Clients: r.most(), Enter: enter})
	r.pages.Store(pages)
	r.rooms.Add(pages)
}

// closePages closes the WebTransport connections, and frees the port for another program.
func (r *Room) closePages() error {
	if pages := r.pages.Swap(nil); pages != nil {
		return pages.Close()
	}
	return nil
}

// reopenPages is openPages on the previous port, if it is free; otherwise pages use WebSocket.
func (r *Room) reopenPages() {
	if r.options.QUIC == nil {
		return
	}
	socket, err := net.ListenUDP("udp", r.options.QUIC.LocalAddr().(*net.UDPAddr))
	if err == nil {
		r.openPages(socket)
	}
}

// enter identifies a browser by a number that it has chosen: a browser that comes back gets its
// previous tank.
func enter(q *http.Request) (id uint64, data []byte, err error) {
	if as := q.URL.Query().Get("as"); as != "" {
		id, err = strconv.ParseUint(as, 16, 64)
		return id&^isProgram | isClient, nil, err
	}
	return newClientID() &^ isProgram, nil, nil
}

// Bits of IDs.
const (
	isClient  = 1 << 63 // not a bot
	isProgram = 1 << 62 // over UDP
)

// newClientID returns the ID of a new client.
func newClientID() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never returns an error
	return binary.LittleEndian.Uint64(b[:]) | isClient
}

// serveHash sends a page the hash of the certificate, in base64, or nothing if pages use WebSocket.
func (r *Room) serveHash(w http.ResponseWriter, _ *http.Request) {
	pages := r.pages.Load()
	if pages == nil {
		return
	}
	hash, err := pages.Hash()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(base64.StdEncoding.EncodeToString(hash)))
}

// public returns the addresses of a socket.
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

// A matchmaker gives tokens to all requests.
type matchmaker struct {
	key     udp.Key
	local   bool // only answer this machine
	servers []netip.AddrPort
}

// ServeHTTP implements [http.Handler].
func (m *matchmaker) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if m.local && !server.NamesLoopback(q.Host) {
		http.Error(w, "this server answers this machine only", http.StatusForbidden)
		return
	}
	token, err := udp.Token{
		Protocol: arena.Schema.Hash(), Client: newClientID() | isProgram, Servers: m.reached(q),
	}.Seal(m.key)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(token)
}

// reached returns the servers in a token: the one at the address of this request, as the client
// sees it.
func (m *matchmaker) reached(q *http.Request) []netip.AddrPort {
	if at, ok := q.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		here := netip.AddrPortFrom(at.AddrPort().Addr().Unmap(), m.servers[0].Port())
		if slices.Contains(m.servers, here) {
			return []netip.AddrPort{here}
		}
	}
	return m.servers[:min(len(m.servers), 8)]
}
