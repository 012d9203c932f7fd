package kin

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/unsafeutil"
)

// Each yields the objects that have the component and refer to id, until yield returns false. Lists
// may be derived meanwhile: then it goes on after the object that it yielded last.
func (l *Lists) Each(id gameobject.ID, yield func(gameobject.ID) bool) {
	l.list()
	list, derived, from, last := l.listOf(id.Index()), l.derived, 0, uint32(0)
	if l.Order == nil && l.isBare(id) {
		var more bool
		if from, last, more = l.eachBare(list, yield); !more {
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

// eachBare yields objects that need no look, until yield returns false, which it reports, or
// something is changed. It returns how many it has yielded, and the last one of them.
func (l *Lists) eachBare(
	list []uint32, yield func(gameobject.ID) bool,
) (n int, last uint32, more bool) {
	version, asked := l.exact(), 0
	for _, o := range list {
		if n+ahead > asked && asked < len(list) {
			next := list[asked:min(asked+2*ahead, len(list))]
			l.prefetch(next)
			asked += len(next)
		}
		n, last = n+1, o // before the list changes
		if !yield(l.m.Objects.At(o)) {
			return n, last, false
		}
		if l.exact() != version {
			break
		}
	}
	return n, last, true
}

const (
	ahead  = 32      // objects whose generations are asked for before they are needed
	cached = 1 << 20 // bytes of generations in use that are in a cache anyway
)

// prefetch asks for the generations of objects.
func (l *Lists) prefetch(objects []uint32) {
	if g := unsafeutil.Bytes(l.m.Objects.Generations); len(g) > cached {
		kernel.Prefetch(g, 4, objects, 0)
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
