package walk

import "github.com/flatecs/flatecs/systems/internal/query"

// An Order is objects in an order of their own.
type Order interface {
	Relation // which holds all of them, and no others
	Append(dst []uint32) []uint32
}

// InOrder yields the matching ones of the objects of an order, as it is at the beginning.
func (w *Walk) InOrder(o Order, yield func(*Walk) bool) {
	if w.RowWise {
		panic("flatecs: a RowWise query has no order; omit RowWise")
	}
	w.readyAbove()
	w.order = o.Append(w.order[:0])
	objects := w.order
	w.findSteps(o, len(objects))
	for len(objects) > 0 {
		if n := w.alikeFrom(objects); n != 0 {
			if !w.Flush(yield) || !w.handList(objects[:n], objects[n:], yield) {
				return
			}
			objects = objects[n:]
			continue
		}
		k, x, n := firstBlock(objects)
		objects = objects[n:]
		if x &= w.Match.Block(k); x != 0 && !w.few(k, x, yield) {
			return
		}
	}
	w.Flush(yield)
}

// alikeFrom is inStep for objects in any order: it looks at each.
func (w *Walk) alikeFrom(objects []uint32) (n int) {
	if !w.above.valid {
		return 0
	}
	step := w.above.step
	number := step[objects[0]>>6]
	if number == 0 {
		return 0
	}
	objects = objects[:min(len(objects), query.BatchSize)]
	if w.above.all {
		return len(objects)
	}
	for _, o := range objects {
		if step[o>>6] != number {
			break
		}
		n++
	}
	return n
}

// handList is hand for objects in any order.
func (w *Walk) handList(objects, next []uint32, yield func(*Walk) bool) bool {
	n, first := uint32(len(objects)), objects[0]
	w.findRows(&w.row, first>>6, first)
	w.prefetch(first, next)
	w.n, w.strewn = n, w.withRows()
	if w.present == 0 {
		copy(w.rows[0][:n], objects)
	}
	for t := range w.Terms {
		addTo(w.rows[t][:n], objects, w.row[t]-first)
	}
	w.blocks = append(w.blocks, listed{uint16(n), ^uint16(0), noBlock}) // stamped row by row
	return w.send(yield)
}
