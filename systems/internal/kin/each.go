package kin

import (
	"slices"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
)

// Each yields the objects that have the component and refer to id, until yield returns false. Lists
// may be derived or patched meanwhile: then it goes on after the object that it yielded last.
func (l *Lists) Each(id gameobject.ID, yield func(gameobject.ID) bool) {
	if !l.m.Objects.Alive(id) {
		return // of references that were taken away, nobody would have some
	}
	l.list()
	list, version := l.listOf(id.Index()), l.version()
	settled, i, last, place := version, 0, uint32(0), uint32(0)
	if l.Order == nil && l.has(validBare) {
		var more bool
		if i, last, more = l.eachBare(id.Index(), yield); !more {
			return
		}
	}
	all := i == 0 && l.has(validBare)
	for {
		if at := l.settled.Load(); at != settled {
			list, settled = l.listOf(id.Index()), at
			i = l.placeAfter(list, place, last)
		}
		if i >= len(list) {
			return
		}
		o := list[i]
		if i++; (!all || l.version() != version) && !l.Refers(o, id) {
			continue
		}
		last, place = o, l.placeOf(o)
		if !yield(l.m.Objects.At(o)) {
			return
		}
	}
}

// eachBare yields the listed referrers of a target, which need no look, until yield returns false,
// which it reports, or something is changed. It returns how many it has yielded, and the last one
// of them.
func (l *Lists) eachBare(
	target uint32, yield func(gameobject.ID) bool,
) (n int, last uint32, more bool) {
	list, version := l.listOf(target), l.version()
	if len(list) == 0 || l.start[target] >= l.listing {
		return 0, 0, true
	}
	if !l.has(validAges) {
		l.derive(validAges)
	}
	ages := l.ages[l.start[target]:][:len(list)]
	for i, o := range list {
		n, last = i+1, o // before the list changes
		if !yield(gameobject.MakeID(o, ages[i])) {
			return n, last, false
		}
		if l.version() != version {
			break
		}
	}
	return n, last, true
}

// findAges derives ages, so that ids are read in the order of the lists.
func (l *Lists) findAges() {
	n := l.listing
	kernel.Gather(l.ages[:n], l.m.Objects.Generations, l.referrers[:n])
}

// placeAfter returns the index of the first in a list of referrers that comes after an object.
func (l *Lists) placeAfter(list []uint32, place, object uint32) int {
	i := slices.IndexFunc(list, func(o uint32) bool {
		p := l.placeOf(o)
		return p > place || p == place && o > object
	})
	if i < 0 {
		return len(list)
	}
	return i
}
