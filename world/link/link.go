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

// A Client is the link of a [Listener] to a client that proved who it is.
type Client interface {
	Link
	// ID says who the client is.
	ID() uint64
	// Data is what the client's token, or who let it in, has for the program. Where there are
	// [Rooms], its first 8 bytes name one.
	Data() []byte
	// Err is nil while the connection is there.
	Err() error
	// Close ends the connection, and tells the client.
	Close()
}

// A Listener takes in clients. Package world/link/udp has one for programs, world/link/web one for
// browsers.
type Listener interface {
	// Accept returns the next client that came, if any, without waiting.
	Accept() (Client, bool)
	// Flush sends what Send of clients keeps, as many datagrams at once are sent faster. Call it
	// after a tick's last Send.
	Flush()
	// Close ends the connections of all clients, and the listener.
	Close() error
}
