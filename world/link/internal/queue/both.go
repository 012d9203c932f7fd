package queue

import "sync"

// Both are the datagrams of a connection that wait: those that came, and those that another
// goroutine is to write. Its methods may be called by several goroutines at once.
type Both struct {
	longest int
	wake    chan struct{}

	mu      sync.Mutex // guards these
	in, out Queue
	lost    int
	read    []byte
}

// NewBoth returns one of size bytes each way, for datagrams of 1 to longest bytes.
func NewBoth(size, longest int) *Both {
	return &Both{
		longest: longest, wake: make(chan struct{}, 1),
		in: New(size), out: New(size), read: make([]byte, 0, longest),
	}
}

// Send has a datagram wait to be written, without waiting itself. Others than those are left out.
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

// Wake has something when there may be something to write.
func (b *Both) Wake() <-chan struct{} { return b.wake }

// Next takes the oldest datagram that waits to be written, into a buffer.
func (b *Both) Next(buffer *[]byte) (ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*buffer, ok = b.out.Take((*buffer)[:0])
	return ok
}

// Came has a datagram wait to be received. Others than those are left out.
func (b *Both) Came(datagram []byte) {
	if n := len(datagram); n < 1 || n > b.longest {
		return
	}
	b.mu.Lock()
	b.lost += b.in.Put(datagram)
	b.mu.Unlock()
}

// Receive takes the oldest datagram that came. It is read before the next call.
func (b *Both) Receive() ([]byte, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.in.Take(b.read)
}

// Lose counts a datagram that was not sent after all.
func (b *Both) Lose() {
	b.mu.Lock()
	b.lost++
	b.mu.Unlock()
}

// Lost is how many datagrams were not sent or received, as there was no room.
func (b *Both) Lost() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lost
}
