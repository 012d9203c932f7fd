package kin

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/unsafeutil"
)

// Each yields the objects that have the component and refer to id, until yield returns false. Lists
// may be derived meanwhile: then it goes on after the object that it yielded last.
func (l *Lists) Each(id gameobject.ID, yield func(gameobject.ID) bool) {
	if !l.m.Objects.Alive(id) {
		return // of references that were taken away, nobody would have some
	}
	l.list()
	list, derived, from, last := l.listOf(id.Index()), l.derived, 0, uint32(0)
	if l.Order == nil && len(list) > 0 && l.isBare(id) {
		var more bool
		if from, last, more = l.eachBare(id.Index(), yield); !more {
			return
		}
	}
	if from > 0 && l.derived != derived {
		list, derived = l.listOf(id.Index()), l.derived
		from = l.placeAfter(list, 0, last)
	}
	for i := from; i < len(list); i++ {
		o, place := list[i], uint32(0)
		if !l.isBare(id) && !l.Refers(o, id) {
			continue
		}
		if l.Order != nil {
			place = l.placeOf(o)
		}
		if !yield(l.m.Objects.At(o)) {
			return
		}
		if l.derived != derived {
			list, derived = l.listOf(id.Index()), l.derived
			i = l.placeAfter(list, place, o) - 1
		}
	}
}

// eachBare yields the listed referrers of an object, which need no look, until yield returns false,
// which it reports, or something is changed. It returns how many it has yielded, and the last one
// of them.
func (l *Lists) eachBare(
	object uint32, yield func(gameobject.ID) bool,
) (n int, last uint32, more bool) {
	version := l.exact()
	if l.aged.Load() != version {
		l.findAges()
	}
	list := l.listOf(object)
	ages := l.ages[l.start[object]:][:len(list)]
	for i, o := range list {
		n, last = i+1, o // before the list changes
		if !yield(gameobject.MakeID(o, ages[i])) {
			return n, last, false
		}
		if l.exact() != version {
			break
		}
	}
	return n, last, true
}

// findAges derives ages, so that ids are read in the order of the lists.
//
//go:noinline
func (l *Lists) findAges() {
	l.lock.Lock()
	defer l.lock.Unlock()
	if n := l.listing; l.aged.Load() != l.exact() {
		kernel.GatherBytes(unsafeutil.Bytes(l.ages[:n]),
			unsafeutil.Bytes(l.m.Objects.Generations), 4, l.referrers[:n])
		l.aged.Store(l.exact())
	}
}

// placeAfter returns the index of the first in a list of referrers that comes after an object.
func (l *Lists) placeAfter(list []uint32, place, object uint32) int {
	i := 0
	for ; i < len(list); i++ {
		if p := l.placeOf(list[i]); p > place || p == place && list[i] > object {
			break
		}
	}
	return i
}
