package kin

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// none is the target of an object that refers to nobody.
const none = ^uint32(0)

// nobody is the targets of a block without references.
var nobody = [64]uint32(slices.Repeat([]uint32{none}, 64))

// Lists are what is derived from one relation. Several goroutines may read at once while nobody
// writes to the world.
type Lists struct {
	*layout.RelationSpec
	m    *manager.Manager
	lock sync.Mutex // to derive

	// Versions of the manager for which something is valid, plus 1; 0: never.
	known    atomic.Uint64 // targeted: Written, less kept
	listed   atomic.Uint64 // start and referrers: Written, less cleared
	bare     atomic.Uint64 // referrers are no superset: Written and Reshaped, in sum
	aged     atomic.Uint64 // ages: Written and Reshaped, in sum
	levelled atomic.Uint64 // levels, level and above: Written and Reshaped, in sum
	found    uint64        // target, held and filled, under lock: Written and Reshaped, in sum
	kept     uint64        // writes that kept targeted valid
	cleared  uint64        // writes that kept start and referrers valid
	given    uint64        // others since these were derived; they refer to objects in gained

	gained    []uint64 // a bit per object: some may refer to it who are not among referrers
	targeted  []uint64 // a bit per object: others may refer to it
	filled    []uint64 // a bit per block: some refer to one; of the others target does not tell
	target    []uint32 // per object: the index that it refers to, suspended components included
	held      []uint64 // a bit per object: refers to one
	parents   []uint64 // a bit per object: start and end tell of it
	start     []uint32 // per object: where its referrers begin,
	end       []uint32 // and where they end
	referrers []uint32 // objects; those of one target by Order, then ascending
	ages      []uint32 // per entry of referrers: its generation
	listing   uint32   // entries of referrers
	objects   uint32   // of which target and held tell
	sorted    uint32   // of which parents tells
	derived   uint64   // how often start and referrers were
	followed  int      // objects of a disposal whose referrers are queued
	staying   bool     // a disposal leaves the lists bare

	depth  []uint32 // per object; scratch
	level  []uint32 // objects that refer to one, by depth, then ascending
	above  []uint32 // per entry of level: the object that it refers to
	levels []uint32 // per depth: where it ends in level
	deep   int      // number of levels
}

