package replica

import "math/bits"

const (
	packets  = 32 // in flight, that an acknowledgement may name
	minRetry = 4  // ticks until unacknowledged data are sent again
)

// A packet is a datagram that may be acknowledged. The slots record its contents.
type packet struct {
	out      bool
	sequence uint16
	size     uint16 // bytes
	tick     uint32
}

// A line records the packets in flight to a client, and their acknowledgements.
type line struct {
	packets  [packets]packet
	sequence uint16   // of the next packet
	arrived  []uint16 // sequence numbers that were acknowledged since the last one
	base     uint32   // newest acknowledged tick
	trip     uint32   // ticks from a datagram to its acknowledgement, times 8
}

func (l *line) reset() {
	for i := range l.packets {
		l.packets[i].out, l.packets[i].sequence = false, 0
	}
	l.sequence, l.base, l.trip, l.arrived = 1, 0, 0, l.arrived[:0]
}

// acknowledge processes an acknowledgement of packet last and, for each bit i of before, of packet
// last-1-i. The arguments may be anything: wrong ones harm only the client that sends them.
func (l *line) acknowledge(last uint16, before, now uint32) bool {
	if l.sequence-1-last >= packets {
		return false
	}
	l.acknowledgeOne(last, now)
	for ; before != 0; before &= before - 1 {
		l.acknowledgeOne(last-1-uint16(bits.TrailingZeros32(before)), now)
	}
	return true
}

func (l *line) acknowledgeOne(sequence uint16, now uint32) {
	p := &l.packets[sequence%packets]
	if !p.out || p.sequence != sequence {
		return
	}
	p.out = false
	trip := now - p.tick
	if l.trip == 0 {
		l.trip = 8 * trip
	} else {
		l.trip += trip - l.trip/8
	}
	l.base = max(l.base, p.tick)
	l.arrived = append(l.arrived, sequence)
}

// next records that a packet is in flight, and returns its bit.
func (l *line) next(tick uint32) (bit uint32) {
	at := l.sequence % packets
	l.packets[at] = packet{out: true, sequence: l.sequence, tick: tick}
	l.sequence++
	return 1 << at
}

// retry returns the number of ticks until unacknowledged data are sent again.
func (l *line) retry() uint32 { return max(minRetry, (l.trip+l.trip/2)/8) }
