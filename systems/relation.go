package systems

import (
	"fmt"
	"iter"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// Children yields the objects that refer to an object by a relation: its children, in a tree. They
// are in the order of the relation's Order field, then ascending. A dead object has no children.
// The loop may change the world. It panics if the world does not have the relation.
func Children(
	s State, relation layout.Field[GameObject], id GameObject,
) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) {
		s.look().world.relation(relation).Each(id, yield)
	}
}

// ChildCount returns the number of objects that [Children] yields.
func ChildCount(s State, relation layout.Field[GameObject], id GameObject) int {
	return s.look().world.relation(relation).Count(id)
}

// Down walks the matching objects of s from parents to children of a tree, in batches of one depth:
// first the roots, ascending, then their children, and so on. [Parents] returns the parents'
// values. Parents that do not match count for depths, but are not walked. It panics if the relation
// is not a tree, in a task on part of the objects, and for a [RowWise] query.
func (q Query) Down(s State, tree layout.Field[GameObject]) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		l := s.look().allDepths(tree)
		s.look().byDepth(q, l, 0, l.Levels(), yield)
	}
}

// Up is Down from children to parents: the deepest objects first, the roots last.
func (q Query) Up(s State, tree layout.Field[GameObject]) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		l := s.look().allDepths(tree)
		s.look().byDepth(q, l, l.Levels(), 0, yield)
	}
}

// AtDepth walks the matching objects of one depth of a tree; depth 0 is the roots. Unlike
// [Query.Down], it may be used in a task on part of the objects; [Depth] returns the number of
// calls that visit all objects. A negative depth has no objects. It panics like Down.
func (q Query) AtDepth(
	s State, tree layout.Field[GameObject], depth int,
) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		j := s.look()
		if l := j.world.tree(tree); 0 <= depth && depth <= l.Levels() {
			j.byDepth(q, l, depth, depth, yield)
		}
	}
}

// Depth returns the number of depths of a tree: 1 if no object has a parent. It panics if the
// relation is not a tree.
func Depth(s State, tree layout.Field[GameObject]) int {
	return s.look().world.tree(tree).Levels() + 1
}

// tree is relation for a tree.
func (w *world) tree(f layout.Field[GameObject]) *kin.Lists {
	l := w.relation(f)
	if !l.Tree {
		panic("flatecs: " + f.Spec().String() + " is not a tree; declare it with Tree: true")
	}
	return l
}

// allDepths returns a tree, for a walk of all its depths.
func (j *job) allDepths(f layout.Field[GameObject]) *kin.Lists {
	l := j.world.tree(f)
	if j.part.cut() {
		panic("flatecs: a task on some of the objects walks all depths, which follow each other; " +
			"walk one by AtDepth, or all in a task on all objects")
	}
	return l
}

// byDepth walks from a depth to another one, upwards or downwards.
func (j *job) byDepth(q Query, l *kin.Lists, first, last int, yield func(Batch) bool) {
	w := j.open(q)
	defer w.Close()
	w.ByDepth(l, first, last, func(b *walk.Batch) bool { return yield(batchOf(b, j)) })
}

// ChildrenOf walks the matching [Children] of an object, in batches, in the order of Children.
// [Parents] does not support it. A dead object has no children. It panics if the world does not
// have the relation.
func (q Query) ChildrenOf(
	s State, relation layout.Field[GameObject], id GameObject,
) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		j := s.look()
		l := j.world.relation(relation)
		w := j.open(q)
		defer w.Close()
		refers := func(object uint32) bool { return l.Refers(object, id) }
		objects, all := l.Of(id)
		if all && l.Order == nil {
			refers = nil
		}
		w.Listed(objects, l, true, refers, func(b *walk.Batch) bool {
			return yield(batchOf(b, j))
		})
	}
}

// Parents returns copies of a field of the parents of b's objects, one T per row, in a walk by
// [Query.Down], [Query.Up] or [Query.AtDepth]: the field's default where an object has no parent,
// or its parent does not have the field. They are valid until the loop continues. It panics in
// other walks, and if the world does not have the kind.
func Parents[T any](b Batch, f layout.Field[T]) []T {
	b.open()
	m := b.job.world.kinds.Manager(f.Spec().Kind)
	b.job.mustBeUnwritten(f.Spec())
	return walk.Parents(b.batch, m, f)
}

// UpdateParents calls update for each row of b whose object has a parent with the field, with a
// pointer to the parent's value. It can sum values in a walk by [Query.Up], which visits a parent
// after all its children, and works in walks by [Query.Down] and [Query.AtDepth] too. It panics in
// other walks, if the query does not write the field, and in a task where [WriterOf] panics.
func UpdateParents[T any](b Batch, f layout.Field[T], update func(row int, value *T)) {
	from := b.open()
	if !from.Plan.WritesField(f.Spec()) {
		panic("flatecs: the query does not write " + f.Spec().String() + "; ask for it by Write")
	}
	m := b.job.world.kinds.Manager(f.Spec().Kind)
	if b.job.part.whole != nil {
		b.job.claim("UpdateParents", f.Spec(), m)
	}
	walk.EachParent(from, m, f, update)
}

// relation returns the lists of a relation. It panics if the world does not have the relation.
func (w *world) relation(f layout.Field[GameObject]) *kin.Lists {
	l, err := w.listsOf(f)
	if err != nil {
		panic(err.Error())
	}
	return l
}

