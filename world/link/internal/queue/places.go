package queue

import "sync"

// A Client is the part of a client that [Places] use.
type Client interface {
	comparable
	ID() uint64
	Err() error    // why its connection ended, or nil
	Lost() int     // datagrams
	End(why error) // ends its connection, without waiting
}

// Places are the clients of a listener with a goroutine per client:
//
//	Reserve ─▶ NewID ─▶ Take ─▶ Leave ─▶ Done
//	                     └▶ Accept, once
//
// Its methods may be called by several goroutines at once.
type Places[C Client] struct {
	most  int
	again error
	wait  sync.WaitGroup // for goroutines that have reserved a place

	mu      sync.Mutex // guards the fields below
	closed  bool
	coming  int // with a place, but not in ids yet
	last    uint64
	ids     map[uint64]C
	arrived Arrivals[C] // not returned by Accept yet
	stats   Counted
}

// Counted holds the counts of Places.
type Counted struct {
	Clients int // clients with a place, including arriving ones
	Full    int // refused for lack of room
	Refused int // refused with an error
	Lost    int // datagrams of disconnected clients
}

// NewPlaces returns places for at most most clients. If a client with the ID of another one takes a
// place, the other one ends with the error again.
func NewPlaces[C Client](most int, again error) *Places[C] {
	return &Places[C]{most: most, again: again, ids: map[uint64]C{}}
}

// Reserve reserves a place for an arriving client, and reports whether there is one. Then call
// Take, and finally Done.
func (p *Places[C]) Reserve() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.ids)+p.coming >= p.most {
		p.stats.Full++
		return false
	}
	p.coming++
	p.wait.Add(1)
	return true
}

// NewID returns 1, 2, 3, and so on.
func (p *Places[C]) NewID() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	return p.last
}

// Take gives the place to the client, and reports whether it did: it does not if err is not nil, or
// after End.
func (p *Places[C]) Take(c C, err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.coming--
	if err != nil {
		p.stats.Refused++
	}
	if err != nil || p.closed {
		return false
	}
	if was, ok := p.ids[c.ID()]; ok {
		was.End(p.again)
	}
	p.ids[c.ID()] = c
	p.arrived.Put(c, p.most)
	return true
}

// Accept returns the first client with a place that is still connected, once.
func (p *Places[C]) Accept() (C, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.arrived.Take()
}

// Leave gives a client's place back, unless another client has its ID now.
func (p *Places[C]) Leave(c C) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ids[c.ID()] == c {
		delete(p.ids, c.ID())
	}
	p.stats.Lost += c.Lost()
}

// Done must be called at the end of a goroutine that reserved a place.
func (p *Places[C]) Done() { p.wait.Done() }

// Counted returns the counts so far.
func (p *Places[C]) Counted() Counted {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Clients = len(p.ids) + p.coming
	return s
}

// End ends all clients, and accepts no more.
func (p *Places[C]) End(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.ids {
		c.End(why)
	}
}

// Wait waits, after End, until Done was called for all.
func (p *Places[C]) Wait() { p.wait.Wait() }
