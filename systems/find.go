package systems

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/index"
	"github.com/flatecs/flatecs/systems/internal/names"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// SetName sets the name of an object. Several objects may have the same name. The empty name is a
// name too; to remove a name, [Remove] [NameKind]. The error wraps [ErrName], [ErrFull], [ErrDead],
// [ErrOutOfRange], [ErrWalking], or [ErrNoKind] if the world has no names.
func SetName(s State, id GameObject, name string) (State, error) {
	j := s.use()
	m, err := j.world.namesFor(id)
	switch {
	case err != nil:
		return s, err
	case j.fixed():
		return s, whileWalking(j)
	}
	if err := names.Check(m, id, name); err != nil {
		return s, err
	}
	had := m.Has(id.Index())
	if names.Set(m, j.world.arena.Find(names.Order.Spec()), id.Index(), name); had {
		return s.done(), nil
	}
	return s.reshaped(), nil
}

// NameOf returns the name of an object, as a new string; [AppendName] does not allocate. The error
// wraps [ErrAbsent] if the object has no name (which is not the empty name), [ErrDead],
// [ErrOutOfRange], or [ErrNoKind] if the world has no names.
func NameOf(s State, id GameObject) (string, error) {
	text, err := s.look().world.nameOf(id)
	return string(text), err
}

// AppendName appends an object's name to dst. It returns the errors of [NameOf].
func AppendName(dst []byte, s State, id GameObject) ([]byte, error) {
	text, err := s.look().world.nameOf(id)
	return append(dst, text...), err
}

// Named yields the objects with a name, in the order in which they were first named. Renaming does
// not change the order; a copied object takes the place of its original. You may change the world
// during the loop: it skips an object that loses the name before its turn. It panics if the world
// has no names.
func Named(s State, name string) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) {
		j := s.look()
		j.world.fixtures.searches.Each(j.world.arena, j.world.orders, name, yield)
	}
}

// namesFor returns the manager of names. id must be alive.
func (w *world) namesFor(id GameObject) (*manager.Manager, error) {
	if err := w.alive(id); err != nil {
		return nil, err
	}
	m := w.arena.Find(NameKind.Spec())
	if m == nil {
		return nil, names.ErrNone
	}
	return m, nil
}

// nameOf returns the bytes of an object's name, in place.
func (w *world) nameOf(id GameObject) ([]byte, error) {
	m, err := w.namesFor(id)
	if err != nil {
		return nil, err
	}
	return names.Of(m, id.Index())
}

// Errors of global ids.
var (
	ErrGlobal = names.ErrRange // a global id is not between 1 and 2⁶³−1
	ErrTaken  = names.ErrTaken // another object has the global id
)

// GlobalOf returns the global id of an object, or 0 if it has none yet. The error wraps
// [ErrAbsent], [ErrDead], [ErrOutOfRange], or [ErrNoKind] if the world has no global ids.
func GlobalOf(s State, id GameObject) (uint64, error) {
	m, err := s.look().world.component(id, GlobalKind.Spec())
	if err != nil {
		return 0, err
	}
	return names.GlobalOf(m, id.Index())
}

// SetGlobal gives an object a global id. The error wraps [ErrGlobal], [ErrTaken], [ErrFull],
// [ErrDead], [ErrOutOfRange], [ErrWalking], or [ErrNoKind] if the world has no global ids.
func SetGlobal(s State, id GameObject, global uint64) (State, error) {
	m, err := s.use().changeable(id, GlobalKind.Spec())
	if err != nil {
		return s, err
	}
	if err := names.CheckGlobal(m, id, global); err != nil {
		return s, err
	}
	had := m.Has(id.Index())
	if names.SetGlobal(m, id.Index(), global); had {
		return s.done(), nil
	}
	return s.reshaped(), nil
}

// ByGlobal returns the object that has a global id. It panics if the world has no global ids.
func ByGlobal(s State, global uint64) (GameObject, bool) {
	j := s.look()
	m := j.world.arena.Find(GlobalKind.Spec())
	if m == nil {
		panic(names.ErrNoGlobals.Error())
	}
	return names.FindGlobal(m, global)
}

