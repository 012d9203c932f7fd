package queue

import "sync"

// An In is the datagrams of a connection that came and were not asked for yet. Its methods may be
// called by several goroutines at once.
type In struct {
	longest int

	mu   sync.Mutex // guards these
	in   Queue
	lost int
	read []byte
}

// NewIn returns one of size bytes, for datagrams of 1 to longest bytes.
func NewIn(size, longest int) *In {
	return &In{longest: longest, in: New(size), read: make([]byte, 0, longest)}
}

// Came has a datagram wait to be received, and returns how many older ones it lost for it. Others
// than those are left out.
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

// Receive takes the oldest datagram that came. It is read before the next call.
func (i *In) Receive() ([]byte, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.in.Take(i.read)
}

// Lose counts a datagram that was not sent after all.
func (i *In) Lose() {
	i.mu.Lock()
	i.lost++
	i.mu.Unlock()
}

// Lost is how many datagrams were not sent or received, as there was no room.
func (i *In) Lost() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.lost
}

// Both are an In, and the datagrams that another goroutine is to write.
type Both struct {
	*In
	wake chan struct{}
	out  Queue // guarded as In is
}

// NewBoth returns one of size bytes each way, for datagrams of 1 to longest bytes.
func NewBoth(size, longest int) *Both {
	return &Both{In: NewIn(size, longest), wake: make(chan struct{}, 1), out: New(size)}
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
