package kin

import (
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
)

// nobody is the targets of a block without references.
var nobody = [64]uint32(slices.Repeat([]uint32{none}, 64))

const full = ^uint64(0)

// findTargets derives target, targeted, held and filled of all blocks. It looks at no block that
// neither has the relation nor had it.
func (l *Lists) findTargets() {
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
	l.known = l.m.Written + 1
}

// fill derives target, held and filled of a block, and enters its targets in targeted.
func (l *Lists) fill(k int) {
	first := uint32(k) << 6
	target := l.target[first:min(first+64, uint32(len(l.target)))]
	x := l.m.Holds(uint32(k))
	var refer uint64
	if x == full && l.m.Odd(uint32(k)) == 0 {
		at := first + l.m.Base(uint32(k))
		refer = l.findAll(l.references()[at:at+64], target)
	} else {
		copy(target, nobody[:])
		refer = l.findIn(uint32(k), x, target)
	}
	l.held[k] = refer & l.m.Present(uint32(k))
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

// widen makes target and held tell of objects that were created since: none of them refers to one.
func (l *Lists) widen() {
	high := uint32(l.m.Objects.High())
	for k := (l.objects + 63) / 64; k < (high+63)/64; k++ {
		l.held[k] = 0
		l.filled[k>>6] &^= 1 << (k & 63)
	}
	l.objects = high
}

// retarget sets the target of an object that has the component, or keeps it suspended.
func (l *Lists) retarget(object, target uint32) {
	k, bit := object>>6, uint64(1)<<(object&63)
	if l.filled[k>>6]>>(k&63)&1 == 0 {
		l.fill(int(k))
		return
	}
	l.target[object] = target
	if l.held[k] &^= bit; target != none {
		l.held[k] |= bit & l.m.Present(k)
	}
}
