package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// noRow stands for the row of an object that has none.
const noRow = ^uint32(0)

// A Tree says who refers to whom; see package kin.
type Tree interface {
	Levels() int
	Level(depth int) []uint32
	Held(block uint32) uint64
	TargetOf(object uint32) (target uint32, ok bool)
}

// An above is what a walk by levels knows of the parents of a batch.
type above struct {
	tree    Tree
	found   bool                   // parents tells of this batch
	parents [batchSize + 64]uint32 // per object of the batch, or noRow
	values  []byte                 // of the parents; a part per call of Parents
	used    int                    // bytes of values
}

// ByLevels yields the matching objects in batches of one depth of a tree: roots first, or last.
func (w *Walk) ByLevels(tree Tree, up bool, yield func(*Walk) bool) {
	if w.rowWise {
		panic("flatecs: a RowWise query has no parents; leave RowWise out")
	}
	if w.above == nil {
		w.above = &above{}
	}
	w.above.tree = tree
	defer func() { w.above.tree, w.above.used, w.above.found = nil, 0, false }()
	show := func(w *Walk) bool {
		w.above.used, w.above.found = 0, false
		return yield(w)
	}
	n := tree.Levels()
	if !up && !w.roots(show) {
		return
	}
	for d := range n {
		if up {
			d = n - 1 - d
		}
		if !w.level(tree.Level(d+1), show) {
			return
		}
	}
	if up {
		w.roots(show)
	}
}

// roots yields the matching objects that refer to nobody.
func (w *Walk) roots(yield func(*Walk) bool) bool {
	first, end := w.walks.span()
	for k := first; k < end; k++ {
		if x := w.Block(k) &^ w.above.tree.Held(k); x != 0 && !w.few(k, x, yield) {
			return false
		}
	}
	return w.Flush(yield)
}

// level yields the matching ones of objects, which ascend.
func (w *Walk) level(objects []uint32, yield func(*Walk) bool) bool {
	for i := 0; i < len(objects); {
		k, x := objects[i]>>6, uint64(0)
		for ; i < len(objects) && objects[i]>>6 == k; i++ {
			x |= 1 << (objects[i] & 63)
		}
		if x &= w.Block(k); x != 0 && !w.few(k, x, yield) {
			return false
		}
	}
	return w.Flush(yield)
}

// Listed yields the matching ones of objects that are kept.
func (w *Walk) Listed(objects []uint32, keep func(object uint32) bool, yield func(*Walk) bool) {
	for i := 0; i < len(objects); {
		k, x := objects[i]>>6, uint64(0)
		for ; i < len(objects) && objects[i]>>6 == k; i++ {
			if keep(objects[i]) {
				x |= 1 << (objects[i] & 63)
			}
		}
		if x &= w.Block(k); x != 0 && !w.few(k, x, yield) {
			return
		}
	}
	w.Flush(yield)
}

// few is Collect for batches of up to batchSize objects.
func (w *Walk) few(k uint32, x uint64, yield func(*Walk) bool) bool {
	return w.Collect(k, x, yield) && (w.n+64 <= batchSize || w.Flush(yield))
}

// ReadyAbove makes room for the values of parents of all columns of a plan.
func (l *Walks) ReadyAbove(p *Plan, walks int) {
	for l.Depth = range walks {
		w := l.slot(p)
		if w.above == nil {
			w.above = &above{}
		}
		if len(w.above.values) < p.scratch {
			w.above.values, _ = buffer.New(p.scratch)
		}
	}
	l.Depth = 0
}

// parentsOf returns the parents of the batch's objects.
func (w *Walk) parentsOf() []uint32 {
	if w.above == nil || w.above.tree == nil {
		panic("flatecs: this walk knows no parents; walk by Down or Up")
	}
	a := w.above
	parents := a.parents[:w.n]
	if a.found {
		return parents
	}
	a.found = true
	for i := range parents {
		var ok bool
		if parents[i], ok = a.tree.TargetOf(w.objectAt(i)); !ok {
			parents[i] = noRow
		}
	}
	return parents
}

// objectAt returns the index of object i of the batch.
func (w *Walk) objectAt(i int) uint32 {
	if w.present == 0 {
		return w.Row(0, i)
	}
	t := bits.TrailingZeros32(w.present) & (maxTerms - 1)
	return w.terms[t].Owner(w.Row(t, i))
}

// Parents returns copies of a field of the parents of the batch's objects: the default where an
// object has no parent, or its parent does not have the field.
func Parents[T any](w *Walk, m *manager.Manager, f layout.Field[T]) []T {
	parents, spec := w.parentsOf(), f.Spec()
	values := buffer.Span[T](w.valuesAbove(spec.Stride), 0, len(parents))
	column, none := m.Columns[spec.Index].Base, f.Rows(spec.Default)[0]
	for i, p := range parents {
		if p == noRow {
			values[i] = none
		} else if row, ok := m.RowOf(p); ok {
			values[i] = *buffer.At[T](column, int(row))
		} else {
			values[i] = none
		}
	}
	return values
}

// valuesAbove returns memory for a value of stride bytes per object of the batch.
func (w *Walk) valuesAbove(stride int) buffer.Base {
	a := w.above
	size := (int(w.n)*stride + buffer.Align - 1) &^ (buffer.Align - 1)
	if a.used+size > len(a.values) {
		a.values, _ = buffer.New(max(2*len(a.values), batchSize*stride+buffer.Align))
		a.used = 0
	}
	at := a.used
	a.used += size
	return buffer.BaseOf(a.values[at : at+size])
}

// EachParent calls f with each object's place in the batch, and its parent's value of a field, in
// place. Objects whose parents do not have the field are left out.
func EachParent[T any](w *Walk, m *manager.Manager, f layout.Field[T], call func(i int, value *T)) {
	spec := f.Spec()
	column := m.Columns[spec.Index].Base
	for i, p := range w.parentsOf() {
		if p == noRow {
			continue
		}
		if row, ok := m.RowOf(p); ok {
			m.TouchRow(uint32(row))
			call(i, buffer.At[T](column, int(row)))
		}
	}
}

// WritesField reports whether the walk writes a field.
func (w *Walk) WritesField(f *layout.FieldSpec) bool {
	for i := range w.columns {
		if c := &w.columns[i]; c.field == f {
			return c.mode == query.Write
		}
	}
	return false
}
