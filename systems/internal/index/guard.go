package index

import (
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/manager"
)

// A Guard says which derived data of a kind are valid. While no goroutine writes to the world,
// several may query at once: the first one derives missing data.
type Guard struct {
	M       *manager.Manager
	Lock    sync.Mutex    // held while deriving
	settled atomic.Uint64 // the version for which valid holds; 0: none
	valid   atomic.Uint32 // the valid data: a bit each
}

// A Derived is the data of a Guard. Both functions get the valid data, and return what is valid
// after.
type Derived interface {
	Settle(valid uint32) uint32       // for another version
	Derive(valid, what uint32) uint32 // derives missing data
}

// Version returns a number that changes when values of the kind, or the set of objects that have
// it, may have changed.
func (g *Guard) Version() uint64 { return g.M.Stamps.Written + g.M.Stamps.Reshaped() + 1 }

// Has reports whether data are valid at the current version: hot path.
func (g *Guard) Has(version uint64, what uint32) bool {
	return g.settled.Load() == version && g.valid.Load()&what == what
}

// Make makes data of d valid.
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

// Keep sets which data are valid now, whatever the version was.
func (g *Guard) Keep(valid uint32) {
	g.valid.Store(valid)
	g.settled.Store(g.Version())
}
