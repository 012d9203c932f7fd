package walk

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
	w.order = o.Append(w.order[:0])
	w.Listed(w.order, o, false, nil, yield)
}
