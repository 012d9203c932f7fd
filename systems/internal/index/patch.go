package index

import "slices"

// A patching is a patch of lists in progress.
type patching struct {
	*lists
	all  *Referrers
	bare bool // lists contain only objects that refer to their target
	left int  // entries that may still be moved
}

// unlist removes an object from the referrers of a target, if it is there.
func (p *patching) unlist(target, object uint32) {
	list := p.of(target)
	if i, ok := p.find(list, object); ok {
		p.left -= len(list) - i
		if at := int(p.start[target]) + i; at < int(p.listing) {
			copy(p.ages[at:], p.ages[at+1:p.end[target]])
		}
		copy(list[i:], list[i+1:])
		p.end[target]--
	}
}

// enlist adds an object to the referrers of a target.
func (p *patching) enlist(target, object uint32) {
	room := p.room(target)
	if !p.bare && (room == 0 || p.order != nil) {
		room += p.clean(target)
	}
	list := p.of(target)
	i, ok := p.find(list, object)
	if !ok {
		if p.left -= len(list) - i; room == 0 && !p.move(target) {
			p.left = -1
			return
		}
		p.end[target]++
		list = p.of(target)
		copy(list[i+1:], list[i:])
		list[i] = object
	}
	if !p.bare && p.order != nil { // places may have changed with the components
		slices.SortFunc(list, p.compare)
	}
}

// find returns the index of an object in a list, or where it belongs.
func (p *patching) find(list []uint32, object uint32) (i int, ok bool) {
	switch {
	case p.order == nil:
		return slices.BinarySearch(list, object)
	case p.bare:
		return slices.BinarySearchFunc(list, object, p.compare)
	}
	if i = slices.Index(list, object); i < 0 {
		return len(list), false
	}
	return i, true
}

// clean removes objects that do not refer to a target from its referrers, and returns their number.
func (p *patching) clean(target uint32) (n int) {
	list, id := p.of(target), p.m.Objects.At(target)
	p.left -= 32 * len(list)
	kept := slices.DeleteFunc(list, func(o uint32) bool { return p.all.Reference(o) != id })
	p.end[target] = p.start[target] + uint32(len(kept))
	return len(list) - len(kept)
}

// room returns the number of free entries behind the referrers of a target. The entry before a list
// that grew holds the end of its room.
func (l *lists) room(target uint32) int {
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
// there is no room.
func (p *patching) move(target uint32) bool {
	list, at := p.of(target), int(p.top)+1
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
