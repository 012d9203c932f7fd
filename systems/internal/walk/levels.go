package walk

import (
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// ByDepth yields the matching objects in batches of one depth of a tree, from the first depth to
// the last one, upwards or downwards, among the walk's blocks. Objects without a parent are at
// depth 0; for deeper objects, Levels must be valid.
func (w *Walk) ByDepth(tree Tree, first, last int, yield func(*Batch) bool) {
	if w.plan.RowWise {
		panic("flatecs: a RowWise query has no parents; omit RowWise")
	}
	w.readyAbove()
	a := w.batch.above
	a.tree = tree
	defer func() { a.tree, a.targets, a.used = nil, nil, 0 }()
	w.findSteps(tree, tree.Shape(), 0)
	show := func(b *Batch) bool {
		a.used = 0
		return yield(b)
	}
	step := 1
	if last < first {
		step = -1
	}
	for d := first; w.level(tree, d, show) && d != last; {
		d += step
	}
}

// seen returns the part of an ascending list that is in the walk's blocks.
func (l *Walks) seen(objects, targets []uint32) (o, t []uint32) {
	first, end := l.span()
	from, _ := slices.BinarySearch(objects, first<<6)
	to, _ := slices.BinarySearch(objects, end<<6)
	return objects[from:max(from, to)], targets[from:max(from, to)]
}

// level yields the matching objects of a depth.
func (w *Walk) level(tree Tree, depth int, yield func(*Batch) bool) bool {
	if depth == 0 {
		return w.roots(yield)
	}
	a := w.batch.above
	objects, targets := w.walks.seen(tree.Level(depth))
	for len(objects) > 0 {
		n := a.inStep(objects, true)
		if n == 0 {
			k, x, n := firstBlock(objects)
			if x &= w.plan.Match.Block(k); x != 0 && !w.few(k, x, yield) {
				return false
			}
			objects, targets = objects[n:], targets[n:]
			continue
		}
		if !w.Flush(yield) {
			return false
		}
		a.targets = targets[:n]
		more := w.hand(objects[:n], objects[n:], true, yield)
		if a.targets = nil; !more {
			return false
		}
		objects, targets = objects[n:], targets[n:]
	}
	return w.Flush(yield)
}

// roots yields the matching objects without a parent.
func (w *Walk) roots(yield func(*Batch) bool) bool {
	a, terms := w.batch.above, w.plan.Terms
	a.roots = true
	defer func() { a.roots = false }()
	first, end := w.walks.span()
	list, some := uint32(0), uint64(0) // objects of a.list; blocks of the group that may match
	for k := first; k < end; k++ {
		if k == first || k&63 == 0 {
			some, _ = w.plan.Match.Group(int(k >> 6))
		}
		if some>>(k&63)&1 == 0 {
			continue
		}
		x := w.plan.Match.Block(k) &^ a.tree.Held(k)
		if x == 0 {
			continue
		}
		loose := w.loose(k, x)
		if list != 0 && (!loose || list+64 > query.BatchSize || !alike(terms, a.list[0]>>6, k)) {
			if !w.hand(a.list[:list], nil, true, yield) {
				return false
			}
			list = 0
		}
		if !loose {
			if !w.few(k, x, yield) {
				return false
			}
			continue
		}
		if !w.Flush(yield) {
			return false
		}
		list += appendBits(a.list[list:], k, x)
	}
	if list != 0 && !w.hand(a.list[:list], nil, true, yield) {
		return false
	}
	return w.Flush(yield)
}

// appendBits writes the objects x of a block to dst, and returns their number.
func appendBits(dst []uint32, k uint32, x uint64) (n uint32) {
	for ; x != 0; x &= x - 1 {
		dst[n] = k<<6 + uint32(bits.TrailingZeros64(x))
		n++
	}
	return n
}

// firstBlock returns the block of the first object, the ascending objects after it in the same
// block, and their number.
func firstBlock(objects []uint32) (k uint32, x uint64, n int) {
	k = objects[0] >> 6
	for n < len(objects) && objects[n]>>6 == k && x>>(objects[n]&63) == 0 {
		x |= 1 << (objects[n] & 63)
		n++
	}
	return k, x, n
}

// Listed yields the matching objects among objects, filtered by keep. A nil keep keeps all of them;
// then the relation must hold each object.
func (w *Walk) Listed(
	objects []uint32, r Relation, ascend bool, keep func(object uint32) bool,
	yield func(*Batch) bool,
) {
	if w.readyAbove(); keep == nil {
		w.findSteps(r, r.Version(), len(objects))
	}
	for a := w.batch.above; len(objects) > 0; {
		if n := a.inStep(objects, ascend); keep == nil && n != 0 {
			if !w.Flush(yield) || !w.hand(objects[:n], after(objects, n), ascend, yield) {
				return
			}
			objects = objects[n:]
			continue
		}
		k, x, n := firstBlock(objects)
		for _, o := range objects[:n] {
			if keep != nil && !keep(o) {
				x &^= 1 << (o & 63)
			}
		}
		objects = objects[n:]
		if x &= w.plan.Match.Block(k); x != 0 && !w.few(k, x, yield) {
			return
		}
	}
	w.Flush(yield)
}

// after returns the objects after the first n of a list. If there are none, it returns some that
// follow the list in memory: the list of the next target, which programs often need next.
func after(objects []uint32, n int) []uint32 {
	const some = 32
	if n < len(objects) {
		return objects[n:]
	}
	return objects[n:min(cap(objects), n+some)]
}

// few is Collect for batches of up to query.BatchSize objects.
func (w *Walk) few(k uint32, x uint64, yield func(*Batch) bool) bool {
	var more bool
	if !w.plan.Optional && bits.OnesCount64(x) < manager.MinRun {
		more = w.addList(k, x, yield)
	} else {
		more = w.Collect(k, x, yield)
	}
	return more && (w.batch.n+64 <= query.BatchSize || w.Flush(yield))
}

// readyAbove allocates the memory of a walk by levels.
func (w *Walk) readyAbove() {
	b := &w.batch
	if b.above == nil {
		b.above = &above{}
	}
	if blocks := (w.walks.Objects.Cap() + 63) / 64; len(b.above.step) < blocks {
		b.above.stepping = stepping{step: make([]uint32, blocks)}
	}
}

// parentsOf returns the parents of the batch's objects, or nil if no object has a parent; f is the
// field that the caller wants.
func (b *Batch) parentsOf(f *layout.FieldSpec) []uint32 {
	if b.above == nil || b.above.tree == nil {
		panicNoParents(f)
	}
	a := b.above
	switch {
	case a.roots:
		return nil
	case a.targets != nil:
		return a.targets
	}
	parents := a.parents[:b.n]
	for i := range parents {
		parents[i] = a.tree.TargetOf(b.objectAt(i))
	}
	return parents
}

// objectAt returns the index of object i of the batch.
func (b *Batch) objectAt(i int) uint32 {
	if b.present == 0 {
		return b.Row(0, i)
	}
	t := bits.TrailingZeros32(b.present) & (query.MaxTerms - 1)
	return b.Plan.Terms[t].Rows.Owner(b.Row(t, i))
}

//go:noinline
func panicNoParents(f *layout.FieldSpec) {
	panic("flatecs: " + f.String() + " of parents is asked for in a walk that knows no parents; " +
		"walk by Down, Up or AtDepth")
}

// Parents returns copies of a field of the parents of the batch's objects: the default if an object
// has no parent, or its parent does not have the field.
func Parents[T any](b *Batch, m *manager.Manager, f layout.Field[T]) []T {
	spec := f.Spec()
	parents := b.parentsOf(spec)
	memory := b.valuesAbove(spec.Stride)
	values := buffer.Span[T](memory, 0, int(b.n))
	none := f.Rows(spec.Default)[0]
	if parents == nil {
		for i := range values {
			values[i] = none
		}
		return values
	}
	column := &m.Data.Columns[spec.Index]
	if rows := b.rowsAbove(m, parents); rows != nil {
		size := len(rows) * spec.Stride
		kernel.GatherBytes(buffer.Span[byte](memory, 0, size), column.Bytes, spec.Stride, rows)
		return values
	}
	for i, p := range parents {
		values[i] = none
		if row, ok := m.RowOf(p); ok {
			values[i] = *buffer.At[T](column.Base, int(row))
		}
	}
	return values
}

// rowsAbove returns the rows of parents, if all are in lockstep.
func (b *Batch) rowsAbove(m *manager.Manager, parents []uint32) []uint32 {
	if b.above.targets != nil {
		if base, ok := b.baseAbove(m, len(parents)); ok {
			return b.addBase(parents, base)
		}
	}
	rows := b.above.rows[:len(parents)]
	for i, p := range parents {
		row, ok := m.Blocks.InPlace(p)
		if !ok {
			return nil
		}
		rows[i] = row
	}
	return rows
}

// addBase returns the rows of parents whose rows are parent + base.
func (b *Batch) addBase(parents []uint32, base uint32) []uint32 {
	if base == 0 {
		return parents
	}
	rows := b.above.rows[:len(parents)]
	addTo(rows, parents, base)
	return rows
}

// valuesAbove returns memory for a value of stride bytes per object of the batch.
func (b *Batch) valuesAbove(stride int) buffer.Base {
	a := b.above
	size := (int(b.n)*stride + buffer.Align - 1) &^ (buffer.Align - 1)
	if a.used+size > len(a.values) {
		a.values, _ = buffer.New(max(2*len(a.values), query.BatchSize*stride+buffer.Align))
		a.used = 0
	}
	at := a.used
	a.used += size
	return buffer.BaseOf(a.values[at : at+size])
}

// EachParent calls f with each object's place in the batch, and its parent's value of a field, in
// place. It skips objects whose parents do not have the field.
func EachParent[T any](
	b *Batch, m *manager.Manager, f layout.Field[T], call func(i int, value *T),
) {
	spec := f.Spec()
	column := m.Data.Columns[spec.Index].Base
	for i, p := range b.parentsOf(spec) {
		if row, ok := m.RowOf(p); ok {
			m.Stamps.TouchRow(uint32(row))
			call(i, buffer.At[T](column, int(row)))
		}
	}
}
