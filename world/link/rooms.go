package link

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// ErrRoom is the error of a room that is not open.
var ErrRoom = errors.New("link: there is no such room")

// Rooms divide the clients of listeners among rooms, such as the worlds of a process. A client's
// room is the number in the first 8 bytes of its Data, little-endian; shorter Data are padded with
// zeros. The zero value has no rooms. Its methods may be called by several goroutines at once.
//
//	rooms := new(link.Rooms)
//	l, err := udp.Listen(socket, udp.Options{Admit: rooms.Admit, …})
//	rooms.Add(l)             // and a listener of world/link/web: clients of both are in one room
//	listener := rooms.Open(7) // of the server of room 7
type Rooms struct {
	mu        sync.Mutex // guards fields here and of rooms; not held in calls of a listener
	listeners []Listener
	open      map[uint64]*room
}

// A room is the listener of one room.
type room struct {
	of      *Rooms
	number  uint64
	arrived queue.Arrivals[Client]
	taken   []Client // returned by Accept
}

var _ Listener = (*room)(nil)

// roomOf returns the number of the room that a client's Data names.
func roomOf(data []byte) uint64 {
	var number [8]byte
	copy(number[:], data)
	return binary.LittleEndian.Uint64(number[:])
}

// Add assigns a listener's clients to their rooms. From then on the rooms call its Accept; the
// program calls its Close. It panics if l is nil.
func (r *Rooms) Add(l Listener) {
	if r.mustBeOpen(); l == nil {
		panic("link: Rooms.Add of a nil listener; listen first")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listeners = append(slices.Clip(r.listeners), l)
}

// Open opens a room, as a Listener whose Close ends the connections of its clients only. It panics
// if the room is already open.
func (r *Rooms) Open(number uint64) Listener {
	r.mustBeOpen()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open[number] != nil {
		panic(fmt.Sprintf("link: room %d is open; close it first", number))
	}
	if r.open == nil {
		r.open = map[uint64]*room{}
	}
	opened := &room{of: r, number: number}
	r.open[number] = opened
	return opened
}

// Admit returns an error that wraps [ErrRoom] if the room that a client's Data names is not open.
// Use it as Options.Admit of package udp, or in Options.Enter of package web.
func (r *Rooms) Admit(data []byte) error {
	r.mustBeOpen()
	number := roomOf(data)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open[number] == nil {
		return fmt.Errorf("%w: %d; %d others are open", ErrRoom, number, len(r.open))
	}
	return nil
}

// mustBeOpen panics if r is nil.
func (r *Rooms) mustBeOpen() {
	if r == nil {
		panic("link: Rooms that are nil; use new(link.Rooms)")
	}
}

// bring queues a client for the program of its room.
func (r *Rooms) bring(c Client) {
	r.mu.Lock()
	to := r.open[roomOf(c.Data())]
	if to != nil {
		to.arrived.Put(c, to.arrived.Len()) // clients that are gone make room each time
	}
	r.mu.Unlock()
	if to == nil { // the room was closed since
		c.Close()
	}
}

// all returns the listeners.
func (r *Rooms) all() []Listener {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.listeners
}

// Accept implements [Listener].
func (r *room) Accept() (Client, bool) {
	for _, l := range r.of.all() {
		for c, ok := l.Accept(); ok; c, ok = l.Accept() {
			r.of.bring(c)
		}
	}
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	c, ok := r.arrived.Take()
	if ok {
		if len(r.taken) == cap(r.taken) {
			r.taken = slices.DeleteFunc(r.taken, func(c Client) bool { return c.Err() != nil })
		}
		r.taken = append(r.taken, c)
	}
	return c, ok
}

// Flush implements [Listener].
func (r *room) Flush() {
	for _, l := range r.of.all() {
		l.Flush()
	}
}

// Close implements [Listener].
func (r *room) Close() error {
	r.of.mu.Lock()
	if r.of.open[r.number] == r {
		delete(r.of.open, r.number)
	}
	clients := r.taken
	for c, ok := r.arrived.Take(); ok; c, ok = r.arrived.Take() {
		clients = append(clients, c)
	}
	r.taken = nil
	r.of.mu.Unlock()
	for _, c := range clients {
		c.Close()
	}
	return nil
}
