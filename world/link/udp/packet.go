package udp

import (
	"crypto/cipher"
	"encoding/binary"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/flatecs/flatecs/world/link"
)

// The kinds of packets, the low half of their first byte. The high half is the length of the
// sequence number.
const (
	request = iota
	denied
	challenge
	response
	keepAlive
	payload
	disconnect
	kinds
)

const (
	challengeSize = 300 // bytes of a challenge token, sealed
	requestSize   = 1 + len(version) + 8 + 8 + nonceSize + privateSize
	maxPacket     = 1 + 8 + link.MaxDatagram + macSize
	shared        = 1 << 63 // the first number of packets to addresses that are not clients yet
)

// serverTakes and clientTakes have a bit per kind of packet that the end accepts.
const (
	serverTakes = 1<<response | 1<<keepAlive | 1<<payload | 1<<disconnect
	clientTakes = 1<<denied | 1<<challenge | 1<<keepAlive | 1<<payload | 1<<disconnect
)

// A codec seals or opens the packets of one direction of a connection.
type codec struct {
	aead  cipher.AEAD
	nonce [chacha20poly1305.NonceSize]byte
	with  [len(version) + 8 + 1]byte // version, protocol, first byte of the packet
}

func newCodec(key Key, protocol uint64) codec {
	aead, err := chacha20poly1305.New(key[:])
	if err != nil {
		panic(err) // the key has the right length
	}
	c := codec{aead: aead}
	copy(c.with[:], version)
	binary.LittleEndian.PutUint64(c.with[len(version):], protocol)
	return c
}

// seal appends a packet to dst, which has room for it.
func (c *codec) seal(dst []byte, kind byte, number uint64, body []byte) []byte {
	n := byte(1)
	for rest := number >> 8; rest > 0; rest >>= 8 {
		n++
	}
	first := n<<4 | kind
	dst = append(dst, first)
	for i, rest := byte(0), number; i < n; i, rest = i+1, rest>>8 {
		dst = append(dst, byte(rest))
	}
	c.use(first, number)
	return c.aead.Seal(dst, c.nonce[:], body, c.with[:])
}

func (c *codec) use(first byte, number uint64) {
	c.with[len(c.with)-1] = first
	binary.LittleEndian.PutUint64(c.nonce[4:], number)
}

// open decrypts a packet of an accepted kind in place, and records it in w. It takes the steps of
// the standard in their order.
func (c *codec) open(packet []byte, takes uint, w *window) (kind byte, body []byte, ok bool) {
	if len(packet) < 1+1+macSize {
		return 0, nil, false
	}
	first := packet[0]
	kind = first & 15
	n := int(first >> 4)
	if kind >= kinds || takes>>kind&1 == 0 || n < 1 || n > 8 || len(packet) < 1+n+macSize {
		return kind, nil, false
	}
	number := uint64(0)
	for i := range n {
		number |= uint64(packet[1+i]) << (8 * i)
	}
	repeats := kind >= keepAlive
	if repeats && w.seen(number) {
		return kind, nil, false
	}
	c.use(first, number)
	sealed := packet[1+n:]
	body, err := c.aead.Open(sealed[:0], c.nonce[:], sealed, c.with[:])
	if err != nil {
		return kind, nil, false
	}
	if repeats {
		w.add(number)
	}
	return kind, body, fits(kind, len(body))
}

// fits reports whether a packet of a kind has an allowed length.
func fits(kind byte, size int) bool {
	switch kind {
	case challenge, response:
		return size == 8+challengeSize
	case keepAlive:
		return size == 8
	case payload:
		return size >= 1 && size <= link.MaxDatagram
	}
	return size == 0
}

// windowSize is the most that a packet may be behind the newest one.
const windowSize = 256

// A window records which of the last packets arrived, so that no packet is accepted twice.
type window struct {
	newest uint64
	bits   [windowSize / 64]uint64 // by number, modulo windowSize
}

// seen reports whether a packet arrived, or is too old to tell.
func (w *window) seen(number uint64) bool {
	if number > w.newest {
		return false
	}
	return w.newest-number >= windowSize || w.bits[number/64%4]>>(number%64)&1 == 1
}

// add adds an arrived packet for which had returned false.
func (w *window) add(number uint64) {
	if number > w.newest {
		if number-w.newest >= windowSize {
			w.bits = [4]uint64{}
		} else {
			for i := w.newest + 1; i < number; i++ {
				w.bits[i/64%4] &^= 1 << (i % 64)
			}
		}
		w.newest = number
	}
	w.bits[number/64%4] |= 1 << (number % 64)
}
