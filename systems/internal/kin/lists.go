package kin

import (
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// none is the target of an object that refers to nobody.
const none = ^uint32(0)

// Lists are derived from one relation. Goroutines may read at once while none writes to the world.
type Lists struct {
	*layout.RelationSpec
	m    *manager.Manager
	lock sync.Mutex // to derive

	settled atomic.Uint64 // the version of which valid tells
	valid   atomic.Uint32 // what is valid then: a bit each
	known   uint64        // Written, plus 1, as far as targeted and changes tell; 0: never
	changes []change      // since settled, the oldest first; beyond limit some are missing
	limit   int           // changes that are patched, rather than all derived
	stale   uint64        // changes of who has the kind since referrers were derived

	targeted  []uint64 // a bit per object: others may refer to it
	filled    []uint64 // a bit per block: some refer to one; of the others target does not tell
	target    []uint32 // per object: the index that it refers to, suspended components included
	held      []uint64 // a bit per object: refers to one
	parents   []uint64 // a bit per object: start and end tell of it
	start     []uint32 // per object: where its referrers begin,
	end       []uint32 // and where they end
	referrers []uint32 // objects; those of one target by Order, then ascending
	ages      []uint32 // per entry of referrers that was derived: its generation
	listing   uint32   // entries of referrers that were derived; behind them are lists that grew
	top       uint32   // entries in use
	objects   uint32   // of which target and held tell
	sorted    uint32   // behind them there are no parents
	followed  int      // objects of a disposal whose referrers are queued
	staying   bool     // a disposal leaves the lists bare

	depth  []uint32 // per object; scratch
	level  []uint32 // objects that refer to one, by depth, then ascending
	above  []uint32 // per entry of level: the object that it refers to
	levels []uint32 // per depth: where it ends in level
	deep   int      // number of levels
}

// What is valid at the settled version.
const (
	validTargets uint32 = 1 << iota // target, held and filled
	validLists                      // referrers, but some of them did refer to it
	validBare                       // referrers, all of them
	validAges                       // ages
	validLevels                     // level, above and levels
)

// carve cuts the lists of a relation in a world with room for n objects.
func (l *Lists) carve(c *buffer.Carver, n int) {
	words, rows := (n+63)/64, l.m.Cap()
	l.targeted, l.parents = buffer.Carve[uint64](c, words), buffer.Carve[uint64](c, words)
	l.filled = buffer.Carve[uint64](c, (words+63)/64)
	l.target = buffer.Carve[uint32](c, n)
	l.start, l.end = buffer.Carve[uint32](c, n), buffer.Carve[uint32](c, n)
	l.referrers = buffer.Carve[uint32](c, 2*rows)
	l.ages = buffer.Carve[uint32](c, rows)
	l.changes = buffer.CarveRecords[change](c, changesFor(rows)+1)[:0]
	l.limit = changesFor(0)
	l.held = buffer.Carve[uint64](c, words)
	if l.Tree {
		l.depth = buffer.Carve[uint32](c, n)
		l.level = buffer.Carve[uint32](c, rows)
		l.above = buffer.Carve[uint32](c, rows)
		l.levels = buffer.Carve[uint32](c, rows+1)
	}
}

// size returns the bytes that carve takes.
func (l *Lists) size(objects int) int64 {
	n, rows := int64(objects), int64(l.m.Cap())
	words := (n + 63) / 64
	size := 10*buffer.Align + 8*(3*words+(words+63)/64) + 4*(3*n+3*rows) +
		8*int64(changesFor(l.m.Cap())+1)
	if l.Tree {
		size += 4*buffer.Align + 4*(n+3*rows+1)
	}
	return size
}

// RowOf returns the row of an object's reference.
func (l *Lists) RowOf(object uint32) (layout.Row, bool) { return l.m.RowOf(object) }

// references returns the references of the rows ever used.
func (l *Lists) references() []gameobject.ID {
	c := &l.m.Columns[l.Target.Index]
	return buffer.Span[gameobject.ID](c.Base, 0, l.m.MaxIndex())
}

// version becomes another number when references or who has the kind may be others.
func (l *Lists) version() uint64 { return l.m.Written + l.m.Reshaped() + 1 }

// has reports whether something is valid now.
func (l *Lists) has(what uint32) bool {
	return l.settled.Load() == l.version() && l.valid.Load()&what == what
}

// list makes the lists of referrers valid.
func (l *Lists) list() {
	if !l.has(validLists) {
		l.derive(validLists)
	}
}

// derive makes targets, lists, their ages or levels valid.
//
//go:noinline
func (l *Lists) derive(what uint32) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.settle()
	valid := l.valid.Load()
	if valid&what != 0 {
		return
	}
	if valid&validTargets == 0 {
		l.findTargets()
	}
	switch what {
	case validLists:
		l.sort()
		if l.m.Suspended() == 0 {
			what |= validBare
		}
	case validAges:
		l.findAges()
	case validLevels:
		l.findLevels()
	}
	l.valid.Store(valid | validTargets | what)
}

