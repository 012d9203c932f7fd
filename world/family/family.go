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
	ErrRing     = systems.ErrRing     // a reference of a tree would close a ring
	ErrReferred = systems.ErrReferred // others refer to an object by a relation that refuses that
)

// HasTarget requires that objects refer to one, by each of relations: that they have a parent, say.
// It panics if one of them is no relation. A watcher cannot watch it.
func HasTarget(relations ...layout.Field[world.GameObject]) world.Term {
	return systems.HasTarget(relations...)
}

// NoTarget requires that objects refer to nobody, by none of relations: the roots of a tree, say.
// An object that does not have the kind refers to nobody; with With(seat) too, only those match
// that have it, as after the policy Clear. It panics if one of relations is none. A watcher cannot
// watch it.
func NoTarget(relations ...layout.Field[world.GameObject]) world.Term {
	return systems.NoTarget(relations...)
}

// Children yields the objects that refer to an object by a relation: its children, in a tree. They
// are in the order of the relation's Order field, then ascending. An object that is not alive has
// none. The loop may change the world. It panics if the world does not have the relation.
func Children(
	s world.State, relation layout.Field[world.GameObject], id world.GameObject,
) iter.Seq[world.GameObject] {
	return systems.Children(s, relation, id)
}

// Count returns the number of objects that [Children] yields.
func Count(
	s world.State, relation layout.Field[world.GameObject], id world.GameObject,
) int {
	return systems.ChildCount(s, relation, id)
}

// Depth returns the number of depths of a tree: 1 if nobody has a parent. It panics if the relation
// is no tree, and if the world does not have it.
func Depth(s world.State, tree layout.Field[world.GameObject]) int { return systems.Depth(s, tree) }

// Parents returns copies of a field of the parents of b's objects, one T per row, in a walk by
// Down, Up or AtDepth: the field's default where an object has no parent, or its parent does not
// have the field. They are valid until the loop continues. It panics in other walks, and if the
// world does not have the kind.
func Parents[T any](b world.Batch, f layout.Field[T]) []T { return systems.Parents(b, f) }

// UpdateParents calls update for each row of b whose object has a parent that has a field, with the
// parent's value in place: to sum up in a walk by Up, which comes to a parent after all its
// children. In a walk by Down or AtDepth it works alike. It panics if the query does not write the
// field, and in walks that are by no depth.
func UpdateParents[T any](b world.Batch, f layout.Field[T], update func(row int, value *T)) {
	systems.UpdateParents(b, f, update)
}

// A Tree is an object to be spawned, with all below it. It has a Name, a Recipe,
// further Kinds, Values and Children: go doc ./systems Tree.
type Tree = systems.Tree

// Member stands for member n of a [Tree] in the values of its members: 0 is the first object, then
// come each child and those below it, in order. [Spawn] and [SpawnTree] replace it by the object.
// It panics if n is negative.
func Member(n int) world.GameObject { return systems.Member(n) }

// Spawn spawns a tree by [ChildOf], and returns its first object; see [SpawnTree]. Beyond 64
// members it allocates; SpawnTree does not where dst has room.
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
// order of their numbers (see [Member]). Each child refers to its parent by a relation, such as
// [ChildOf], which the world of a single object need not have. values are further first values of
// the first object, such as its parent. It spawns all or none: the error wraps world.ErrTooMany,
// world.ErrFull, world.ErrWalking, world.ErrDead for a value that refers to a dead object by a
// relation, or [ErrRing] for values by which a member is below itself. It panics if the world does
// not know a recipe or a kind, if a child lacks the relation, or a member the kind of a value.
func SpawnTree(
	dst []world.GameObject, s world.State, relation layout.Field[world.GameObject], t Tree,
	values ...layout.FieldValue,
) (world.State, []world.GameObject, error) {
	return systems.SpawnTree(dst, s, relation, t, values...)
}

// Copy copies an object and all below it in a relation: children, their children, and so on.
// References among them become references among the copies, in any field; others stay, so that the
// copy has the same parent. Siblings keep their order. The error wraps world.ErrTooMany,
// world.ErrFull, world.ErrDead, world.ErrOutOfRange or world.ErrWalking. It panics if the world
// does not have the relation.
func Copy(
	s world.State, relation layout.Field[world.GameObject], id world.GameObject,
) (world.State, world.GameObject, error) {
	return systems.CopyTree(s, relation, id)
}

// Dispose disposes an object and all below it in a relation, whatever its [layout.Policy]. The
// error wraps world.ErrDead, world.ErrOutOfRange, [ErrReferred] or world.ErrWalking. It panics if
// the world does not have the relation.
func Dispose(
	s world.State, relation layout.Field[world.GameObject], id world.GameObject,
) (world.State, error) {
	return systems.DisposeTree(s, relation, id)
}
