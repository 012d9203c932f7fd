package udp

import (
	"bytes"
	"cmp"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"time"

	"golang.org/x/crypto/chacha20poly1305"
)

// version begins tokens and requests, and is part of all authenticated data.
const version = "NETCODE 1.02\x00"

const (
	tokenSize   = 2048 // bytes of a token for the client
	privateSize = 1024 // bytes of its part for the server, sealed
	macSize     = chacha20poly1305.Overhead
	nonceSize   = chacha20poly1305.NonceSizeX
	maxServers  = 32

	// MaxData is the most bytes of a [Token] for the server's program.
	MaxData = 256

	defaultLife    = 30 * time.Second
	defaultTimeout = 10 * time.Second
)

// A Key is the secret that a matchmaker and its servers share.
type Key [chacha20poly1305.KeySize]byte

// NewKey returns a random key.
func NewKey() (k Key) {
	_, _ = rand.Read(k[:]) // never returns an error
	return k
}

// A Token lets one client connect, once, to one of some servers.
type Token struct {
	Protocol uint64           // of the game and its version, as Options.Protocol
	Client   uint64           // client's ID; a server has one client per ID at a time
	Servers  []netip.AddrPort // 1 to 32, tried in this order
	Created  time.Time        // zero: now
	Life     time.Duration    // time to connect, in seconds; 0: 30 s
	Timeout  time.Duration    // of silence before giving up, in seconds; 0: 10 s; < 0: none
	Data     []byte           // for the server's program; up to MaxData
}

// Seal returns the token as bytes, which contain the keys of the connection: send them only to the
// client, over HTTPS. The error says which field is out of range.
func (t Token) Seal(key Key) ([]byte, error) {
	if n := len(t.Servers); n < 1 || n > maxServers || len(t.Data) > MaxData {
		return nil, fmt.Errorf("udp: a token of %d servers and %d bytes of data; have 1 to %d, "+
			"and at most %d", n, len(t.Data), maxServers, MaxData)
	}
	for _, a := range t.Servers {
		if !a.IsValid() || a.Addr().Zone() != "" {
			return nil, fmt.Errorf("udp: a token for server %v; have an address and a port", a)
		}
	}
	if t.Created.IsZero() {
		t.Created = time.Now()
	}
	t.Life = cmp.Or(t.Life, defaultLife)
	t.Timeout = cmp.Or(t.Timeout, defaultTimeout)
	created := uint64(max(0, t.Created.Unix()))
	p := passage{
		created: created, expires: created + seconds(t.Life), timeout: int32(-1),
		up: NewKey(), down: NewKey(), servers: t.Servers,
	}
	if t.Timeout > 0 {
		p.timeout = int32(min(seconds(t.Timeout), math.MaxInt32))
	}
	return p.seal(t, key)
}

// seconds rounds up, and returns 0 for negative durations.
func seconds(d time.Duration) uint64 { return uint64(max(0, (d+time.Second-1)/time.Second)) }

// A passage is the data in both parts of a token.
type passage struct {
	created, expires uint64 // in seconds since 1970
	timeout          int32  // in seconds; negative: never
	up, down         Key    // keys of the client's and the server's packets
	servers          []netip.AddrPort
}

func (p *passage) seal(t Token, key Key) ([]byte, error) {
	secret, err := chacha20poly1305.NewX(key[:])
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	private := le.AppendUint64(make([]byte, 0, privateSize), t.Client)
	private = p.append(private)
	private = append(private, t.Data...)
	private = append(private, make([]byte, MaxData-len(t.Data))...)
	private = append(private, make([]byte, privateSize-macSize-len(private))...)

	b := make([]byte, 0, tokenSize)
	b = le.AppendUint64(append(b, version...), t.Protocol)
	b = le.AppendUint64(le.AppendUint64(b, p.created), p.expires)
	var nonce [nonceSize]byte
	_, _ = rand.Read(nonce[:]) // never returns an error
	b = append(b, nonce[:]...)
	b = secret.Seal(b, nonce[:], private, sealedWith(nil, t.Protocol, p.expires))
	b = p.append(b)
	return append(b, make([]byte, tokenSize-len(b))...), nil
}

