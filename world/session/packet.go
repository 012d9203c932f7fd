package session

import (
	"encoding/binary"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/link"
)

const (
	version    = 1
	headerSize = 40
	digestSize = 8
)

// A packet is a decoded datagram; see the package comment.
type packet struct {
	from, to    int // players
	ahead       int // frames that the sender is ahead of the receiver, as it sees it
	sequence    uint32
	frame       int // frame of the sender's next step
	ack         int // the sender has the receiver's inputs before this frame
	first       int // frame of the first input
	count       int // inputs
	digestAck   int // the sender has compared the receiver's digests before this frame
	digestFirst int // frame of the first digest
	digestCount int
	inputs      []byte // in the datagram
	digests     []byte // in the datagram
}

// begin writes the header of a datagram except for its hash, and returns it with room for the rest.
func (p *packet) begin(dst []byte, inputBytes int) []byte {
	le := binary.LittleEndian
	dst[8], dst[9], dst[10] = version, byte(p.from), byte(p.to)
	dst[11], dst[14], dst[15] = byte(p.count), byte(p.digestCount), byte(int8(p.ahead))
	le.PutUint16(dst[12:], uint16(inputBytes))
	le.PutUint32(dst[16:], p.sequence)
	le.PutUint32(dst[20:], uint32(p.frame))
	le.PutUint32(dst[24:], uint32(p.ack))
	le.PutUint32(dst[28:], uint32(p.first))
	le.PutUint32(dst[32:], uint32(p.digestAck))
	le.PutUint32(dst[36:], uint32(p.digestFirst))
	return dst[:headerSize]
}

// seal writes the hash of the rest of a datagram.
func seal(datagram []byte, id uint64) {
	binary.LittleEndian.PutUint64(datagram, xxh3.HashSeed(datagram[8:], id))
}

// parse decodes a datagram with inputs of inputBytes, and reports whether it belongs to the
// session.
func (p *packet) parse(datagram []byte, id uint64, inputBytes int) bool {
	le := binary.LittleEndian
	if len(datagram) < headerSize || len(datagram) > link.MaxDatagram || datagram[8] != version ||
		int(le.Uint16(datagram[12:])) != inputBytes ||
		le.Uint64(datagram) != xxh3.HashSeed(datagram[8:], id) {
		return false
	}
	*p = packet{
		from: int(datagram[9]), to: int(datagram[10]),
		count: int(datagram[11]), digestCount: int(datagram[14]),
		ahead: int(int8(datagram[15])), sequence: le.Uint32(datagram[16:]),
	}
	for i, frame := range []*int{&p.frame, &p.ack, &p.first, &p.digestAck, &p.digestFirst} {
		n := le.Uint32(datagram[20+4*i:])
		if n > math.MaxInt32 {
			return false
		}
		*frame = int(n)
	}
	rest := datagram[headerSize:]
	size := p.count * inputBytes
	if len(rest) != size+p.digestCount*digestSize {
		return false
	}
	p.inputs, p.digests = rest[:size], rest[size:]
	return true
}
