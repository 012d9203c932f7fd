package index

import "github.com/flatecs/flatecs/gameobject"

// Each yields the objects that have the component and refer to id, until yield returns false. The
// loop may derive or patch the lists; Each continues after the object that it yielded last.
func (r *Referrers) Each(id gameobject.ID, yield func(gameobject.ID) bool) {
	if !r.M.Objects.Alive(id) {
		return // of references that were taken away, nobody would have some
	}
	r.List()
	list, version := r.lists.of(id.Index()), r.Version()
	settled, i, last, place := version, 0, uint32(0), uint32(0)
	if r.lists.order == nil && r.Has(version, validBare) {
		var more bool
		if i, last, more = r.eachBare(id.Index(), yield); !more {
			return
		}
	}
	all := i == 0 && r.Has(version, validBare)
	for {
		if at := r.settled.Load(); at != settled {
			list, settled = r.lists.of(id.Index()), at
			i = r.lists.after(list, place, last)
		}
		if i >= len(list) {
			return
		}
		o := list[i]
		if i++; (!all || r.Version() != version) && !r.Refers(o, id) {
			continue
		}
		last, place = o, r.lists.placeOf(o)
		if !yield(r.M.Objects.At(o)) {
			return
		}
	}
}

// eachBare yields the listed referrers of a target without checking them, until yield returns
// false, which it reports, or something changes. It returns the number of objects yielded, and the
// last one.
func (r *Referrers) eachBare(
	target uint32, yield func(gameobject.ID) bool,
) (n int, last uint32, more bool) {
	list, version := r.lists.of(target), r.Version()
	if len(list) == 0 || r.lists.start[target] >= r.lists.listing {
		return 0, 0, true
	}
	if !r.Has(version, validAges) {
		r.Make(validAges, r)
	}
	ages := r.lists.ages[r.lists.start[target]:][:len(list)]
	for i, o := range list {
		n, last = i+1, o // before the list changes
		if !yield(gameobject.MakeID(o, ages[i])) {
			return n, last, false
		}
		if r.Version() != version {
			break
		}
	}
	return n, last, true
}
