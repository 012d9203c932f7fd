package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// Collect adds the objects x of block k, in stretches that have the same optional kinds. What does
// not go on where the batch ends is yielded before; false ends the walk.
func (w *Walk) Collect(k uint32, x uint64, yield func(*Walk) bool) bool {
	if !w.Optional {
		return w.add(k, x, yield)
	}
	for x != 0 {
		present, same := w.sameKinds(k, x)
		if present != w.present {
			if !w.Flush(yield) {
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

// sameKinds returns the optional kinds that the lowest of the objects x has, and the longest prefix
// of x with the same ones.
func (w *Walk) sameKinds(k uint32, x uint64) (present uint32, same uint64) {
	present, same = w.Required, x
	low := x & -x
	for t := bits.OnesCount32(w.Required); t < len(w.Terms); t++ {
		p := w.Terms[t].Blocks.Present(k)
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

// add adds the objects x of block k, all with the same kinds: to the run if their runs are long
// enough, otherwise to the lists.
func (w *Walk) add(k uint32, x uint64, yield func(*Walk) bool) bool {
	s := uint32(bits.TrailingZeros64(x))
	odd := w.findRows(&w.next, k, k<<6+s)
	n, runs := bits.OnesCount64(x), bits.OnesCount64(x&^(x<<1))
	switch {
	case w.Forced:
		return w.addList(k, x, yield)
	case w.RowWise && odd == 0 && n >= minBusy:
		if added, more := w.addHoles(k, x, yield); added {
			return more
		}
		return w.addList(k, x, yield)
	case odd&x != 0, runs > 1 && runs*manager.MinRun > n, n < manager.MinRun && isBroken(w):
		return w.addList(k, x, yield)
	}
	return w.addRuns(x, yield)
}

// isBroken reports whether a few objects at next are better listed with what was collected than
// handed out in place: it is listed, or a run as short that does not go on there.
func isBroken(w *Walk) bool {
	return w.strewn != 0 || w.n != 0 && w.n < manager.MinRun && !w.follows(w.tail)
}
