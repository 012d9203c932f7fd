package walk

import "math/bits"

// extend adds all objects of n blocks in lockstep, from block k on, to the run.
func (w *Walk) extend(k, n uint32, yield func(*Walk) bool) bool {
	w.aim(&w.next, k, k<<6)
	more := w.lengthen(n<<6, w.tail, yield)
	w.complete = k + n
	return more
}

// lengthen adds n rows from next on to the run, if they continue it in every kind except for a gap;
// otherwise it yields the run and starts another one.
func (w *Walk) lengthen(n, gap uint32, yield func(*Walk) bool) bool {
	if w.n != 0 {
		if w.strewn == 0 && w.follows(gap) {
			w.n, w.tail = w.n+gap+n, 0
			return true
		}
		if !w.Flush(yield) {
			return false
		}
	}
	w.row, w.n = w.next, n
	return true
}

// addRuns adds the objects x of block k, all in lockstep, run by run. next holds the rows of the
// first object.
func (w *Walk) addRuns(k uint32, x uint64, yield func(*Walk) bool) bool {
	for {
		s := uint32(bits.TrailingZeros64(x))
		n := uint32(bits.TrailingZeros64(^(x >> s)))
		if !w.lengthen(n, w.tail, yield) {
			return false
		}
		if x &^= full >> (64 - n) << s; x == 0 {
			return true
		}
		w.aim(&w.next, k, k<<6+uint32(bits.TrailingZeros64(x)))
	}
}
