package session

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/link"
)

// leadFrames is the number of frames over which the lead is averaged.
const leadFrames = 32

// A peer is the known state of another player.
type peer struct {
	link      link.Link
	player    int
	inputs    inputs
	checked   int // frames whose predictions were compared with the inputs
	acked     int // it has our inputs before this frame
	digests   inputs
	compared  int // frames whose digests were compared
	digestAck int // it has compared our digests before this frame
	sent      uint32
	heard     uint32 // highest sequence number so far
	frame     int    // its frame then
	ahead     int    // frames that it believed to be ahead of us then
	leads     [leadFrames]int
	lead      int // sum of leads
	last      int // call of Advance at which something last came
	refused   int // datagrams
	drops     set // players that it drops; the set only grows
	votes     []vote
	knocks    bool // it was dropped, and still plays
}

// process processes a packet. It ignores what is known already or impossible.
func (q *peer) process(p *packet, s *Session) bool {
	switch {
	case p.from != q.player || p.to != s.local:
		return false
	case s.me.drops.has(q.player):
		q.knocks = p.kind == 0
		return false
	case p.kind == 1:
		return q.receiveVote(p, s)
	case p.ack > s.me.inputs.next || p.digestAck > s.digests.next || p.first > q.inputs.next ||
		p.digestFirst > q.digests.next:
		return false
	}
	q.acked, q.digestAck = max(q.acked, p.ack), max(q.digestAck, p.digestAck)
	for n := q.inputs.next - p.first; n < p.count; n++ {
		if q.inputs.next-q.checked == s.places/2 { // the other half may be resimulated
			break
		}
		q.inputs.put(p.inputs[n*s.inputBytes:][:s.inputBytes])
	}
	for n := q.digests.next - p.digestFirst; n < p.digestCount; n++ {
		if q.digests.next-q.compared == s.places {
			break
		}
		q.digests.put(p.digests[n*digestSize:][:digestSize])
	}
	if int32(p.sequence-q.heard) > 0 {
		q.heard, q.ahead, q.frame = p.sequence, p.ahead, max(q.frame, p.frame)
	}
	return true
}

// speak sends the data that the peer has not acknowledged: inputs first, of as many frames as fit.
func (q *peer) speak(s *Session) {
	q.sent++
	p := packet{
		from: s.local, to: q.player, ahead: q.behind(s), sequence: q.sent, frame: s.frame(),
		ack: q.inputs.next, first: q.acked, digestAck: q.compared, digestFirst: q.digestAck,
	}
	room := link.MaxDatagram - headerSize
	p.count = s.fit(s.me.inputs.next-q.acked, room)
	room -= p.count * s.inputBytes
	p.digestCount = min(s.digests.next-q.digestAck, 255, room/digestSize)
	b := p.begin(s.datagram[:], s.inputBytes)
	for n := range p.count {
		b = append(b, s.me.inputs.at(p.first+n)...)
	}
	for n := range p.digestCount {
		b = append(b, s.digests.at(p.digestFirst+n)...)
	}
	seal(b, s.id)
	q.link.Send(b)
}

// fit returns how many of inputs inputs fit into one datagram with room bytes.
func (s *Session) fit(inputs, room int) int {
	if s.inputBytes > 0 {
		inputs = min(inputs, room/s.inputBytes)
	}
	return min(max(inputs, 0), 255)
}

// behind returns the number of frames that the peer seems to be behind, including the delay of its
// datagrams.
func (q *peer) behind(s *Session) int { return min(max(s.frame()-q.frame, -127), 127) }

// measure records how much each of the two is ahead of the other's last known frame. Both include
// the delay, so half of the difference is the lead.
func (q *peer) measure(s *Session) {
	place := &q.leads[s.steps%leadFrames]
	q.lead -= *place
	*place = q.behind(s) - q.ahead
	q.lead += *place
}

// inputs are the last inputs of one player, for frames before next; or digests of its worlds.
type inputs struct {
	ring  []byte // the input of frame n is at n modulo places
	size  int    // bytes of an input
	mask  int    // places - 1
	next  int
	final int    // frames before this one are final: next, or none if the player left
	end   int    // the player left: the input is rest from this frame on; or none
	rest  []byte // the default input
}

func newInputs(places, size int, rest []byte) inputs {
	if rest == nil {
		rest = make([]byte, size)
	}
	ring := make([]byte, places*size)
	return inputs{ring: ring, size: size, mask: places - 1, end: none, rest: slices.Clone(rest)}
}

// at returns the input of a frame, or the prediction: the last known input, or zeros.
func (in *inputs) at(frame int) []byte {
	switch {
	case frame >= in.end:
		return in.rest
	case frame >= in.next:
		frame = in.next - 1 // for frame 0 the last place, which is still zero
	}
	return in.ring[frame&in.mask*in.size:][:in.size]
}

// put sets the input of the next frame.
func (in *inputs) put(input []byte) {
	copy(in.ring[in.next&in.mask*in.size:][:in.size], input)
	in.next++
	in.final = in.next
}

const (
	version    = 1
	headerSize = 40
	digestSize = 8
)

// A packet is a decoded datagram; docs/FORMAT.md describes the fields of a vote.
type packet struct {
	kind        byte // 1: a vote
	from, to    int  // players
	ahead       int  // frames that the sender believes to be ahead of the receiver
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
	dst[8], dst[9], dst[10] = version+p.kind, byte(p.from), byte(p.to)
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
	if len(datagram) < headerSize || len(datagram) > link.MaxDatagram || datagram[8]-version > 1 ||
		int(le.Uint16(datagram[12:])) != inputBytes ||
		le.Uint64(datagram) != xxh3.HashSeed(datagram[8:], id) {
		return false
	}
	*p = packet{
		kind: datagram[8] - version, from: int(datagram[9]), to: int(datagram[10]),
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
