package kin

import (
	"slices"

	"github.com/flatecs/flatecs/gameobject"
)

// Each yields the objects that have the component and refer to id, until yield returns false. Lists
// may be derived meanwhile: then it goes on after the object that it yielded last.
func (l *Lists) Each(id gameobject.ID, yield func(gameobject.ID) bool) {
	if !l.m.Objects.Alive(id) {
		return // of references that were taken away, nobody would have some
	}
	l.list()
	list, version := l.listOf(id.Index()), l.version()
	settled, all := version, l.has(validBare)
	for i := 0; i < len(list); i++ {
		o := list[i]
		if !all && !l.Refers(o, id) {
			continue
		}
		place := l.placeOf(o)
		if !yield(l.m.Objects.At(o)) {
			return
		}
		if l.version() == version {
			continue
		}
		if all = false; l.settled.Load() != settled {
			list, settled = l.listOf(id.Index()), l.settled.Load()
			i = l.placeAfter(list, place, o) - 1
		}
	}
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
