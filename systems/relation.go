package systems

import (
	"iter"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// setReference is [Set] for the reference of a relation.
func setReference(
	s State, id GameObject, r *layout.RelationSpec, target GameObject,
) (State, error) {
	j := s.use()
	row := nowhere
	if p := j.placeOf(r.Target); p != nil {
		row = j.finding.inLockstep(p, id)
	}
	if row == nowhere {
		_, at, err := j.locate(id, r.Target)
		if err != nil {
			return s, err
		}
		row = uint(at)
	}
	if j.fixed() {
		return s, ErrWalking
	}
	if err := j.refer(j.kin.Of(r), id, Row(row), target); err != nil {
		return s, err
	}
	return s.done(), nil
}

// refer sets the reference of an object in a row to target, which it checks.
func (j *job) refer(l *kin.Lists, id GameObject, row Row, target GameObject) error {
	if target != gameobject.Nobody && !j.Objects.Alive(target) {
		return placed(l.Target.String()+" of game object "+id.String(), j.refuse(target), "")
	}
	err := l.CheckRing(id.Index(), target, nil)
	if err == nil {
		l.Write(id.Index(), uint32(row), target)
	}
	return err
}

// checkInPlace panics if a field must not be written in place.
func checkInPlace(f *layout.FieldSpec) {
	if f.Relation != nil {
		panicReference(f)
	}
}

//go:noinline
func panicReference(f *layout.FieldSpec) {
	panic("flatecs: " + f.String() + " is the reference of a relation and is checked; " +
		"write it by Set, Put or Replace, by Spawn, or in SpawnN by Column")
}

// Children yields the objects that refer to an object by a relation: its children, in a tree. They
// are in the order of the relation's Order field, then ascending. An object that is not alive has
// none. The loop may change the world. It panics if the world does not have the relation.
func Children(
	s State, relation layout.Field[GameObject], id GameObject,
) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) {
		s.look().relation(relation).Each(id, yield)
	}
}

// ChildCount returns the number of objects that [Children] yields.
func ChildCount(s State, relation layout.Field[GameObject], id GameObject) int {
	return s.look().relation(relation).Count(id)
}

//go:noinline
func panicNoRelation(f *layout.FieldSpec) {
	panic("flatecs: " + f.String() + " is no relation; declare one by layout.NewRelation")
}

// Down walks the matching objects of s from parents to children of a tree, in batches of one depth:
// first those without a parent, ascending, then their children, and so on. [Parents] returns the
// parents' values. Depths are by the tree alone: parents that do not match are left out. It panics
// if the relation is no tree, in a task on some of the objects, and for a [RowWise] query.
func (q Query) Down(s State, tree layout.Field[GameObject]) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		l, n := s.look().allDepths(tree)
		s.look().byDepth(q, l, 0, n, yield)
	}
}

// Up is Down from children to parents: the deepest objects first, those without a parent last.
func (q Query) Up(s State, tree layout.Field[GameObject]) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		l, n := s.look().allDepths(tree)
		s.look().byDepth(q, l, n, 0, yield)
	}
}

// AtDepth walks the matching objects of one depth of a tree: 0 are those without a parent. Unlike
// [Query.Down], it may be used in a task on some of the objects; [Depth] returns how many calls
// visit all. A negative depth has no objects. It panics like Down.
func (q Query) AtDepth(
	s State, tree layout.Field[GameObject], depth int,
) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		l := s.look().tree(tree)
		if n := l.Levels(); 0 <= depth && depth <= n {
			s.look().byDepth(q, l, depth, depth, yield)
		}
	}
}

// Depth returns the number of depths of a tree: 1 if nobody has a parent. It panics if the relation
// is no tree.
func Depth(s State, tree layout.Field[GameObject]) int { return s.look().tree(tree).Levels() + 1 }

// tree is relation for a tree.
func (j *job) tree(f layout.Field[GameObject]) *kin.Lists {
	l := j.relation(f)
	if !l.Tree {
		panic("flatecs: " + f.Spec().String() + " is no tree; declare it with Tree: true")
	}
	return l
}

// allDepths returns a tree and its deepest depth, for a walk of all.
func (j *job) allDepths(f layout.Field[GameObject]) (tree *kin.Lists, deepest int) {
	l := j.tree(f)
	if j.part.cut() {
		panic("flatecs: a task on some of the objects walks all depths, which follow each other; " +
			"walk one by AtDepth, or all in a task on all objects")
	}
	deepest = l.Levels()
	return l, deepest
}

