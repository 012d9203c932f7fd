package family

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// ChildOf refers to an object's parent. Children are disposed, disabled and enabled with their
// parent.
var ChildOf = layout.NewRelation("childOf", layout.Relation{
	Disposed: layout.Cascade, Disables: true, Tree: true,
})

// Errors of this package; test for them with errors.Is.
var (
	ErrRing     = systems.ErrRing     // a reference would close a ring in a tree
	ErrReferred = systems.ErrReferred // objects refer to it by a relation with layout.Refuse
)

// HasTarget matches objects that refer to an object by each of the relations, such as objects with
// a parent. It panics if a field is not a relation. Watchers do not support it.
func HasTarget(relations ...layout.Field[world.GameObject]) world.Term {
	return systems.HasTarget(relations...)
}

// NoTarget matches objects that refer to nobody by any of the relations, such as the roots of a
// tree. Objects without the kind refer to nobody; add With(seat) to match only objects with the
// kind, as the policy Clear leaves them. It panics if a field is not a relation. Watchers do not
// support it.
func NoTarget(relations ...layout.Field[world.GameObject]) world.Term {
	return systems.NoTarget(relations...)
}

// Children yields the objects that refer to an object by a relation; in a tree, its children. They
// are ordered by the relation's Order field, then by id. Children yields nothing for a dead object.
// The loop may change the world; an object that joins meanwhile is yielded or not, as in each run.
// It panics if the world does not contain the relation.
func Children(
	s world.State, relation layout.Field[world.GameObject], id world.GameObject,
) iter.Seq[world.GameObject] {
	return systems.Children(s, relation, id)
}

// Count returns the number of objects that [Children] yields.
func Count(s world.State, relation layout.Field[world.GameObject], id world.GameObject) int {
	return systems.ChildCount(s, relation, id)
}

// Depth returns the number of levels of a tree, which is 1 if no object has a parent. It panics if
// the relation is not a tree, or the world does not contain it.
func Depth(s world.State, tree layout.Field[world.GameObject]) int { return systems.Depth(s, tree) }

// Parents returns copies of a field of the parents of b's objects, one T per row, in a walk by
// Down, Up or AtDepth. An object without a parent, or whose parent lacks the field, gets the
// field's default. The slice is valid until the loop continues. Parents panics in other walks, and
// if the world does not contain the kind.
func Parents[T any](b world.Batch, f layout.Field[T]) []T { return systems.Parents(b, f) }

// UpdateParents calls update for each row of b whose object has a parent with the field, and passes
// the parent's value in place. Use it for sums in a walk by Up, which visits a parent after all its
// children; walks by Down and AtDepth work, too. It panics if the query does not write the field,
// and in walks without depths.
func UpdateParents[T any](b world.Batch, f layout.Field[T], update func(row int, value *T)) {
	systems.UpdateParents(b, f, update)
}

// A Tree describes an object to spawn, and all objects below it. It has a Name, a Recipe, further
// Kinds, Values and Children: go doc ./systems Tree.
type Tree = systems.Tree

// Member stands for member n of a [Tree] in the values of its members. The first object is member
// 0; each child is followed by the objects below it. [Spawn] and [SpawnTree] replace it by the
// object. It panics if n is negative.
func Member(n int) world.GameObject { return systems.Member(n) }

// Spawn spawns a tree by [ChildOf], and returns its first object; see [SpawnTree]. It allocates for
// trees of more than 64 members; SpawnTree does not if dst has room.
func Spawn(
	s world.State, t Tree, values ...layout.FieldValue,
) (world.State, world.GameObject, error) {
	var few [64]world.GameObject
	s, ids, err := systems.SpawnTree(few[:0], s, ChildOf, t, values...)
	if err != nil {
		return s, 0, err
	}
	return s, ids[0], nil
}

// SpawnTree spawns a tree: a new object for each of its members, whose ids it appends to dst in the
// order of [Member]. Each child refers to its parent by a relation, such as [ChildOf]; a tree of
// one object needs no relation. values are more first values of the first object, such as its
// parent. It spawns all or none: the error wraps world.ErrTooMany, world.ErrFull, world.ErrWalking,
// world.ErrDead for a relation to a dead object, or [ErrRing] for values by which a member is below
// itself, or world.ErrNoKind for relation. It panics if the world does not have a recipe or a kind
// of the tree, if a child lacks the relation, or a member lacks the kind of a value.
func SpawnTree(
	dst []world.GameObject, s world.State, relation layout.Field[world.GameObject], t Tree,
	values ...layout.FieldValue,
) (world.State, []world.GameObject, error) {
	return systems.SpawnTree(dst, s, relation, t, values...)
}

// Copy copies an object and all objects below it in a relation: children, their children, and so
// on. References among the copied objects become references among the copies, in all fields; other
// references stay, so that the copy has the same parent. Siblings keep their order. The error wraps
// world.ErrTooMany, world.ErrFull, world.ErrNoKind, world.ErrDead, world.ErrOutOfRange or
// world.ErrWalking. It panics if the field is not a relation.
func Copy(
	s world.State, relation layout.Field[world.GameObject], id world.GameObject,
) (world.State, world.GameObject, error) {
	return systems.CopyTree(s, relation, id)
}

// Dispose disposes an object and all objects below it in a relation, regardless of its
// [layout.Policy]. The error wraps world.ErrNoKind, world.ErrDead, world.ErrOutOfRange,
// [ErrReferred] or world.ErrWalking. It panics if the field is not a relation.
func Dispose(
	s world.State, relation layout.Field[world.GameObject], id world.GameObject,
) (world.State, error) {
	return systems.DisposeTree(s, relation, id)
}