// NextGlobal derives a global id from the global id of a parent, and counts it in the parent. It
// returns the errors of [GlobalOf], [ErrGlobal] if the global id of the parent is 0, or
// [ErrWalking].
func NextGlobal(s State, parent GameObject) (State, uint64, error) {
	j := s.use()
	m, err := j.changeable(parent, GlobalKind.Spec())
	if err != nil {
		return s, 0, err
	}
	number, err := names.GlobalOf(m, parent.Index())
	if err == nil {
		err = names.CheckParent(parent, number)
	}
	if err != nil {
		return s, 0, err
	}
	number = names.NextGlobal(m, parent.Index())
	return s.done(), number, nil
}

// NewGlobal gives an object a global id, unless it has one, and returns that. The error wraps
// [ErrFull], [ErrDead], [ErrOutOfRange], [ErrWalking], or [ErrNoKind] if the world has no global
// ids.
func NewGlobal(s State, id GameObject) (State, uint64, error) {
	j := s.use()
	m, err := j.changeable(id, GlobalKind.Spec())
	if err != nil {
		return s, 0, err
	}
	if number, err := names.GlobalOf(m, id.Index()); err == nil && number != 0 {
		return s, number, nil
	}
	seed := uint64(0)
	if m := j.world.arena.Find(randomness.kind.Spec()); m != nil {
		seed = *inRow(m, randomSeed, 0)
	}
	number := names.NewGlobal(m, id, seed)
	s, err = SetGlobal(s, id, number)
	if err != nil {
		return s, 0, err
	}
	return s, number, nil
}

// Globals returns the global ids of a batch's objects, in place: do not write to them. It panics if
// the batch's query does not read [GlobalKind].
func Globals(b Batch) []uint64 { return Column(b, names.GlobalNumber) }

// An Ordered holds the objects of a world in the order of the values of one field, for package
// world/index. A key is a value as a uint64, or a signed value as an int64 with the highest bit
// flipped.
type Ordered struct {
	lists *index.Table
	job   *job
}

// OrderedBy returns the objects of s in the order of the values of a field. It panics if the type
// of the field is not a single integer or id, if the world does not have the kind, while a walk
// that writes the field is open, and in a task if a task of the call may write the kind.
func OrderedBy(s State, f *layout.FieldSpec) Ordered {
	j := s.look()
	j.mustBeSettled(f)
	l := j.world.orders.Of(f, index.Values)
	if l == nil {
		l = j.world.orderBy(f)
	}
	return Ordered{l, j}
}

// orderBy is OrderedBy for the first use of a field.
//
//go:noinline
func (w *world) orderBy(f *layout.FieldSpec) *index.Table {
	mustHaveKind(f)
	return w.orders.Add(w.kinds.Manager(f.Kind), f, index.Values, nil)
}

func mustHaveKind(f *layout.FieldSpec) {
	if f == nil || f.Kind == nil {
		panic("flatecs: " + f.String() + " belongs to no kind; declare a kind with it")
	}
}

// mustBeSettled panics if a walk or task may write the values of a field while the caller uses
// them.
func (j *job) mustBeSettled(f *layout.FieldSpec) {
	if j.walks.Depth != 0 || j.part.whole != nil || j.side != nil {
		j.mustBeSettledSlow(f)
	}
}

// mustBeSettledSlow is mustBeSettled while a walk or a task runs.
//
//go:noinline
func (j *job) mustBeSettledSlow(f *layout.FieldSpec) {
	mustHaveKind(f)
	j.mustBeUnheld(f)
	if j.part.whole != nil && j.part.whole.side.written.Kind(f.Kind) {
		panic("flatecs: a task uses an index of " + f.String() + " while queries of the tasks " +
			"write kind " + f.Kind.Name + "; use it before or after the tasks")
	}
}