// sealedWith appends the data that authenticates the private part to dst.
func sealedWith(dst []byte, protocol, expires uint64) []byte {
	dst = binary.LittleEndian.AppendUint64(append(dst, version...), protocol)
	return binary.LittleEndian.AppendUint64(dst, expires)
}

// append appends timeout, addresses and keys, which are in both parts.
func (p *passage) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(p.timeout))
	b = le.AppendUint32(b, uint32(len(p.servers)))
	for _, s := range p.servers {
		if a := s.Addr().Unmap(); a.Is4() {
			b = append(append(b, 1), a.AsSlice()...)
		} else {
			b = append(b, 2)
			for part := a.AsSlice(); len(part) > 0; part = part[2:] {
				b = append(b, part[1], part[0]) // numbers are little-endian here
			}
		}
		b = le.AppendUint16(b, s.Port())
	}
	return append(append(b, p.up[:]...), p.down[:]...)
}

// A reader cuts numbers and bytes from a slice. Past its end it returns zeros, and sets bad.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.b, r.bad = nil, true
		return make([]byte, n)
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) uint32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) uint64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// read reads the data that append wrote; p must have room for the servers.
func (p *passage) read(r *reader) {
	p.timeout = int32(r.uint32())
	n := r.uint32()
	if n < 1 || n > maxServers {
		r.bad = true
		return
	}
	for range n {
		var a netip.Addr
		switch r.take(1)[0] {
		case 1:
			a = netip.AddrFrom4([4]byte(r.take(4)))
		case 2:
			var b [16]byte
			for i, c := range r.take(16) {
				b[i^1] = c
			}
			a = netip.AddrFrom16(b).Unmap()
		default:
			r.bad = true
			return
		}
		p.servers = append(p.servers, netip.AddrPortFrom(a, binary.LittleEndian.Uint16(r.take(2))))
	}
	copy(p.up[:], r.take(len(p.up)))
	copy(p.down[:], r.take(len(p.down)))
}

// ErrToken is the error of bytes that are not a token.
var ErrToken = errors.New("udp: this is not a NETCODE 1.02 connect token; ask the matchmaker again")

// A ticket is a token as read by the client.
type ticket struct {
	passage
	protocol uint64
	request  []byte // the datagram that sends it to a server
}

func readTicket(b []byte) (t ticket, err error) {
	r := &reader{b: b}
	if len(b) != tokenSize || !bytes.Equal(r.take(len(version)), []byte(version)) {
		return t, ErrToken
	}
	t.protocol, t.created, t.expires = r.uint64(), r.uint64(), r.uint64()
	sealed := r.take(nonceSize + privateSize)
	if t.read(r); r.bad || t.created > t.expires {
		return t, ErrToken
	}
	t.request = append([]byte{request}, version...)
	t.request = binary.LittleEndian.AppendUint64(t.request, t.protocol)
	t.request = binary.LittleEndian.AppendUint64(t.request, t.expires)
	t.request = append(t.request, sealed...)
	return t, nil
}

// A proof is the private part of a token.
type proof struct {
	passage
	client uint64
	data   [MaxData]byte
	mac    [macSize]byte // identifies the token
}

// readProof opens the private part of a token. It changes sealed.
func readProof(secret cipher.AEAD, nonce, sealed, with []byte) (p proof, ok bool) {
	p.mac = [macSize]byte(sealed[len(sealed)-macSize:])
	open, err := secret.Open(sealed[:0], nonce, sealed, with)
	if err != nil {
		return p, false
	}
	r := &reader{b: open}
	p.client = r.uint64()
	p.read(r)
	copy(p.data[:], r.take(MaxData))
	return p, !r.bad
}
