package queue

import "sync"

// An In holds the received datagrams of a connection until the program asks for them. Its methods
// may be called by several goroutines at once.
type In struct {
	longest int

	mu   sync.Mutex // guards the fields below
	in   Queue
	lost int
	read []byte
}

// NewIn returns an In of size bytes, for datagrams of 1 to longest bytes.
func NewIn(size, longest int) *In {
	return &In{longest: longest, in: New(size), read: make([]byte, 0, longest)}
}

// Came queues a received datagram, and returns the number of older ones that were dropped to make
// room. It ignores datagrams of other lengths.
func (i *In) Came(datagram []byte) (lost int) {
	if n := len(datagram); n < 1 || n > i.longest {
		return 0
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	lost = i.in.Put(datagram)
	i.lost += lost
	return lost
}

// Receive removes and returns the oldest datagram, which is valid until the next call.
func (i *In) Receive() ([]byte, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.in.Take(i.read)
}

// Lose counts a datagram that could not be sent.
func (i *In) Lose() {
	i.mu.Lock()
	i.lost++
	i.mu.Unlock()
}

// Lost returns the number of datagrams that were not sent or received because there was no room.
func (i *In) Lost() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.lost
}

// Both is an In, and a queue of datagrams for a goroutine that writes them.
type Both struct {
	*In
	wake chan struct{}
	out  Queue // guarded like In
}

// NewBoth returns a Both of size bytes each way, for datagrams of 1 to longest bytes.
func NewBoth(size, longest int) *Both {
	return &Both{In: NewIn(size, longest), wake: make(chan struct{}, 1), out: New(size)}
}

// Send queues a datagram to be written, without waiting. It ignores datagrams of other lengths.
func (b *Both) Send(datagram []byte) {
	if n := len(datagram); n < 1 || n > b.longest {
		return
	}
	b.mu.Lock()
	b.lost += b.out.Put(datagram)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Wake returns a channel that receives when there may be something to write.
func (b *Both) Wake() <-chan struct{} { return b.wake }

// Next removes the oldest datagram to be written, and copies it to a buffer.
func (b *Both) Next(buffer *[]byte) (ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*buffer, ok = b.out.Take((*buffer)[:0])
	return ok
}