// isParent reports whether start and end tell of an object.
func (l *Lists) isParent(object uint32) bool { return l.parents[object>>6]>>(object&63)&1 != 0 }

// listOf returns the listed referrers of an object.
func (l *Lists) listOf(object uint32) []uint32 {
	if !l.isParent(object) {
		return nil
	}
	return l.referrers[l.start[object]:l.end[object]]
}

// Reference returns what an object refers to, if it has the component or keeps it suspended.
func (l *Lists) Reference(object uint32) gameobject.ID {
	if row, ok := l.m.InPlace(object); ok {
		return l.references()[row]
	}
	row, ok := l.m.HeldRow(object)
	if !ok {
		return gameobject.Nobody
	}
	return l.references()[row]
}

// Of returns the objects that refer to id. Unless they are all, there may be some that did, which
// Refers tells apart.
func (l *Lists) Of(id gameobject.ID) (objects []uint32, all bool) {
	if !l.m.Objects.Alive(id) {
		return nil, false
	}
	l.list()
	return l.listOf(id.Index()), l.has(validBare)
}

// Refers reports whether an object has the component and refers to id.
func (l *Lists) Refers(object uint32, id gameobject.ID) bool {
	if row, ok := l.m.InPlace(object); ok {
		return l.references()[row] == id
	}
	row, ok := l.m.RowOf(object)
	return ok && l.references()[row] == id
}

// Count returns the number of objects that have the component and refer to id.
func (l *Lists) Count(id gameobject.ID) (n int) {
	if !l.m.Objects.Alive(id) {
		return 0
	}
	l.list()
	if l.has(validBare) {
		return len(l.listOf(id.Index()))
	}
	for _, o := range l.listOf(id.Index()) {
		if l.Refers(o, id) {
			n++
		}
	}
	return n
}

// isTarget reports whether some object refers to an object, suspended components included. That
// does not depend on what was derived before, since disposals depend on it.
func (l *Lists) isTarget(object uint32) bool {
	if l.know(); !l.targets(object) {
		return false
	}
	l.list()
	id := l.m.Objects.At(object)
	for _, c := range l.listOf(object) {
		if l.Reference(c) == id {
			return true
		}
	}
	l.targeted[object>>6] &^= 1 << (object & 63)
	return false
}

// targetedIn returns the objects of a block that others may refer to.
func (l *Lists) targetedIn(block uint32) uint64 {
	l.know()
	return l.targeted[block]
}

// know makes targeted valid.
func (l *Lists) know() {
	if !l.isKnown() {
		l.list()
	}
}

// isKnown reports whether targeted is valid, and changes tell of all that were.
func (l *Lists) isKnown() bool { return l.known == l.m.Written+1 }

// targets reports whether some object may refer to an object. Targeted must be valid.
func (l *Lists) targets(object uint32) bool { return l.targeted[object>>6]>>(object&63)&1 != 0 }
