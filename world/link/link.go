package link

// MaxDatagram is the maximum length of a datagram, in bytes. It is short enough not to be
// fragmented on the internet.
const MaxDatagram = 1200

// A Link carries datagrams to and from one other program. Datagrams may be lost, delayed,
// duplicated, reordered, or come from strangers: a UDP socket is enough.
type Link interface {
	// Send sends a datagram of up to [MaxDatagram] bytes, and does not keep it. If it cannot be
	// sent, it is lost.
	Send(datagram []byte)
	// Receive returns the next received datagram, if any, without waiting. The datagram is read
	// before the next call.
	Receive() (datagram []byte, ok bool)
}
