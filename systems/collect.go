package systems

import "math/bits"

const (
	full    = ^uint64(0)
	minRun  = 4  // rows of a run, on average, from which runs are handed out in place
	minBusy = 32 // matching rows of a block from which a row-wise system runs over the others too
)

// collect adds the objects x of block k, in stretches that have the same optional kinds.
func (w *walk) collect(k uint32, x uint64, yield func(Batch) bool) bool {
	if !w.optional {
		return w.add(k, x, yield)
	}
	for x != 0 {
		present, same := w.alike(k, x)
		if present != w.present {
			if !w.flush(yield) {
				return false
			}
			w.present = present
		}
		if !w.add(k, same, yield) {
			return false
		}
		x &^= same
	}
	return true
}

// alike returns the kinds that the lowest of the objects x has, and it with those after it that
// have the same.
func (w *walk) alike(k uint32, x uint64) (present uint32, same uint64) {
	present, same = w.required, x
	low := x & -x
	for t := bits.OnesCount32(w.required); t < len(w.terms); t++ {
		p := w.terms[t].Blocks[k].Present
		if p&low != 0 {
			present |= 1 << t
			same &= p
		} else {
			same &^= p
		}
	}
	if other := x &^ same; other != 0 {
		same = x & (other&-other - 1)
	}
	return present, same
}

// add adds the objects x of block k, all with the same kinds: to the run where they make runs that
// are long enough, otherwise to the list.
func (w *walk) add(k uint32, x uint64, yield func(Batch) bool) bool {
	s := uint32(bits.TrailingZeros64(x))
	odd := w.aim(&w.next, k, k<<6+s)
	runs := bits.OnesCount64(x &^ (x << 1))
	switch {
	case w.forced:
		return w.addList(k, x, yield)
	case odd&x != 0:
		return w.addOdd(k, x, yield)
	case runs == 1:
		return w.grow(uint32(bits.OnesCount64(x)), yield)
	case w.rowWise && w.mayRunOver(k, x, odd):
		return w.addHoles(k, x, yield)
	case runs*minRun > bits.OnesCount64(x):
		return w.addList(k, x, yield)
	}
	for x != 0 {
		s = uint32(bits.TrailingZeros64(x))
		n := uint32(bits.TrailingZeros64(^(x >> s)))
		if !w.extend(k, k<<6+s, n, yield) {
			return false
		}
		x &^= full >> (64 - n) << s
	}
	return true
}

// addOdd adds the objects x of block k, not all of which are in lockstep: to the run where their
// rows lie side by side all the same, otherwise to the list.
func (w *walk) addOdd(k uint32, x uint64, yield func(Batch) bool) bool {
	for i, t := range w.terms {
		if w.present>>i&1 != 0 {
			row, ok := t.Stretch(k, x)
			if !ok {
				return w.addList(k, x, yield)
			}
			w.next[i&(maxTerms-1)] = row
		}
	}
	return w.grow(uint32(bits.OnesCount64(x)), yield)
}

// addList adds the objects x of block k to the list.
func (w *walk) addList(k uint32, x uint64, yield func(Batch) bool) bool {
	n := uint32(bits.OnesCount64(x))
	if w.run != 0 || w.list+n > batchSize {
		if !w.flush(yield) {
			return false
		}
	}
	at := w.list
	w.list += n
	for i, t := range w.terms {
		if w.present>>i&1 != 0 {
			t.RowsOf(w.rows[i&(maxTerms-1)][at:w.list], k, x)
		}
	}
	if w.present == 0 { // the objects themselves
		for ; x != 0; x &= x - 1 {
			w.rows[0][at&(batchSize-1)] = k<<6 + uint32(bits.TrailingZeros64(x))
			at++
		}
	}
	return true
}

// mayRunOver reports whether the rows between the objects x of block k are the block's own or on
// the free list, so that a row-wise system may run over them.
func (w *walk) mayRunOver(k uint32, x, odd uint64) bool {
	if odd != 0 || bits.OnesCount64(x) < minBusy {
		return false
	}
	between := (full >> bits.LeadingZeros64(x)) &^ (x&-x - 1) &^ x
	for i, t := range w.terms {
		if w.present>>i&1 == 0 {
			continue
		}
		if absent := between &^ t.Blocks[k].Present; absent != 0 && w.job.whole != nil || !t.Idle(k,
			between) {
			return false // a free row may be between the objects of another task too
		}
	}
	return true
}

// addHoles adds the objects x of block k to the run, and notes the rows between them.
func (w *walk) addHoles(k uint32, x uint64, yield func(Batch) bool) bool {
	s := uint32(bits.TrailingZeros64(x))
	n := uint32(bits.Len64(x)) - s
	between := ^(x >> s) & (full >> (64 - n))
	c := uint32(bits.OnesCount64(between))
	if w.holes+c > maxHoles && !w.flush(yield) {
		return false
	}
	if !w.extend(k, k<<6+s, n, yield) {
		return false
	}
	for first := w.run - n; between != 0; between &= between - 1 {
		w.hole[w.holes&(maxHoles-1)] = first + uint32(bits.TrailingZeros64(between))
		w.holes++
	}
	return true
}
