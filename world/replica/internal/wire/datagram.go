package wire

import (
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/link"
)

// Sizes, in bytes.
const (
	checkSize = 4
	HeadSize  = checkSize + 12 // bytes of a Head
	UpSize    = checkSize + 22 // bytes of an Up
)

// Flags of a Head. Refused and Gone stand alone.
const (
	Whole     = 1 << 0 // nothing was omitted
	Refused   = 1 << 1 // the schemas differ
	HasEvents = 1 << 2 // events follow the groups
	Gone      = 1 << 3 // the server has given the client up
)

// Acks is the flag of an Up whose client has received something.
const Acks = 1 << 0

// A Head begins a datagram of the server.
type Head struct {
	Tick     uint32
	Sequence uint16
	Used     uint16 // the last input that the server used
	Age      uint8  // age of the base of differences in ticks; 0: no differences
	Flags    uint8
	Slack    int8  // number of waiting inputs
	Groups   uint8 // number of groups
}

// Begin appends room for a head to b, which is empty.
func Begin(b []byte) []byte { return append(b, make([]byte, HeadSize)...) }

// Finish writes a head to its room, with the checksum.
func (h *Head) Finish(b []byte) []byte {
	le.PutUint32(b[4:], h.Tick)
	le.PutUint16(b[8:], h.Sequence)
	le.PutUint16(b[10:], h.Used)
	b[12], b[13], b[14], b[15] = h.Age, h.Flags, uint8(h.Slack), h.Groups
	return Seal(b)
}

// ReadHead returns the head of a datagram and the rest, and whether the checksum is right.
func ReadHead(b []byte) (h Head, body []byte, ok bool) {
	if !sealed(b, HeadSize) {
		return h, nil, false
	}
	return Head{
		Tick: le.Uint32(b[4:]), Sequence: le.Uint16(b[8:]), Used: le.Uint16(b[10:]),
		Age: b[12], Flags: b[13], Slack: int8(b[14]), Groups: b[15],
	}, b[HeadSize:], true
}

// An Up begins a datagram of a client.
type Up struct {
	Flags  uint8
	Schema uint64 // its hash
	Last   uint16 // the newest datagram received
	Before uint32 // a bit for each of the 32 earlier datagrams
	Seen   uint32 // the moment that is shown, in 1/256 of a tick
	First  uint16 // number of the first input
	Inputs uint8  // number of inputs
}

// Append appends u, with room for the checksum. Call Seal after appending the inputs.
func (u *Up) Append(b []byte) []byte {
	b = append(b, 0, 0, 0, 0, u.Flags)
	b = le.AppendUint64(b, u.Schema)
	b = le.AppendUint16(b, u.Last)
	b = le.AppendUint32(b, u.Before)
	b = le.AppendUint32(b, u.Seen)
	return append(le.AppendUint16(b, u.First), u.Inputs)
}

// ReadUp returns the head of a client's datagram and its inputs, and whether its checksum is right.
func ReadUp(b []byte) (u Up, inputs []byte, ok bool) {
	if !sealed(b, UpSize) {
		return u, nil, false
	}
	return Up{
		Flags: b[4], Schema: le.Uint64(b[5:]), Last: le.Uint16(b[13:]), Before: le.Uint32(b[15:]),
		Seen: le.Uint32(b[19:]), First: le.Uint16(b[23:]), Inputs: b[25],
	}, b[UpSize:], true
}

// Seal writes the checksum of a datagram.
func Seal(b []byte) []byte {
	le.PutUint32(b, checksum(b))
	return b
}

// sealed reports whether a datagram has a right checksum and an allowed length.
func sealed(b []byte, least int) bool {
	return len(b) >= least && len(b) <= link.MaxDatagram && le.Uint32(b) == checksum(b)
}

func checksum(b []byte) uint32 { return uint32(xxh3.Hash(b[checkSize:])) }

// Longest returns the number of bytes of the longest record, and of the datagram around it, with an
// event if there are events.
func (s *Schema) Longest() (record, around int) {
	for _, mask := range s.masks {
		n := 0
		for p := range s.In(mask) {
			n += p.Size(0) + p.Most*p.Width
		}
		record = max(record, n)
	}
	around = HeadSize + GroupSize + RecordSize + KeySize
	if len(s.Events) > 0 {
		around += EventHead + MaxEvent
	}
	return record, around
}
