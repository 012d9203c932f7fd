package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
)

// groups returns reported, up to the last object ever used.
func (r *Watcher) groups() []uint64 { return r.reported[:(r.Objects.Count.High+4095)/4096] }

// Look finds the objects that left and entered since the last look, and remembers the current
// matches.
func (r *Watcher) Look() {
	r.checkMembers()
	for g := range r.groups() {
		r.checkGroup(g)
		var reported uint64
		for x := r.touched[g] | r.reported[g]; x != 0; x &= x - 1 {
			if r.look(uint32(g<<6 + bits.TrailingZeros64(x))) {
				reported |= x & -x
			}
		}
		r.touched[g], r.reported[g] = 0, reported
	}
	if r.last != nil {
		r.last.report(r)
	}
}

// look is Look for one block. It reports whether any object left or entered.
func (r *Watcher) look(block uint32) bool {
	b := &r.blocks[block]
	now := b.Members
	if b.Touched != 0 {
		now = r.watch.Block(block)&b.Touched | b.Members&^b.Touched
	}
	b.Left, b.Entered = b.Members&(b.Gone|^now), now&(b.Gone|^b.Members)
	for x := b.Left; x != 0; x &= x - 1 {
		i := block<<6 + uint32(bits.TrailingZeros64(x))
		r.former[i] = r.generations[i]
	}
	for x := b.Entered; x != 0; x &= x - 1 {
		i := block<<6 + uint32(bits.TrailingZeros64(x))
		r.generations[i] = r.Objects.Generations[i]
	}
	r.count.Members += uint64(bits.OnesCount64(now)) - uint64(bits.OnesCount64(b.Members))
	b.Members, b.Touched, b.Gone = now, 0, 0
	return b.Left|b.Entered != 0
}

// Count returns the number of objects that matched at the last look.
func (r *Watcher) Count() int { return int(r.count.Members) }

// Once returns true on its first call for a new or reset watcher, then false.
func (r *Watcher) Once() bool {
	first := r.record.Once == 0
	r.record.Once = 1
	return first
}

// Forget resets the watcher: the next look reports all matching objects as entered.
func (r *Watcher) Forget() {
	blocks := uint32(r.Objects.High()+63) / 64
	for k := range blocks {
		r.blocks[k] = watchBlock{Touched: full}
		r.touched[k>>6] |= 1 << (k & 63)
	}
	clearRecords(r.groups())
	r.record.Once, r.count.Members = 0, 0
	if r.last != nil {
		r.last.forget(r.last.gone)
		r.last.forget(r.last.left)
	}
}

// Left yields the objects that the last look reported as left, ascending.
func (r *Watcher) Left(yield func(gameobject.ID) bool) {
	for g, x := range r.groups() {
		r.checkGroup(g)
		for ; x != 0; x &= x - 1 {
			k := uint32(g<<6 + bits.TrailingZeros64(x))
			if !yieldIDs(k, r.blocks[k].Left, r.former, yield) {
				return
			}
		}
	}
}

// Entered yields the objects that the last look reported as entered, ascending.
func (r *Watcher) Entered(yield func(gameobject.ID) bool) {
	for g, x := range r.groups() {
		r.checkGroup(g)
		for ; x != 0; x &= x - 1 {
			k := uint32(g<<6 + bits.TrailingZeros64(x))
			if !yieldIDs(k, r.blocks[k].Entered, r.generations, yield) {
				return
			}
		}
	}
}

// Members yields the objects that matched at the last look, ascending.
func (r *Watcher) Members(yield func(gameobject.ID) bool) {
	for k := range uint32(r.Objects.High()+63) / 64 {
		if !yieldIDs(k, r.blocks[k].Members, r.generations, yield) {
			return
		}
	}
}

// yieldIDs yields the objects x of a block, with the remembered generations.
func yieldIDs(block uint32, x uint64, generations []uint32, yield func(gameobject.ID) bool) bool {
	for ; x != 0; x &= x - 1 {
		i := block<<6 + uint32(bits.TrailingZeros64(x))
		if !yield(gameobject.MakeID(i, generations[i])) {
			return false
		}
	}
	return true
}

// A watchRecord is the watcher's state that is not per object.
type watchRecord struct {
	Once uint64 // 1 when Watcher.Once was called
}

// A watchCount is a derived count.
type watchCount struct {
	Members uint64 // at the last look
}

// A watchBlock is the watcher's state of 64 neighbouring objects, one bit each.
type watchBlock struct {
	Members uint64 // matched at the last look
	Touched uint64 // changed since in the kinds that the rules name
	Gone    uint64 // members that stopped matching at some time since
	Left    uint64 // reported as left by the last look
	Entered uint64 // reported as entered by the last look
}
