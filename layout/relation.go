package layout

import (
	"slices"

	"github.com/flatecs/flatecs/gameobject"
)

// A Policy specifies what happens to the referrers of a disposed object.
type Policy uint8

// The policies of a [Relation].
const (
	Clear   Policy = iota // their reference becomes Nobody, and they keep the kind
	Cascade               // they are disposed with it
	Refuse                // it is not disposed, unless they are disposed in the same call
)

// A Relation describes a kind by which objects refer to other objects; see [NewRelation].
type Relation struct {
	Disposed Policy        // what happens to referrers when the object is disposed
	Disables bool          // referrers get and lose [Disabled] when the object does
	Tree     bool          // parents and children: a reference that closes a ring is refused
	Order    Field[uint32] // sorts the objects that refer to the same one; zero: by index
	Fields   []AnyField    // further fields of the kind
}

// A RelationSpec is the declaration of a relation, stored in its kind and its fields.
type RelationSpec struct {
	Disposed Policy
	Disables bool
	Tree     bool
	Target   *FieldSpec // the reference
	Order    *FieldSpec // nil: by index
}

// Handle returns the reference of r. It panics if r is nil.
func (r *RelationSpec) Handle() Field[gameobject.ID] {
	if r == nil {
		panic("layout: this RelationSpec is nil; take the one of a kind that is a relation")
	}
	return Field[gameobject.ID]{r.Target}
}

// NewRelation declares a kind whose first field refers to an object, or to world.Nobody, the
// default. The reference of a live object is always Nobody or a live object: Set, recorded commands
// and SpawnN write it and check it; it is read-only in walks. Name, order and further fields follow
// the rules of [NewKind].
//
//	var ChildOf = layout.NewRelation("childOf", layout.Relation{
//		Disposed: layout.Cascade, Tree: true,
//	})
func NewRelation(name string, r Relation) Field[gameobject.ID] {
	if r.Disposed > Refuse {
		panic("layout: relation " + name + " has no such policy; give Clear, Cascade or Refuse")
	}
	target := NewField[gameobject.ID](name)
	spec := &RelationSpec{
		Disposed: r.Disposed, Disables: r.Disables, Tree: r.Tree, Target: target.spec,
	}
	fields := []AnyField{target}
	if r.Order.spec != nil {
		spec.Order = r.Order.spec
		if fields = append(fields, r.Order); slices.ContainsFunc(r.Fields, isOf(spec.Order)) {
			panic("layout: relation " + name + " has its Order in its Fields; leave it out there")
		}
	}
	k := NewKind(name, append(fields, r.Fields...)...)
	k.spec.Relation, target.spec.Relation = spec, spec
	return target
}

// isOf returns a function that reports whether a field has a declaration.
func isOf(spec *FieldSpec) func(AnyField) bool {
	return func(f AnyField) bool { return f != nil && f.Spec() == spec }
}
