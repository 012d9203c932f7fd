package udp

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"hash/maphash"
	"net/netip"
	"slices"
	"time"

	"golang.org/x/crypto/chacha20poly1305"
)

// A gate checks requests to connect.
type gate struct {
	options    *Options
	secret     cipher.AEAD // of tokens
	with       []byte      // the data that authenticates a token
	tokens     history
	limit      limiter
	challenges challenges
}

func newGate(o *Options) (gate, error) {
	secret, err := chacha20poly1305.NewX(o.Key[:])
	return gate{
		options: o, secret: secret,
		tokens:     history{ring: make([]use, 8*o.Clients), byMac: map[[macSize]byte]int{}},
		limit:      limiter{left: perBeat, seed: maphash.MakeSeed()},
		challenges: challenges{codec: newCodec(NewKey(), 0)},
	}, err
}

// readHead reads the unencrypted part of a request, and returns the expiry of its token.
func (g *gate) readHead(d []byte, now time.Time) (expires uint64, ok bool) {
	le := binary.LittleEndian
	d = d[1:]
	expires = le.Uint64(d[len(version)+8:])
	return expires, bytes.Equal(d[:len(version)], []byte(version)) &&
		le.Uint64(d[len(version):]) == g.options.Protocol && expires > uint64(now.Unix())
}

// readProof opens the private part of a request's token, which must name this server.
func (g *gate) readProof(d []byte, expires uint64) (p proof, ok bool) {
	g.with = sealedWith(g.with[:0], g.options.Protocol, expires)
	d = d[1+len(version)+16:]
	p, ok = readProof(g.secret, d[:nonceSize], d[nonceSize:], g.with)
	return p, ok && slices.ContainsFunc(p.servers, func(s netip.AddrPort) bool {
		return slices.Contains(g.options.Public, s)
	})
}

// A limiter limits the number of requests per beat. A flood from some addresses does not use the
// places of other addresses.
type limiter struct {
	left   int // requests that may still be opened in this beat
	places [1 << 12]uint8
	seed   maphash.Seed // of places
}

const (
	perBeat  = 500 // requests that are opened; skipping more costs next to nothing
	perPlace = 2   // requests among them from addresses with the same place in a table
)

// reset begins a beat.
func (l *limiter) reset() {
	l.left = perBeat
	clear(l.places[:])
}

// allow reports whether to open a request: a few per address, and many in all, per beat.
func (l *limiter) allow(key netip.AddrPort) bool {
	a := key.Addr().As16()
	var b [18]byte
	binary.LittleEndian.PutUint16(b[copy(b[:], a[:]):], key.Port())
	place := &l.places[maphash.Bytes(l.seed, b[:])%uint64(len(l.places))]
	if l.left == 0 || *place == perPlace {
		return false
	}
	*place++
	l.left--
	return true
}

// challenges let a client prove that it receives packets sent to its address.
type challenges struct {
	codec   codec
	number  uint64 // of the next challenge
	scratch [8 + challengeSize]byte
}

// next returns a challenge, which is valid until the next one.
func (c *challenges) next(p *proof) []byte {
	var plain [challengeSize - macSize]byte
	binary.LittleEndian.PutUint64(plain[:], p.client)
	copy(plain[8:], p.data[:])
	binary.LittleEndian.PutUint64(c.codec.nonce[4:], c.number)
	binary.LittleEndian.PutUint64(c.scratch[:], c.number)
	c.number++
	c.codec.aead.Seal(c.scratch[8:8], c.codec.nonce[:], plain[:], nil)
	return c.scratch[:]
}

// answered reports whether body is a challenge of the same client. It changes body.
func (c *challenges) answered(body []byte, p *proof) bool {
	copy(c.codec.nonce[4:], body[:8])
	plain, err := c.codec.aead.Open(body[8:8], c.codec.nonce[:], body[8:], nil)
	return err == nil && binary.LittleEndian.Uint64(plain) == p.client
}

// A history records the addresses from which tokens were used, for a fixed number of tokens.
type history struct {
	ring  []use
	next  int
	byMac map[[macSize]byte]int
}

// A use is the use of a token.
type use struct {
	mac  [macSize]byte
	from netip.AddrPort
	up   bool // a client connected with it: another one would have the same keys and numbers
}

// use records the use of a token from an address, and reports whether it is allowed.
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

// useUp records that a client connected with a token.
func (h *history) useUp(mac [macSize]byte) {
	if i, ok := h.byMac[mac]; ok {
		h.ring[i].up = true
	}
}