// listsOf returns the lists of a relation, or an error if the world does not have it.
func (w *world) listsOf(f layout.Field[GameObject]) (*kin.Lists, error) {
	r := f.Spec().Relation
	if r == nil {
		panicNoRelation(f.Spec())
	}
	if l := w.kin.Of(r); l != nil {
		return l, nil
	}
	return nil, &manager.PlainError{Text: w.kinds.Unknown(f.Spec().Kind), Of: ErrNoKind}
}

// A Tree describes an object to spawn, with its children, their children, and so on.
type Tree struct {
	Name     string              // in texts of trees; to name objects, use SetName
	Recipe   Recipe              // the zero Recipe: the object has Kinds alone
	Kinds    []layout.AnyKind    // further kinds and marks, which the recipe does not have
	Values   []layout.FieldValue // first values that replace the recipe's, and elements of lists
	Children []Tree
}

// Member returns an id that stands for member n of a [Tree] in the values of its members. Members
// are numbered from 0, the first object, and each child is followed by the members below it.
// [SpawnTree] replaces the id by the id of the object.
func Member(n int) GameObject { return kin.Member(n) }

// SpawnTree spawns a tree: a new object for each of its members, whose ids it appends to dst in the
// order of their numbers (see [Member]). Each child refers to its parent by a relation; a tree of
// one object does not need it. values are more first values of the first object. If one object is
// refused, SpawnTree creates none: the error wraps [ErrTooMany], [ErrFull], [ErrWalking], [ErrDead]
// for a value that refers to a dead object by a relation, or [ErrRing] if values put a member below
// itself, [ErrNoKind] for a relation that the world does not have. It panics if the world does not
// have a recipe or a kind of the tree, if a member is given a kind twice, or lacks the relation or
// the kind of a value.
func SpawnTree(
	dst []GameObject, s State, relation layout.Field[GameObject], t Tree,
	values ...layout.FieldValue,
) (State, []GameObject, error) {
	j := s.use()
	l, err := j.world.listsOf(relation)
	if err != nil && len(t.Children) > 0 {
		return s, dst, err
	}
	if j.fixed() {
		return s, dst, whileWalking(j)
	}
	w, p := &j.world, &j.planting
	plot := kin.Plot{Arena: w.arena, Kin: w.kin, Lists: l, Beside: &p.beside}
	dst, err = plot.Plant(dst, p.seedsOf(w, &t), values)
	if err != nil {
		return s, dst, err
	}
	return s.reshaped(), dst, nil
}

// A planting is the tree being spawned.
type planting struct {
	seeds   []kin.Seed
	further []*manager.Manager // kinds of seeds besides the kinds of recipes
	beside  kin.Beside         // of SpawnTree
}

// seedsOf lists the members of a tree.
func (p *planting) seedsOf(w *world, t *Tree) []kin.Seed {
	p.seeds, p.further = p.seeds[:0], p.further[:0]
	p.listSeeds(w, t, -1)
	return p.seeds
}

// listSeeds appends the members of a tree to the seeds.
func (p *planting) listSeeds(w *world, t *Tree, parent int) {
	at, first := len(p.seeds), len(p.further)
	seed := kin.Seed{Values: t.Values, Parent: parent}
	if t.Recipe.spec != nil {
		seed.Pool = w.pools.of(t.Recipe)
	}
	var few [16]Kind
	for i, k := range kind.Append(few[:0], "the Kinds of a Tree", t.Kinds) {
		m := w.kinds.Manager(k.Spec())
		if slices.Contains(p.further[first:], m) || seed.Pool != nil && seed.Pool.Has(m) {
			panic(fmt.Sprintf("flatecs: a member of a tree has kind %s twice; leave out number %d "+
				"of its Kinds", layout.Quoted(m.Kind.Name), i))
		}
		p.further = append(p.further, m)
	}
	seed.More = p.further[first:len(p.further):len(p.further)]
	p.seeds = append(p.seeds, seed)
	for i := range t.Children {
		p.listSeeds(w, &t.Children[i], at)
	}
}

// CopyTree copies an object and all objects below it in a relation: children, their children, and
// so on. References among them become references among the copies, in any field; other references
// stay, so that the copy has the same parent. Siblings keep their order. The error wraps
// [ErrTooMany], [ErrFull], [ErrNoKind], [ErrDead], [ErrOutOfRange] or [ErrWalking]. It panics if
// the field is not a relation.
func CopyTree(
	s State, relation layout.Field[GameObject], id GameObject,
) (State, GameObject, error) {
	j := s.use()
	if err := j.gather(relation, id); err != nil {
		return s, gameobject.Nobody, err
	}
	twin, err := j.world.kin.CopyGathered(j.world.relation(relation))
	if err != nil {
		return s, gameobject.Nobody, err
	}
	return s.reshaped(), twin, nil
}

// DisposeTree disposes an object and all objects below it in a relation, whatever the
// [layout.Policy] of the relation. The error wraps [ErrNoKind], [ErrDead], [ErrOutOfRange],
// [ErrReferred] or [ErrWalking]. It panics if the field is not a relation.
func DisposeTree(s State, relation layout.Field[GameObject], id GameObject) (State, error) {
	j := s.use()
	if err := j.gather(relation, id); err != nil {
		return s, err
	}
	if err := j.world.kin.DisposeGathered(); err != nil {
		return s, err
	}
	return s.reshaped(), nil
}

// gather queues an object and all objects below it.
func (j *job) gather(relation layout.Field[GameObject], id GameObject) error {
	l, err := j.world.listsOf(relation)
	if err != nil {
		return err
	}
	if j.fixed() {
		return whileWalking(j)
	}
	if err := j.world.alive(id); err != nil {
		return err
	}
	j.world.kin.Gather(l, id.Index())
	return nil
}
