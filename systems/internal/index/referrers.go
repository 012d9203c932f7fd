package index

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Referrers list the objects that refer to each object by a relation.
type Referrers struct {
	Guard
	targets targets
	lists   lists
	notes   notes
}

// notes are the references written since the lists were settled.
type notes struct {
	known   uint64  // Written, plus 1, up to which targeted and changes are complete; 0: never
	changes []noted // the oldest first; some beyond limit are missing
	limit   int     // most changes that are patched; beyond it all is derived
	stale   uint64  // changes of which objects have the kind since the lists were derived
}

// A noted is a written reference.
type noted struct {
	object uint32
	was    uint32 // the old target, or none
}

// The derived parts of Referrers, valid at the settled version.
const (
	validTargets uint32 = 1 << iota // targets
	validLists                      // lists, but some of the listed may refer no more
	validBare                       // lists, all of whose objects refer
	validAges                       // ages
)

// patchedFor returns how many changes are patched in lists of n entries; beyond it all are derived.
func patchedFor(n int) int { return n/64 + 16 }

// unbare is how many times fewer changes are patched if lists do not stay bare: they are cleaned
// where they grow, and each query checks each referrer, which costs as much as deriving them.
const unbare = 4

// Init sets the kind of r and its reference; order is the field that orders referrers, or nil.
func (r *Referrers) Init(m *manager.Manager, target, order *layout.FieldSpec) {
	r.M = m
	r.targets.m, r.targets.field = m, target
	r.lists.m, r.lists.order = m, order
}

// Carve cuts the lists in a world with room for n objects.
func (r *Referrers) Carve(c *Cutter, n int) {
	rows := r.M.Rows.Cap()
	r.targets.carve(c, n)
	r.lists.carve(c, n, rows)
	r.notes.changes = Cut[noted](c, patchedFor(rows)+1)[:0]
	r.notes.limit = patchedFor(0)
	if r.M.Rows.High() == 0 { // the lists of an empty world are valid
		r.notes.known = r.M.Stamps.Written + 1
		r.Keep(validTargets | validLists | validBare)
	}
}

// List updates the lists.
func (r *Referrers) List() {
	if !r.Has(r.Version(), validLists) {
		r.Make(validLists, r)
	}
}

// Hold updates the results of Held and ByObject.
func (r *Referrers) Hold() {
	if !r.Has(r.Version(), validTargets) {
		r.Make(validTargets, r)
	}
}

// Settle patches the valid parts, or invalidates them.
func (r *Referrers) Settle(valid uint32) uint32 {
	n := &r.notes
	if !r.isKnown() || len(n.changes) > n.limit {
		valid = 0
	}
	others := r.Version() - r.settled.Load() - uint64(len(n.changes))
	if valid != 0 && others != 0 {
		valid &= validLists // objects that lost the kind are listed; new ones have no target
		n.stale += others
		if n.stale > uint64(r.lists.listing/16+64) || len(n.changes) > n.limit/unbare {
			valid = 0
		}
	}
	if !r.patch(valid) {
		valid = 0
	}
	n.changes = n.changes[:0]
	return valid
}

