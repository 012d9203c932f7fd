package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// Collect adds the objects x of block k, in stretches that have the same optional kinds. It yields
// the batch before adding objects that cannot continue it. It returns false if the walk ends.
func (w *Walk) Collect(k uint32, x uint64, yield func(*Batch) bool) bool {
	b := &w.batch
	if !w.plan.Optional {
		return w.add(k, x, yield)
	}
	for x != 0 {
		present, same := w.sameKinds(k, x)
		if present != b.present {
			if !w.Flush(yield) {
				return false
			}
			b.present = present
		}
		if !w.add(k, same, yield) {
			return false
		}
		x &^= same
	}
	return true
}

// sameKinds returns the optional kinds that the lowest of the objects x has, and the longest prefix
// of x with the same ones.
func (w *Walk) sameKinds(k uint32, x uint64) (present uint32, same uint64) {
	present, same = w.plan.Required, x
	low := x & -x
	for t := bits.OnesCount32(w.plan.Required); t < len(w.plan.Terms); t++ {
		p := w.plan.Terms[t].Blocks.Present(k)
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

// add adds the objects x of block k, which all have the same kinds: to the run if their runs are
// long enough, otherwise to the lists.
func (w *Walk) add(k uint32, x uint64, yield func(*Batch) bool) bool {
	s := uint32(bits.TrailingZeros64(x))
	odd := w.findRows(&w.next, k, k<<6+s)
	n, runs := bits.OnesCount64(x), bits.OnesCount64(x&^(x<<1))
	switch {
	case w.plan.Forced:
		return w.addList(k, x, yield)
	case w.plan.RowWise && odd == 0 && n >= minBusy:
		if added, more := w.addHoles(k, x, yield); added {
			return more
		}
		return w.addList(k, x, yield)
	case odd&x != 0, runs > 1 && runs*manager.MinRun > n, n < manager.MinRun && isBroken(w):
		return w.addList(k, x, yield)
	}
	return w.addRuns(x, yield)
}

// isBroken reports whether to list a few objects at next with the collected ones, rather than hand
// them out in place: the batch is a list, or a short run that they do not continue.
func isBroken(w *Walk) bool {
	b := &w.batch
	return b.strewn != 0 || b.n != 0 && b.n < manager.MinRun && !w.follows(b.tail)
}
