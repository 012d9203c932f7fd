package udp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// ErrState is the error of [Listen] with an Options.State that is damaged, or has too many clients.
var ErrState = errors.New("udp: this is not the state of such a listener")

const stateName = "flatecs udp state 1\n"

// numberOfNow returns the number of the next packet of a listener that continues another one. A
// number must not be used twice with a key, and the last number of the other listener is not known.
// No program sends a packet per nanosecond.
func numberOfNow() uint64 { return uint64(time.Now().UnixNano()) }

// renumber continues packets with unused numbers.
func (all *clients) renumber() {
	all.first = numberOfNow()
	all.number = shared | all.first
}

// AppendState appends the state of the listener's clients to dst: addresses, keys, and used tokens.
// Keep it secret. It is Options.State of the next program's listener.
//
//	clients   their number, then each:
//	            address 16, port 2, ID 8, index 4, timeout 4, keys 64, token 16, newest packet 8,
//	            window 32, data 256
//	tokens    their number, the oldest first, then each: token 16, address 16, port 2, used 1
func (l *Listener) AppendState(dst []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	le := binary.LittleEndian
	b := le.AppendUint32(append(dst, stateName...), uint32(len(l.clients.byID)))
	for _, c := range l.clients.byID {
		p := &c.proof
		b = appendAddress(b, c.from)
		b = le.AppendUint64(b, p.client)
		b = le.AppendUint32(b, uint32(c.index))
		b = le.AppendUint32(b, uint32(p.timeout))
		b = append(append(append(b, p.up[:]...), p.down[:]...), p.mac[:]...)
		b = le.AppendUint64(b, c.had.newest)
		for _, word := range c.had.bits {
			b = le.AppendUint64(b, word)
		}
		b = append(b, p.data[:]...)
	}
	tokens := &l.gate.tokens
	b = le.AppendUint32(b, uint32(len(tokens.byMac)))
	for i := range tokens.ring {
		u := &tokens.ring[(tokens.next+i)%len(tokens.ring)]
		if !u.from.IsValid() {
			continue
		}
		up := byte(0)
		if u.up {
			up = 1
		}
		b = append(appendAddress(append(b, u.mac[:]...), u.from), up)
	}
	return b
}

func appendAddress(b []byte, a netip.AddrPort) []byte {
	ip := a.Addr().As16()
	return binary.LittleEndian.AppendUint16(append(b, ip[:]...), a.Port())
}

// restore continues from a state.
func (l *Listener) restore(state []byte) error {
	if len(state) < len(stateName) || string(state[:len(stateName)]) != stateName {
		return fmt.Errorf("%w: have bytes of AppendState", ErrState)
	}
	r := &reader{b: state[len(stateName):]}
	all := &l.clients
	all.renumber()
	n := r.uint32()
	if int64(n) > int64(l.options.Clients) {
		return fmt.Errorf("%w: it has %d clients, and Options.Clients are %d", ErrState, n,
			l.options.Clients)
	}
	now, v4 := time.Now(), l.Addr().Addr().Unmap().Is4()
	free := make(map[int]bool, len(all.free))
	for _, i := range all.free {
		free[i] = true
	}
	for range n {
		c := all.read(r, now, v4)
		if r.bad || !free[c.index] || all.byID[c.proof.client] != nil {
			return fmt.Errorf("%w: it is damaged, or Options.Clients are fewer", ErrState)
		}
		delete(free, c.index)
		all.byAddress[unmapped(c.from)], all.byID[c.proof.client] = c, c
		all.arrived.Put(c, all.most)
	}
	all.free = all.free[:0]
	for i := all.most - 1; i >= 0; i-- {
		if free[i] {
			all.free = append(all.free, i)
		}
	}
	for n := r.uint32(); n > 0 && !r.bad; n-- {
		mac := [macSize]byte(r.take(macSize))
		l.gate.tokens.use(mac, unmapped(r.address()))
		if r.take(1)[0] != 0 {
			l.gate.tokens.useUp(mac)
		}
	}
	if r.bad || len(r.b) > 0 {
		return fmt.Errorf("%w: it is damaged", ErrState)
	}
	return nil
}

// read reads a client without adding it.
func (all *clients) read(r *reader, now time.Time, v4 bool) *client {
	from := r.address()
	if v4 {
		from = unmapped(from)
	}
	p := proof{client: r.uint64()}
	index := int(r.uint32())
	p.timeout = int32(r.uint32())
	copy(p.up[:], r.take(len(p.up)))
	copy(p.down[:], r.take(len(p.down)))
	copy(p.mac[:], r.take(macSize))
	had := window{newest: r.uint64()}
	for i := range had.bits {
		had.bits[i] = r.uint64()
	}
	copy(p.data[:], r.take(MaxData))
	c := all.create(p, unmapped(from), from, now)
	c.index, c.had, c.waits = index, had, queue.NewIn(waiting, link.MaxDatagram)
	c.phase.Store(connected)
	c.heard.Store(true)
	return c
}

func unmapped(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

func (r *reader) address() netip.AddrPort {
	ip := netip.AddrFrom16([16]byte(r.take(16)))
	port := r.take(2)
	return netip.AddrPortFrom(ip, uint16(port[0])|uint16(port[1])<<8)
}

// A pause stops the listener's goroutine from reading.
type pause struct {
	changed sync.Cond
	asked   bool
	rests   bool // reading has stopped
}

// Pause stops reading and keep-alive packets, so that the next program can start them: it gets the
// socket as a file, which the caller closes. Do not send meanwhile. If the next program takes over,
// end without Close, which would disconnect clients; otherwise call [Listener.Resume].
func (l *Listener) Pause() (*os.File, error) {
	f, err := l.socket.File()
	if err != nil {
		return nil, fmt.Errorf("udp: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pause.asked = true
	_ = l.socket.SetReadDeadline(time.Unix(1, 0)) // otherwise it notices at the next beat
	for !l.pause.rests && !l.closed {
		l.pause.changed.Wait()
	}
	return f, nil
}

// Resume ends a pause. Packets get numbers that the next program cannot have sent.
func (l *Listener) Resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.clients.renumber()
	l.batch.mu.Lock()
	for _, c := range l.clients.byAddress {
		c.number, c.last = l.clients.first, now
	}
	l.batch.mu.Unlock()
	l.pause.asked = false
	l.pause.changed.Broadcast()
}

// waitForResume waits for the end of a pause, and reports whether there was one.
func (l *Listener) waitForResume() (rested bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.pause.asked && !l.closed {
		l.pause.rests, rested = true, true
		l.pause.changed.Broadcast()
		l.pause.changed.Wait()
	}
	l.pause.rests = false
	return rested
}

// SocketOf returns the socket of a file from [Listener.Pause], and closes the file.
func SocketOf(f *os.File) (*net.UDPConn, error) {
	c, err := net.FilePacketConn(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("udp: %w", err)
	}
	socket, ok := c.(*net.UDPConn)
	if !ok {
		return nil, errors.Join(errors.New("udp: this file is not a UDP socket"), c.Close())
	}
	return socket, nil
}