// patch applies changed references. It returns false if deriving everything costs less.
func (r *Referrers) patch(valid uint32) bool {
	p := patching{&r.lists, r, valid&validBare != 0, 16*int(r.lists.listing) + 4096}
	if valid&validTargets != 0 {
		r.targets.widen()
	}
	for _, c := range r.notes.changes {
		to := r.targets.indexOf(r.Reference(c.object))
		if valid&validTargets != 0 {
			r.targets.retarget(c.object, to)
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

// Derive derives targets, lists or ages.
func (r *Referrers) Derive(valid, what uint32) uint32 {
	if valid&validTargets == 0 {
		r.notes.limit = patchedFor(r.targets.find())
		r.notes.known = r.M.Stamps.Written + 1
	}
	switch what {
	case validLists:
		r.lists.sort(&r.targets)
		r.notes.stale = 0
		if r.M.Rows.Suspended() == 0 {
			what |= validBare
		}
	case validAges:
		r.lists.findAges()
	}
	return valid | validTargets | what
}

// Write sets the reference of an object, in its row. The caller has checked it.
func (r *Referrers) Write(object, row uint32, id gameobject.ID) {
	known, reference := r.isKnown(), &r.targets.references()[row]
	was := *reference
	*reference = id
	if r.M.Stamps.TouchRow(row); known {
		r.note(object, was, id)
	}
}

// note records that the reference of an object was written, by the latest of all writes.
func (r *Referrers) note(object uint32, was, is gameobject.ID) {
	n, to := &r.notes, r.targets.indexOf(is)
	n.known++
	if to != none {
		r.targets.targeted[to>>6] |= 1 << (to & 63)
	}
	// A cleared reference may be missing: it stays listed, as after removing the component.
	if l := len(n.changes); l < n.limit || l == n.limit && to != none {
		n.changes = append(n.changes, noted{object, r.targets.indexOf(was)})
	}
}

// isKnown reports whether targeted is valid, and changes are complete.
func (r *Referrers) isKnown() bool { return r.notes.known == r.M.Stamps.Written+1 }

// Know updates the results of MayBeTarget.
func (r *Referrers) Know() {
	if !r.isKnown() {
		r.List()
	}
}

// MayBeTarget reports whether some object may refer to an object, suspended components included.
func (r *Referrers) MayBeTarget(object uint32) bool {
	return r.targets.targeted[object>>6]>>(object&63)&1 != 0
}

// IsTarget reports whether some object refers to an object, suspended components included.
// Disposals depend on the result, so it does not depend on derived data.
func (r *Referrers) IsTarget(object uint32) bool {
	if r.Know(); !r.MayBeTarget(object) {
		return false
	}
	r.List()
	id := r.M.Objects.At(object)
	for _, c := range r.lists.of(object) {
		if r.Reference(c) == id {
			return true
		}
	}
	r.targets.targeted[object>>6] &^= 1 << (object & 63)
	return false
}

// IsLeaf reports whether it is known that no object refers to an object.
func (r *Referrers) IsLeaf(object uint32) bool { return r.isKnown() && !r.MayBeTarget(object) }

// Reference returns the target of an object that has the component or keeps it suspended.
func (r *Referrers) Reference(object uint32) gameobject.ID {
	if row, ok := r.M.Blocks.InPlace(object); ok {
		return r.targets.references()[row]
	}
	row, ok := r.M.Blocks.HeldRow(object)
	if !ok {
		return gameobject.Nobody
	}
	return r.targets.references()[row]
}

// Refers reports whether an object has the component and refers to id.
func (r *Referrers) Refers(object uint32, id gameobject.ID) bool {
	if row, ok := r.M.Blocks.InPlace(object); ok {
		return r.targets.references()[row] == id
	}
	row, ok := r.M.RowOf(object)
	return ok && r.targets.references()[row] == id
}

// Listed returns the objects listed for an object, and whether all of them have the component and
// refer to it, as of the last List.
func (r *Referrers) Listed(object uint32) (objects []uint32, all bool) {
	return r.lists.of(object), r.Has(r.Version(), validBare)
}

// Of returns the objects that refer to id. If all is false, some may no longer refer to it; check
// each by Refers.
func (r *Referrers) Of(id gameobject.ID) (objects []uint32, all bool) {
	if !r.M.Objects.Alive(id) {
		return nil, false
	}
	r.List()
	return r.Listed(id.Index())
}

// Count returns the number of objects that have the component and refer to id.
func (r *Referrers) Count(id gameobject.ID) (n int) {
	list, all := r.Of(id)
	if all {
		return len(list)
	}
	for _, o := range list {
		if r.Refers(o, id) {
			n++
		}
	}
	return n
}

// Shape returns a number that changes when Held gets an object. Held must be valid.
func (r *Referrers) Shape() uint64 { return r.targets.shape }

// Held returns the objects of a block that have a target. It must be valid.
func (r *Referrers) Held(block uint32) uint64 {
	if block<<6 >= r.targets.objects {
		return 0 // the objects were created since
	}
	return r.targets.held[block]
}

// Targets returns the objects of a block that others refer to, and perhaps others. It must be
// valid, by Know or Hold.
func (r *Referrers) Targets(block uint32) uint64 { return r.targets.targeted[block] }

// TargetOf returns the target of an object. Held must be valid.
func (r *Referrers) TargetOf(object uint32) (target uint32) { return r.targets.target[object] }

// ByObject returns the target of each object, and a bit per object that has a target. The targets
// of other objects are unspecified.
func (r *Referrers) ByObject() (target []uint32, held []uint64) {
	t := &r.targets
	return t.target[:t.objects], t.held[:(t.objects+63)/64]
}

// StayBare reports whether the lists of the remaining objects are bare, and stay so, when objects
// are disposed; dying has a bit for each of them. They must not refer to remaining objects.
func (r *Referrers) StayBare(objects []uint32, dying []uint64) bool {
	if !r.Has(r.Version(), validTargets|validBare) {
		return false
	}
	target := r.targets.target
	for _, o := range objects {
		if t := target[o]; r.targets.refers(o) && dying[t>>6]>>(t&63)&1 == 0 {
			return false
		}
	}
	return true
}

// KeepBare keeps lists bare after a disposal in blocks for which StayBare holds, and targets valid:
// the referrers of the disposed objects are gone too.
func (r *Referrers) KeepBare(blocks []uint32, dying []uint64) {
	t := &r.targets
	for _, k := range blocks {
		t.targeted[k] &^= dying[k]
		r.lists.parents[k] &^= dying[k]
		t.held[k] &^= dying[k] // targets of objects that are not held are not read
	}
	if r.isKnown() {
		r.Keep(r.valid.Load())
	}
}