// First returns the first object with a key, and the number of objects with the key.
func (o Ordered) First(key uint64) (id GameObject, n int) { return o.mustBeMade(true).First(key) }

// OfKey yields the objects with a key, ascending, until yield returns false.
func (o Ordered) OfKey(key uint64, yield func(GameObject) bool) {
	o.mustBeMade(yield != nil).OfKey(key, yield)
}

// Between yields the objects with keys from low to high, by key, then ascending, until yield
// returns false.
func (o Ordered) Between(low, high uint64, yield func(GameObject) bool) {
	o.mustBeMade(yield != nil).Each(low, high, yield)
}

// Count returns the number of objects with keys from low to high.
func (o Ordered) Count(low, high uint64) int { return o.mustBeMade(true).Count(low, high) }

// mustBeMade returns the lists of o. It panics if o is the zero Ordered, or if called is false,
// which says that the caller passed no function.
func (o Ordered) mustBeMade(called bool) *index.Table {
	switch {
	case o.lists == nil:
		panic("flatecs: the zero Ordered has no field; get one by OrderedBy")
	case !called:
		panic(uncalled)
	}
	return o.lists
}

const uncalled = "flatecs: objects in order with a nil function; pass one that takes them"

// Walk walks the objects that match q and have the field, by key, then ascending, in batches.
// Writes during the walk do not change the order. Walk panics in a task on part of the objects, and
// for a [RowWise] query.
func (o Ordered) Walk(q Query, yield func(Batch) bool) {
	l, j := o.mustBeMade(yield != nil), o.job
	if j.part.cut() {
		panic("flatecs: a task on some of the objects walks all in order; make it a task on all " +
			"of them")
	}
	w := j.open(q)
	defer w.Close()
	w.InOrder(l, func(b *walk.Batch) bool { return yield(batchOf(b, j)) })
}

// An OrderedTexts holds the objects of a world in the order of the texts in one field, for package
// world/index.
type OrderedTexts struct {
	job   *job
	field *layout.FieldSpec
}

// OrderedByText is [OrderedBy] for a field that is a text.
func OrderedByText(s State, f *layout.FieldSpec) OrderedTexts {
	j := s.look()
	if f == nil || f.List == nil || !f.List.Text {
		panic("flatecs: " + f.String() + " is no text; declare one by layout.NewText")
	}
	j.mustBeSettled(f)
	return OrderedTexts{j, f}
}

// by returns the lists by hashes or prefixes. It panics like made.
func (o OrderedTexts) by(by index.By, called bool) *index.Table {
	switch {
	case o.job == nil:
		panic("flatecs: the zero OrderedTexts has no field; get one by OrderedByText")
	case !called:
		panic(uncalled)
	}
	if l := o.job.world.orders.Of(o.field, by); l != nil {
		return l
	}
	mustHaveKind(o.field)
	m := o.job.world.kinds.Manager(o.field.Kind)
	heap := manager.HeapOf(m, o.field)
	return o.job.world.orders.Add(m, o.field, by, func(row uint32) []byte {
		return heap.ElementsIn(m, Row(row))
	})
}

// First returns the first object with a text, if any.
func (o OrderedTexts) First(text string) (id GameObject, ok bool) {
	return o.by(index.Hashes, true).FirstOfText(text)
}

// Of yields the objects with a text, ascending, until yield returns false.
func (o OrderedTexts) Of(text string, yield func(GameObject) bool) {
	o.by(index.Hashes, yield != nil).OfText(text, yield)
}

// Between yields the objects with texts from low to high, in the order of the texts' bytes, then
// ascending, until yield returns false.
func (o OrderedTexts) Between(low, high string, yield func(GameObject) bool) {
	o.by(index.Prefixes, yield != nil).EachText(low, high, yield)
}

// Walk is [Ordered.Walk] in the order of the texts' bytes.
func (o OrderedTexts) Walk(q Query, yield func(Batch) bool) {
	Ordered{o.by(index.Prefixes, true), o.job}.Walk(q, yield)
}
