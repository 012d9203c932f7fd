package walk

// An Order lists objects in an order of its own.
type Order interface {
	Relation // holds all of the objects, and no others
	Append(dst []uint32) []uint32
}

// InOrder yields the matching objects of an order, as it is at the beginning of the walk.
func (w *Walk) InOrder(o Order, yield func(*Batch) bool) {
	if w.plan.RowWise {
		panic("flatecs: a RowWise query has no order; omit RowWise")
	}
	w.order = o.Append(w.order[:0])
	w.Listed(w.order, o, false, nil, yield)
}