// carve cuts the lists of a relation in a world with room for n objects.
func (l *Lists) carve(c *buffer.Carver, n int) {
	words, rows := (n+63)/64, l.m.Cap()
	l.targeted, l.parents = buffer.Carve[uint64](c, words), buffer.Carve[uint64](c, words)
	l.gained = buffer.Carve[uint64](c, words)
	l.filled = buffer.Carve[uint64](c, (words+63)/64)
	l.target = buffer.Carve[uint32](c, n)
	l.start, l.end = buffer.Carve[uint32](c, n), buffer.Carve[uint32](c, n)
	l.referrers = buffer.Carve[uint32](c, rows)
	l.ages = buffer.Carve[uint32](c, rows)
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
	size := 10*buffer.Align + 8*(4*words+(words+63)/64) + 4*(3*n+2*rows)
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

// exact returns the version of the manager for lists that must not be a superset.
func (l *Lists) exact() uint64 { return l.m.Written + l.m.Reshaped + 1 }

// list makes the list of referrers valid.
func (l *Lists) list() {
	if !l.isListed() {
		l.derive()
	}
}

//go:noinline
func (l *Lists) derive() {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.isListed() {
		return
	}
	l.findTargets()
	l.sort()
	clear(l.gained[:(l.objects+63)/64])
	l.given = 0
	if l.m.Suspended() == 0 {
		l.bare.Store(l.exact())
	}
	l.listed.Store(l.m.Written + 1 - l.cleared)
	l.known.Store(l.m.Written + 1 - l.kept)
}

// isListed reports whether start and referrers are valid.
func (l *Lists) isListed() bool { return l.listed.Load()+l.cleared == l.m.Written+1 }

// isListedBut reports whether start and referrers are valid for objects that are not in gained.
func (l *Lists) isListedBut() bool {
	return l.listed.Load()+l.cleared+l.given == l.m.Written+1
}

// isKnown reports whether targeted is valid.
func (l *Lists) isKnown() bool { return l.known.Load()+l.kept == l.m.Written+1 }

// findTargets derives target, targeted, held and filled. It looks at no block that neither has the
// relation nor had it.
func (l *Lists) findTargets() {
	if l.found == l.exact() {
		return
	}
	l.objects = uint32(l.m.Objects.High())
	blocks := int(l.objects+63) / 64
	clear(l.targeted[:blocks])
	for g := range (blocks + 63) / 64 {
		some := l.m.Groups[g].Any | l.filled[g]
		if l.m.Suspended() != 0 {
			some = full
		}
		for ; some != 0; some &= some - 1 {
			if k := g<<6 + bits.TrailingZeros64(some); k < blocks {
				l.fill(k)
			}
		}
	}
	l.found = l.exact()
}

// fill derives target, held and filled of a block, and enters its targets in targeted.
func (l *Lists) fill(k int) {
	b := &l.m.Blocks[k]
	first := uint32(k) << 6
	target := l.target[first:min(first+64, uint32(len(l.target)))]
	x := b.Present | b.Suspended
	var refer uint64
	if x == full && b.Odd == 0 {
		at := first + b.Base
		refer = l.findAll(l.references()[at:at+64], target)
	} else {
		copy(target, nobody[:])
		refer = l.findIn(uint32(k), x, target)
	}
	l.held[k] = refer & b.Present
	word, bit := &l.filled[k>>6], uint64(1)<<(k&63)
	if *word &^= bit; refer != 0 {
		*word |= bit
	}
}

// targetOf returns the index that an id refers to, or none.
func (l *Lists) targetOf(id gameobject.ID) uint32 {
	if t := id.Index(); id != gameobject.Nobody && !id.Recorded() && t < l.objects {
		return t
	}
	return none
}

// findAll sets the targets of 64 objects that have these references, and returns those that refer
// to somebody.
func (l *Lists) findAll(ids []gameobject.ID, target []uint32) (held uint64) {
	targeted, objects := l.targeted, l.objects
	target = target[:len(ids)]
	for i, id := range ids {
		t := id.Index()
		if id == gameobject.Nobody || id.Recorded() || t >= objects {
			target[i] = none
			continue
		}
		target[i] = t
		held |= 1 << (i & 63)
		if word, bit := &targeted[t>>6], uint64(1)<<(t&63); *word&bit == 0 {
			*word |= bit
		}
	}
	return held
}

// findIn is findAll for the objects x of a block.
func (l *Lists) findIn(k uint32, x uint64, target []uint32) (held uint64) {
	var rows [64]uint32
	l.m.RowsOf(&rows, k, x)
	ids, targeted := l.references(), l.targeted
	for i := 0; x != 0; i, x = i+1, x&(x-1) {
		t := l.targetOf(ids[rows[i&63]])
		if t == none {
			continue
		}
		at := bits.TrailingZeros64(x) & 63
		target[at] = t
		held |= 1 << at
		targeted[t>>6] |= 1 << (t & 63)
	}
	return held
}

const full = ^uint64(0)

// listOf returns the listed referrers of an object.
func (l *Lists) listOf(object uint32) []uint32 {
	if object >= l.sorted || l.parents[object>>6]>>(object&63)&1 == 0 {
		return nil
	}
	return l.referrers[l.start[object]:l.end[object]]
}

// Reference returns what an object refers to, if it has the component or keeps it suspended.
func (l *Lists) Reference(object uint32) gameobject.ID {
	if b := &l.m.Blocks[object>>6]; (b.Present&^b.Odd)>>(object&63)&1 != 0 {
		return l.references()[object+b.Base]
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
	return l.listOf(id.Index()), l.isBare(id)
}

// isBare reports whether all listed referrers of an id refer to it. Of an index that was disposed
// with its referrers, they are still listed.
func (l *Lists) isBare(id gameobject.ID) bool {
	return l.bare.Load() == l.exact() && l.m.Objects.Alive(id) && l.targets(id.Index())
}

// Refers reports whether an object has the component and refers to id.
func (l *Lists) Refers(object uint32, id gameobject.ID) bool {
	if b := &l.m.Blocks[object>>6]; (b.Present&^b.Odd)>>(object&63)&1 != 0 {
		return l.references()[object+b.Base] == id
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
	if l.isBare(id) {
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
	if !l.isListedBut() || l.gained[object>>6]>>(object&63)&1 != 0 {
		l.list()
	}
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

// targets reports whether some object may refer to an object. Targeted must be valid.
func (l *Lists) targets(object uint32) bool { return l.targeted[object>>6]>>(object&63)&1 != 0 }
