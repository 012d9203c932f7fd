package index

import (
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/manager"
)

// A Guard says what of something derived from a kind is valid. While nobody writes to the world,
// several goroutines may ask at once: the first one derives what is missing.
type Guard struct {
	M       *manager.Manager
	Lock    sync.Mutex    // to derive
	settled atomic.Uint64 // the version of which valid tells; 0: none
	valid   atomic.Uint32 // what is valid then: a bit each
}

// A Derived is what a Guard guards. Both functions are told what is valid, and return what is then.
type Derived interface {
	Settle(valid uint32) uint32       // for another version
	Derive(valid, what uint32) uint32 // something that is missing
}

// Version becomes another number when values of the kind, or the objects that have it, may be
// others.
func (g *Guard) Version() uint64 { return g.M.Stamps.Written + g.M.Stamps.Reshaped() + 1 }

// Has reports whether something is valid at a version, that of now: hot path.
func (g *Guard) Has(version uint64, what uint32) bool {
	return g.settled.Load() == version && g.valid.Load()&what == what
}

// Make makes something of d valid.
//
//go:noinline
func (g *Guard) Make(what uint32, d Derived) {
	g.Lock.Lock()
	defer g.Lock.Unlock()
	version := g.Version()
	if g.settled.Load() != version {
		g.valid.Store(d.Settle(g.valid.Load()))
		g.settled.Store(version)
	}
	if valid := g.valid.Load(); valid&what != what {
		g.valid.Store(d.Derive(valid, what))
	}
}

// Keep says that what is valid now, whatever the version was.
func (g *Guard) Keep(valid uint32) {
	g.valid.Store(valid)
	g.settled.Store(g.Version())
}
