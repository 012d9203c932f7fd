// Package queue holds received data of a listener until the program asks for it. A [Queue] holds
// datagrams in a fixed number of bytes. Without room it drops the oldest ones, whose content newer
// ones repeat. [In] and [Both] are the directions of a connection; [Arrivals] are clients, and
// [Places] the clients of a listener.
//
//	bytes [ … | length 2, datagram | length 2, datagram | … ]   a ring
//	            first ──────────── size ─────────────▶
package queue

import "encoding/binary"

// A Queue is a ring of bytes. It belongs to one goroutine at a time.
type Queue struct {
	bytes       []byte
	first, size int
}

const head = 2 // bytes of a length

// New returns a queue of size bytes. Each datagram takes two bytes more than its length.
func New(size int) Queue { return Queue{bytes: make([]byte, size)} }

// Put appends a datagram, and returns the number of older ones that were dropped to make room. It
// drops a datagram that would not fit in an empty queue.
func (q *Queue) Put(datagram []byte) (lost int) {
	need := head + len(datagram)
	if need > len(q.bytes) || len(datagram) > 1<<16-1 {
		return 1
	}
	for len(q.bytes)-q.size < need {
		q.skip(q.next())
		lost++
	}
	var length [head]byte
	binary.LittleEndian.PutUint16(length[:], uint16(len(datagram)))
	q.write(length[:])
	q.write(datagram)
	return lost
}

// Take removes the oldest datagram and returns it, appended to dst.
func (q *Queue) Take(dst []byte) ([]byte, bool) {
	if q.size == 0 {
		return dst, false
	}
	n := q.next()
	q.skip(0)
	dst = q.read(dst, n)
	q.skip(n - head)
	return dst, true
}

// next returns the length of the oldest datagram.
func (q *Queue) next() int {
	var length [head]byte
	return int(binary.LittleEndian.Uint16(q.read(length[:0], head)))
}

// skip removes a length and n bytes.
func (q *Queue) skip(n int) {
	q.first = (q.first + head + n) % len(q.bytes)
	q.size -= head + n
}

func (q *Queue) read(dst []byte, n int) []byte {
	part := q.bytes[q.first:min(q.first+n, len(q.bytes))]
	return append(append(dst, part...), q.bytes[:n-len(part)]...)
}

func (q *Queue) write(b []byte) {
	at := (q.first + q.size) % len(q.bytes)
	n := copy(q.bytes[at:], b)
	copy(q.bytes, b[n:])
	q.size += len(b)
}
