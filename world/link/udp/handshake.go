package udp

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"net"
	"net/netip"
	"slices"
	"time"
)

// request takes a request in, by the steps of the standard in their order, but for what costs less
// first. What is answered is shorter than the request, and only to a token that is right.
//
//	0      1        14        22       30     54
//	│ kind │ version │ protocol │ expires │ nonce │ private part │
func (l *Listener) request(d []byte, key, from netip.AddrPort, now time.Time) {
	was := l.addresses[key]
	if was != nil && was.phase.Load() == connected {
		return // it did not hear of that yet
	}
	le := binary.LittleEndian
	d = d[1:]
	expires := le.Uint64(d[len(version)+8:])
	if !bytes.Equal(d[:len(version)], []byte(version)) ||
		le.Uint64(d[len(version):]) != l.options.Protocol || expires <= uint64(now.Unix()) {
		l.stats.Refused++
		return
	}
	if !l.mayAsk(key) {
		l.stats.Skipped++
		return
	}
	l.with = sealedWith(l.with[:0], l.options.Protocol, expires)
	d = d[len(version)+16:]
	p, ok := readProof(l.secret, d[:nonceSize], d[nonceSize:], l.with)
	if !ok || !l.mayConnect(&p, key) {
		l.stats.Refused++
		return
	}
	c := was
	if c == nil || c.proof.mac != p.mac {
		if was != nil {
			l.end(was, false)
		}
		c = l.newClient(p, key, from, now)
	}
	if len(l.free) == 0 || l.options.Admit != nil && l.options.Admit(p.data[:]) != nil {
		l.deny(c)
		return
	}
	if l.addresses[key] != c {
		if l.waiting >= 2*l.options.Clients+room {
			l.stats.Skipped++
			return
		}
		l.addresses[key] = c
		l.waiting++
	}
	l.challenge(c)
}

// mayAsk says whether a request is looked into: a few of each address, and many in all, per beat.
// A flood from some addresses leaves the others' places alone.
func (l *Listener) mayAsk(key netip.AddrPort) bool {
	a := key.Addr().As16()
	var b [18]byte
	binary.LittleEndian.PutUint16(b[copy(b[:], a[:]):], key.Port())
	place := &l.asked[maphash.Bytes(l.seed, b[:])%uint64(len(l.asked))]
	if l.left == 0 || *place == perPlace {
		return false
	}
	*place++
	l.left--
	return true
}

// mayConnect says whether a client with a right token may connect from an address.
func (l *Listener) mayConnect(p *proof, key netip.AddrPort) bool {
	named := slices.ContainsFunc(p.servers, func(s netip.AddrPort) bool {
		return slices.Contains(l.options.Public, s)
	})
	return named && l.ids[p.client] == nil && l.tokens.use(p.mac, key)
}

func (l *Listener) newClient(p proof, key, from netip.AddrPort, now time.Time) *client {
	return &client{
		listener: l, proof: p, from: key, to: net.UDPAddrFromAddrPort(from), last: now,
		number: l.first,
		in:     newCodec(p.up, l.options.Protocol), out: newCodec(p.down, l.options.Protocol),
	}
}

func (l *Listener) deny(c *client) {
	l.stats.Denied++
	l.reply(c, denied, nil)
}

// challenge has a client show that it receives what is sent to its address.
func (l *Listener) challenge(c *client) {
	var plain [challengeSize - macSize]byte
	binary.LittleEndian.PutUint64(plain[:], c.proof.client)
	copy(plain[8:], c.proof.data[:])
	binary.LittleEndian.PutUint64(l.riddle.nonce[4:], l.riddles)
	binary.LittleEndian.PutUint64(l.scratch[:], l.riddles)
	l.riddles++
	l.riddle.aead.Seal(l.scratch[8:8], l.riddle.nonce[:], plain[:], nil)
	l.reply(c, challenge, l.scratch[:])
}

// reply sends a packet to one that is no client yet, at once. Its numbers are others than those of
// packets to clients, as the key is the same.
func (l *Listener) reply(c *client, kind byte, body []byte) {
	b := l.batch
	b.mu.Lock()
	b.add(c.to, &c.out, kind, l.number, body)
	b.send()
	b.mu.Unlock()
	l.number++
}

// answer takes the answer to a challenge in.
func (l *Listener) answer(c *client, body []byte, now time.Time) {
	if c.phase.Load() != pending {
		return // it did not hear of that yet
	}
	copy(l.riddle.nonce[4:], body[:8])
	plain, err := l.riddle.aead.Open(body[8:8], l.riddle.nonce[:], body[8:], nil)
	if err != nil || binary.LittleEndian.Uint64(plain) != c.proof.client ||
		l.ids[c.proof.client] != nil {
		l.stats.Refused++
		return
	}
	if len(l.free) == 0 {
		l.deny(c)
		return
	}
	l.connect(c, now)
	b := l.batch
	b.mu.Lock()
	c.add(keepAlive)
	b.send()
	b.mu.Unlock()
}

// A history knows from where tokens were used, the last ones of a fixed number.
type history struct {
	ring  []use
	next  int
	byMac map[[macSize]byte]int
}

// A use is a token that was used.
type use struct {
	mac  [macSize]byte
	from netip.AddrPort
	up   bool // a client connected by it: another one would have the same keys and numbers
}

// use notes that a token is used from an address, and says whether it may be.
func (h *history) use(mac [macSize]byte, from netip.AddrPort) bool {
	if i, ok := h.byMac[mac]; ok {
		return h.ring[i].from == from && !h.ring[i].up
	}
	old := &h.ring[h.next]
	if old.from.IsValid() {
		delete(h.byMac, old.mac)
	}
	*old = use{mac: mac, from: from}
	h.byMac[mac] = h.next
	h.next = (h.next + 1) % len(h.ring)
	return true
}

// useUp notes that a client connected by a token.
func (h *history) useUp(mac [macSize]byte) {
	if i, ok := h.byMac[mac]; ok {
		h.ring[i].up = true
	}
}
