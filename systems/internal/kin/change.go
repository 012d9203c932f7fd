package kin

import (
	"slices"

	"github.com/flatecs/flatecs/gameobject"
)

// A change is a reference that was written.
type change struct {
	object uint32
	was    uint32 // the index that it referred to, or none
}

// changesFor returns how many changes are patched in lists of n entries; for more, all are derived.
func changesFor(n int) int { return n/64 + 16 }

// note notes that the reference of an object was written, by the latest of all writes.
func (l *Lists) note(object uint32, was, is gameobject.ID) {
	l.known++
	to := l.indexOf(is)
	if to != none {
		l.targeted[to>>6] |= 1 << (to & 63)
	}
	// One that is cleared may be missing: it is listed, as after the component was removed.
	if n := len(l.changes); n < l.limit || n == l.limit && to != none {
		l.changes = append(l.changes, change{object, l.indexOf(was)})
	}
}

// indexOf returns the index of an id, or none.
func (l *Lists) indexOf(id gameobject.ID) uint32 {
	if i := id.Index(); id != gameobject.Nobody && !id.Recorded() && uint(i) < uint(len(l.target)) {
		return i
	}
	return none
}

// settle makes the version the settled one: it patches what is valid, or it is no more.
func (l *Lists) settle() {
	version := l.version()
	passed := version - l.settled.Load()
	if passed == 0 {
		return
	}
	valid := l.valid.Load() &^ validLevels
	if !l.isKnown() || len(l.changes) > l.limit {
		valid = 0
	}
	if others := passed - uint64(len(l.changes)); valid != 0 && others != 0 {
		valid &= validLists // who lost the kind is still listed, and who got it refers to nobody
		if l.stale += others; l.stale > uint64(l.listing/16+64) {
			valid = 0
		}
	}
	if !l.patch(valid) {
		valid = 0
	}
	l.changes = l.changes[:0]
	l.valid.Store(valid)
	l.settled.Store(version)
}

// patch applies changed references to the lists. It returns false if deriving all costs less.
func (l *Lists) patch(valid uint32) bool {
	p := patching{Lists: l, bare: valid&validBare != 0, left: 16*int(l.listing) + 4096}
	if valid&validTargets != 0 {
		l.widen()
	}
	for _, c := range l.changes {
		to := l.indexOf(l.Reference(c.object))
		if valid&validTargets != 0 {
			l.retarget(c.object, to)
		}
		if valid&validLists == 0 {
			continue
		}
		if c.was != to && c.was != none {
			p.unlist(c.was, c.object)
		}
		if to != none {
			p.enlist(to, c.object)
		}
		if p.left < 0 {
			return false
		}
	}
	return true
}

// A patching is lists that are patched.
type patching struct {
	*Lists
	bare bool
	left int // entries that may be moved
}

// unlist takes an object out of the referrers of a target, if it is there.
func (p *patching) unlist(target, object uint32) {
	list := p.listOf(target)
	if i, ok := p.find(list, object); ok {
		p.left -= len(list) - i
		if at := int(p.start[target]) + i; at < int(p.listing) {
			copy(p.ages[at:], p.ages[at+1:p.end[target]])
		}
		copy(list[i:], list[i+1:])
		p.end[target]--
	}
}

// enlist puts an object among the referrers of a target.
func (p *patching) enlist(target, object uint32) {
	room := p.room(target)
	if !p.bare && (room == 0 || p.Order != nil) {
		room += p.clean(target)
	}
	list := p.listOf(target)
	i, ok := p.find(list, object)
	if !ok {
		if p.left -= len(list) - i; room == 0 && !p.move(target) {
			p.left = -1
			return
		}
		p.end[target]++
		list = p.listOf(target)
		copy(list[i+1:], list[i:])
		list[i] = object
	}
	if !p.bare && p.Order != nil { // places may be others: their components are others
		slices.SortFunc(list, p.compare)
	}
}

// find returns where an object is in a list, or should be.
func (p *patching) find(list []uint32, object uint32) (i int, ok bool) {
	switch {
	case p.Order == nil:
		return slices.BinarySearch(list, object)
	case p.bare:
		return slices.BinarySearchFunc(list, object, p.compare)
	}
	if i = slices.Index(list, object); i < 0 {
		return len(list), false
	}
	return i, true
}

// clean takes those who do not refer to a target out of its referrers, and returns how many.
func (p *patching) clean(target uint32) (n int) {
	list, id := p.listOf(target), p.m.Objects.At(target)
	p.left -= 32 * len(list)
	kept := slices.DeleteFunc(list, func(o uint32) bool { return p.Reference(o) != id })
	p.end[target] = p.start[target] + uint32(len(kept))
	return len(list) - len(kept)
}

// room returns how many entries are free behind the referrers of a target. In front of a list that
// grew stands where its room ends.
func (l *Lists) room(target uint32) int {
	if !l.isParent(target) {
		l.parents[target>>6] |= 1 << (target & 63)
		l.start[target], l.end[target] = 0, 0
		l.sorted = max(l.sorted, target+1)
	}
	if l.start[target] <= l.listing {
		return 0
	}
	return int(l.referrers[l.start[target]-1] - l.end[target])
}

// move moves the referrers of a target behind all others, with room to grow, or returns false if
// there is none.
func (p *patching) move(target uint32) bool {
	list, at := p.listOf(target), int(p.top)+1
	room := min(len(list)+len(list)/2+4, len(p.referrers)-at)
	if room <= len(list) {
		return false
	}
	p.left -= len(list)
	copy(p.referrers[at:], list)
	p.start[target], p.end[target] = uint32(at), uint32(at+len(list))
	p.referrers[at-1], p.top = uint32(at+room), uint32(at+room)
	return true
}
