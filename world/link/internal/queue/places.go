package queue

import "sync"

// A Client is what [Places] know of a client.
type Client interface {
	comparable
	ID() uint64
	Err() error    // why its connection has ended; nil: it has not
	Lost() int     // datagrams
	End(why error) // ends its connection, without waiting
}

// Places are the clients of a listener that has a goroutine for each:
//
//	Reserve ─▶ NewID ─▶ Take ─▶ Leave ─▶ Done
//	                     └▶ Accept, once
//
// Its methods may be called by several goroutines at once.
type Places[C Client] struct {
	most  int
	again error
	wait  sync.WaitGroup // for those that have reserved a place

	mu      sync.Mutex // guards these
	closed  bool
	coming  int // that have a place, and are not in ids yet
	last    uint64
	ids     map[uint64]C
	arrived Arrivals[C] // that Accept did not return yet
	stats   Counted
}

// Counted is what Places have seen.
type Counted struct {
	Clients int // that have a place now, and those that are coming
	Full    int // that came when there was no room
	Refused int // that did not get in, with an error
	Lost    int // datagrams of clients that are gone
}

// NewPlaces returns places for at most so many clients at once. A client ends with the error again
// when another one with its ID takes its place.
func NewPlaces[C Client](most int, again error) *Places[C] {
	return &Places[C]{most: most, again: again, ids: map[uint64]C{}}
}

// Reserve keeps a place for one that comes, and says whether there is one. Then call Take, and
// Done at last.
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

// NewID returns 1 first, and then one more each time.
func (p *Places[C]) NewID() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	return p.last
}

// Take gives the place to the client that came, and says whether it has it: not if it came with an
// error, nor after End.
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

// Accept returns the first client that took a place and is still there, once.
func (p *Places[C]) Accept() (C, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.arrived.Take()
}

// Leave gives a client's place back, unless another one has its ID by now.
func (p *Places[C]) Leave(c C) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ids[c.ID()] == c {
		delete(p.ids, c.ID())
	}
	p.stats.Lost += c.Lost()
}

// Done says that the goroutine which reserved a place ends.
func (p *Places[C]) Done() { p.wait.Done() }

// Counted returns what was counted so far.
func (p *Places[C]) Counted() Counted {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Clients = len(p.ids) + p.coming
	return s
}

// End ends all clients, and lets no further ones in.
func (p *Places[C]) End(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.ids {
		c.End(why)
	}
}

// Wait waits, after End, until all are done.
func (p *Places[C]) Wait() { p.wait.Wait() }
