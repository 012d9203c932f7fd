package walk

import "github.com/flatecs/flatecs/systems/internal/query"

// An Order is objects in an order of their own.
type Order interface {
	Relation // which holds all of them, and no others
	Append(dst []uint32) []uint32
}

// InOrder yields the matching ones of the objects of an order, as it is at the beginning.
func (w *Walk) InOrder(o Order, yield func(*Batch) bool) {
	if w.plan.RowWise {
		panic("flatecs: a RowWise query has no order; omit RowWise")
	}
	w.readyAbove()
	w.order = o.Append(w.order[:0])
	a, objects := w.batch.above, w.order
	w.findSteps(o, len(objects))
	for len(objects) > 0 {
		if n := a.alikeFrom(objects); n != 0 {
			if !w.Flush(yield) || !w.handList(objects[:n], objects[n:], yield) {
				return
			}
			objects = objects[n:]
			continue
		}
		k, x, n := firstBlock(objects)
		objects = objects[n:]
		if x &= w.plan.Match.Block(k); x != 0 && !w.few(k, x, yield) {
			return
		}
	}
	w.Flush(yield)
}

// alikeFrom is inStep for objects in any order: it looks at each.
func (s *stepping) alikeFrom(objects []uint32) (n int) {
	if !s.valid {
		return 0
	}
	number := s.step[objects[0]>>6]
	if number == 0 {
		return 0
	}
	objects = objects[:min(len(objects), query.BatchSize)]
	if s.all {
		return len(objects)
	}
	for _, o := range objects {
		if s.step[o>>6] != number {
			break
		}
		n++
	}
	return n
}

// handList is hand for objects in any order.
func (w *Walk) handList(objects, next []uint32, yield func(*Batch) bool) bool {
	b := &w.batch
	n, first := uint32(len(objects)), objects[0]
	w.findRows(&b.row, first>>6, first)
	b.prefetch(first, next)
	b.n, b.strewn = n, b.withRows()
	if b.present == 0 {
		copy(b.rows[0][:n], objects)
	}
	for t := range w.plan.Terms {
		addTo(b.rows[t][:n], objects, b.row[t]-first)
	}
	b.blocks = append(b.blocks, listed{uint16(n), ^uint16(0), noBlock}) // stamped row by row
	return w.send(yield)
}