// byDepth walks from a depth to another one, upwards or downwards.
func (j *job) byDepth(q Query, l *kin.Lists, first, last int, yield func(Batch) bool) {
	w := j.open(q)
	defer w.Close()
	w.ByDepth(l, first, last, func(w *walk.Walk) bool { return yield(batchOf(w, j)) })
}

// ChildrenOf walks the matching ones among the [Children] of an object, in batches, in the order of
// Children. It knows no [Parents], which are all the same object. An object that is not alive has
// no children. It panics if the world does not have the relation.
func (q Query) ChildrenOf(
	s State, relation layout.Field[GameObject], id GameObject,
) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		j := s.look()
		l := j.relation(relation)
		w := j.open(q)
		defer w.Close()
		refers := func(object uint32) bool { return l.Refers(object, id) }
		objects, all := l.Of(id)
		w.Listed(objects, all && l.Order == nil, l, refers, func(w *walk.Walk) bool {
			return yield(batchOf(w, j))
		})
	}
}

// Parents returns copies of a field of the parents of b's objects, one T per row, in a walk by
// [Query.Down], [Query.Up] or [Query.AtDepth]: the field's default where an object has no parent,
// or its parent does not have the field. They are valid until the loop continues. It panics in
// other walks, and if the world does not have the kind.
func Parents[T any](b Batch, f layout.Field[T]) []T {
	b.open()
	m := b.job.Manager(f.Spec().Kind)
	b.job.checkBeside(f.Spec())
	return walk.Parents(b.walk, m, f)
}

// UpdateParents calls update for each row of b whose object has a parent that has a field, with
// the parent's value in place: to sum up in a walk by [Query.Up], which comes to a parent after
// all its children. In a walk by [Query.Down] or [Query.AtDepth] it works alike. It panics if the
// query does not write the field, in walks that are by no depth, and in a task that [OpenWrite]
// refuses.
func UpdateParents[T any](b Batch, f layout.Field[T], update func(row int, value *T)) {
	w := b.open()
	if !w.WritesField(f.Spec()) {
		panic("flatecs: the query does not write " + f.Spec().String() + "; ask for it by Write")
	}
	m := b.job.Manager(f.Spec().Kind)
	if b.job.part.whole != nil {
		b.job.claim("UpdateParents", f.Spec(), m)
	}
	walk.EachParent(w, m, f, update)
}

// relation returns the lists of a relation. It panics if the world does not have it.
func (j *job) relation(f layout.Field[GameObject]) *kin.Lists {
	r := f.Spec().Relation
	if r == nil {
		panicNoRelation(f.Spec())
	}
	l := j.kin.Of(r)
	if l == nil {
		panic(j.Unknown(f.Spec().Kind))
	}
	return l
}

// CopyTree copies an object and all below it in a relation: children, their children, and so on.
// References among them become references among the copies, in any field; others stay, so that the
// copy has the same parent. The error wraps [ErrTooMany], [ErrFull], [ErrDead], [ErrOutOfRange] or
// [ErrWalking]. It panics if the world does not have the relation.
func CopyTree(
	s State, relation layout.Field[GameObject], id GameObject,
) (State, GameObject, error) {
	j := s.use()
	if err := j.gather(relation, id); err != nil {
		return s, gameobject.Nobody, err
	}
	twin, err := j.kin.CopyGathered()
	if err != nil {
		return s, gameobject.Nobody, err
	}
	return s.reshaped(), twin, nil
}

// DisposeTree disposes an object and all below it in a relation, whatever its [layout.Policy]. The
// error wraps [ErrDead], [ErrOutOfRange], [ErrReferred] or [ErrWalking]. It panics if the world
// does not have the relation.
func DisposeTree(s State, relation layout.Field[GameObject], id GameObject) (State, error) {
	j := s.use()
	if err := j.gather(relation, id); err != nil {
		return s, err
	}
	if err := j.kin.DisposeGathered(); err != nil {
		return s, err
	}
	return s.reshaped(), nil
}

// gather queues an object and all below it.
func (j *job) gather(relation layout.Field[GameObject], id GameObject) error {
	l := j.relation(relation)
	if j.fixed() {
		return ErrWalking
	}
	if err := j.alive(id); err != nil {
		return err
	}
	j.kin.Gather(l, id.Index())
	return nil
}
