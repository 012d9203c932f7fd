package link

// MaxDatagram is the maximum length of a datagram, in bytes. Datagrams of this length are not
// fragmented on the internet.
const MaxDatagram = 1200

// A Link carries datagrams to and from one other program. Datagrams may be lost, delayed,
// duplicated, reordered, or sent by strangers: a UDP socket is sufficient.
type Link interface {
	// Send sends a datagram of up to [MaxDatagram] bytes, and does not keep the slice. A datagram
	// that cannot be sent is lost.
	Send(datagram []byte)
	// Receive returns the next received datagram, if any, without waiting. It is valid until the
	// next call.
	Receive() (datagram []byte, ok bool)
}

// A Client is the link of a [Listener] to an authenticated client.
type Client interface {
	Link
	// ID returns the client's number.
	ID() uint64
	// Data returns bytes for the program, from the client's token or the function that admitted it.
	// With [Rooms], the first 8 bytes name a room.
	Data() []byte
	// Err returns nil while the connection is open.
	Err() error
	// Close ends the connection, and tells the client.
	Close()
}

// A Listener accepts clients. Package world/link/udp has one for programs, world/link/web one for
// browsers.
type Listener interface {
	// Accept returns the next new client, if any, without waiting.
	Accept() (Client, bool)
	// Flush sends the datagrams that Send of clients buffers, since many at once are sent faster.
	// Call it after a tick's last Send.
	Flush()
	// Close ends the connections of all clients, and the listener.
	Close() error
}
