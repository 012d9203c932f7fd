package systems

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/order"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// An Ordered is the objects of a world by the value of one field, for package world/index. Values
// are asked for by keys: a value as uint64, without the sign; a signed one with its highest bit
// flipped.
type Ordered struct {
	lists *order.Lists
	job   *job
}

// OrderedBy returns the objects of s by the value of a field. It panics if that is not a single
// integer or id, if the world does not have the kind, while a walk that writes the field is open,
// and in a task if a task of the call may write the kind.
func OrderedBy(s State, f *layout.FieldSpec) Ordered {
	j := s.look()
	j.mayAsk(f)
	l := j.orders.Of(f, order.Values)
	if l == nil {
		l = j.orderBy(f)
	}
	return Ordered{l, j}
}

// orderBy is OrderedBy for a field that was not asked for before.
//
//go:noinline
func (j *job) orderBy(f *layout.FieldSpec) *order.Lists {
	mustHaveKind(f)
	return j.orders.Add(j.Manager(f.Kind), f, order.Values, nil)
}

func mustHaveKind(f *layout.FieldSpec) {
	if f == nil || f.Kind == nil {
		panic("flatecs: " + f.String() + " is of no kind; declare one with it")
	}
}

// mayAsk panics if the values of a field may be written while they are asked for.
func (j *job) mayAsk(f *layout.FieldSpec) {
	if j.walks.Depth != 0 || j.part.whole != nil || j.side != nil {
		j.checkOrdered(f)
	}
}

// checkOrdered is mayAsk while a walk or a task runs.
//
//go:noinline
func (j *job) checkOrdered(f *layout.FieldSpec) {
	mustHaveKind(f)
	j.checkUnheld(f)
	if j.part.whole != nil && j.part.whole.side.written.Kind(f.Kind) {
		panic("flatecs: an index of " + f.String() + " is asked in a task while the queries of " +
			"some write kind " + f.Kind.Name + "; ask before the tasks or after them")
	}
}

// First returns the first object of a key, and how many there are.
func (o Ordered) First(key uint64) (id GameObject, n int) { return o.made().First(key) }

// OfKey yields the objects of a key, ascending.
func (o Ordered) OfKey(key uint64) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { o.made().OfKey(key, yield) }
}

// Between yields the objects of the keys from low to high, by key, then ascending.
func (o Ordered) Between(low, high uint64) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { o.made().Each(low, high, yield) }
}

// Count returns how many objects have the keys from low to high.
func (o Ordered) Count(low, high uint64) int { return o.made().Count(low, high) }

// made returns the lists of o. It panics if o is the zero Ordered.
func (o Ordered) made() *order.Lists {
	if o.lists == nil {
		panic("flatecs: the zero Ordered is of no field; get one by OrderedBy")
	}
	return o.lists
}

// Walk walks the objects that match q and have the field, by key, then ascending, in batches. The
// order is that of the beginning. It panics in a task on some of the objects, and for a [RowWise]
// query.
func (o Ordered) Walk(q Query) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		o.made()
		j := o.job
		if j.part.cut() {
			panic("flatecs: a task on some of the objects walks all in order; make it a task on " +
				"all of them")
		}
		w := j.open(q)
		defer w.Close()
		w.InOrder(o.made(), func(w *walk.Walk) bool { return yield(batchOf(w, j)) })
	}
}

// An OrderedTexts is the objects of a world by the text that they have in one field, for package
// world/index.
type OrderedTexts struct {
	job   *job
	field *layout.FieldSpec
}

// OrderedByText is [OrderedBy] for a text.
func OrderedByText(s State, f *layout.FieldSpec) OrderedTexts {
	j := s.look()
	if f == nil || f.List == nil || !f.List.Text {
		panic("flatecs: " + f.String() + " is no text; declare one by layout.NewText")
	}
	j.mayAsk(f)
	return OrderedTexts{j, f}
}

// by returns the lists by hashes or prefixes.
func (o OrderedTexts) by(by order.By) *order.Lists {
	if o.job == nil {
		panic("flatecs: the zero OrderedTexts is of no field; get one by OrderedByText")
	}
	if l := o.job.orders.Of(o.field, by); l != nil {
		return l
	}
	mustHaveKind(o.field)
	m := o.job.Manager(o.field.Kind)
	heap := m.HeapOf(o.field)
	return o.job.orders.Add(m, o.field, by, func(row uint32) []byte {
		return m.ElementsIn(heap, Row(row))
	})
}

// First returns the first object of a text, and whether there is one.
func (o OrderedTexts) First(text string) (id GameObject, ok bool) {
	return o.by(order.Hashes).FirstOfText(text)
}

// Of yields the objects of a text, ascending.
func (o OrderedTexts) Of(text string) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { o.by(order.Hashes).OfText(text, yield) }
}

// Between yields the objects of the texts from low to high, in the order of their bytes, then
// ascending.
func (o OrderedTexts) Between(low, high string) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { o.by(order.Prefixes).EachText(low, high, yield) }
}

// Walk is [Ordered.Walk] by the bytes of the texts.
func (o OrderedTexts) Walk(q Query) iter.Seq[Batch] {
	return Ordered{o.by(order.Prefixes), o.job}.Walk(q)
}
