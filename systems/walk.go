package systems

import (
	"fmt"
	"math/bits"

	"github.com/flatecs/flatecs/layout"
)

const maxWalks = 8 // walks open at once, one inside the other

// A walk is an open query: a slot per nesting depth, used again and again. It collects matching
// objects, either as one run of rows that lie side by side in every column, or, where rows are
// scattered, as a list of up to batchSize rows per kind. Never both.
type walk struct {
	*plan
	job     *job
	n       uint32               // rows in the batch that is out; 0: none is
	listed  bool                 // the batch that is out is a list
	run     uint32               // rows of the run being collected
	list    uint32               // rows of the list being collected
	row     [maxTerms]uint32     // first row of the run, per term; [0] is the object where there is no term
	objects [batchSize]uint32    // of the list
	rows    [maxTerms][64]uint32 // of the list, per term
	copied  uint64               // a bit per column: its copy is in scratch
	scratch []byte               // copies of the list's rows, column by column
}

// walk yields the objects that match q, in batches.
func (j *job) walk(q *querySpec, yield func(Batch) bool) {
	w := j.open(q)
	defer w.close()
	blocks := uint32(j.Objects.High()+63) / 64
	for g := range (blocks + 63) / 64 {
		some, whole := w.group(int(g))
		if rest := blocks - g<<6; rest < 64 {
			some &= 1<<rest - 1
		}
		for some != 0 {
			i := uint32(bits.TrailingZeros64(some))
			k := g<<6 + i
			if c := uint32(bits.TrailingZeros64(^(whole >> i))); c > 0 {
				some &^= ^uint64(0) >> (64 - c) << i
				if !w.extend(k, k<<6, c<<6, yield) {
					return
				}
				continue
			}
			some &= some - 1
			if m, odd := w.match(k, j.Objects.Words()[k]); m != 0 && !w.block(k, m, odd, yield) {
				return
			}
		}
	}
	w.flush(yield)
}

// block adds the matching objects of one block.
func (w *walk) block(k uint32, m, odd uint64, yield func(Batch) bool) bool {
	runs := bits.OnesCount64(m &^ (m << 1))
	if odd != 0 || runs > 1 && runs*4 > bits.OnesCount64(m) {
		return w.collect(k, m, yield)
	}
	for m != 0 {
		s := uint32(bits.TrailingZeros64(m))
		c := uint32(bits.TrailingZeros64(^(m >> s)))
		if !w.extend(k, k<<6+s, c, yield) {
			return false
		}
		m &^= ^uint64(0) >> (64 - c) << s
	}
	return true
}

// extend adds n objects in lockstep, from object of block k on, to the run; where they do not follow
// it, the run is yielded and another begins.
func (w *walk) extend(k, object, n uint32, yield func(Batch) bool) bool {
	if w.run != 0 && w.follows(k, object) {
		w.run += n
		return true
	}
	if !w.flush(yield) {
		return false
	}
	w.row[0], w.run = object, n
	for i, t := range w.terms {
		w.row[i&(maxTerms-1)] = object + t.Blocks[k].Base
	}
	return true
}

// follows reports whether object's rows are the ones right after the run, in every kind.
func (w *walk) follows(k, object uint32) bool {
	if len(w.terms) == 0 {
		return object == w.row[0]+w.run
	}
	for i, t := range w.terms {
		if object+t.Blocks[k].Base != w.row[i&(maxTerms-1)]+w.run {
			return false
		}
	}
	return true
}

// collect adds objects of block k to the list.
func (w *walk) collect(k uint32, m uint64, yield func(Batch) bool) bool {
	if w.run != 0 || w.list+uint32(bits.OnesCount64(m)) > batchSize {
		if !w.flush(yield) {
			return false
		}
	}
	lo := w.list
	for x := m; x != 0; x &= x - 1 {
		w.objects[w.list&63] = k<<6 + uint32(bits.TrailingZeros64(x))
		w.list++
	}
	for i, t := range w.terms {
		t.RowsOf(w.rows[i&(maxTerms-1)][lo:w.list], w.objects[lo:w.list])
	}
	return true
}

// flush yields what has been collected, if anything; false ends the walk.
func (w *walk) flush(yield func(Batch) bool) bool {
	switch {
	case w.run != 0:
		w.n, w.listed, w.run = w.run, false, 0
	case w.list != 0:
		w.n, w.listed, w.list = w.list, true, 0
	default:
		return true
	}
	more := yield(Batch{w})
	w.finish()
	return more
}

// finish puts the copies of written columns back.
func (w *walk) finish() {
	if w.listed {
		w.scatter()
	}
	w.n = 0
}

// open takes the next slot for a walk of q.
func (j *job) open(q *querySpec) *walk {
	p := j.planOf(q)
	if j.depth == maxWalks {
		panic(fmt.Sprintf("systems: %d walks are open, one inside the other; close one first", maxWalks))
	}
	if j.depth != 0 {
		j.conflict(p)
	}
	w := &j.walks[j.depth]
	j.depth++
	w.plan, w.job, w.run, w.list, w.copied = p, j, 0, 0, 0
	return w
}

// close ends a walk however it ends: by its end, break, return, panic or Goexit.
func (w *walk) close() {
	w.job.depth--
	if w.n != 0 { // the body did not come back
		w.finish()
	}
}

// conflict panics when p writes what an open walk uses, or uses what an open walk writes.
//
//go:noinline
func (j *job) conflict(p *plan) {
	for d := range j.depth {
		for _, a := range p.columns {
			for _, b := range j.walks[d].columns {
				if a.field == b.field && (a.write || b.write) {
					panic(fmt.Sprintf("systems: field %q of kind %q is written by one of two walks that are "+
						"open at once; close the outer one first, or copy what it reads",
						a.field.Name, a.field.Kind.Name))
				}
			}
		}
	}
}

// held reports whether an open walk writes a field.
func (j *job) held(f *layout.FieldSpec) bool {
	for d := range j.depth {
		for _, c := range j.walks[d].columns {
			if c.write && c.field == f {
				return true
			}
		}
	}
	return false
}

// free panics when an open walk writes a field.
func (j *job) free(f *layout.FieldSpec) {
	if j.depth != 0 && j.held(f) {
		panic("systems: field " + f.Name + " of kind " + f.Kind.Name + " is written by a walk that is open; " +
			"reach it through the walk's batches, or end the walk first")
	}
}

// still panics when a walk is open.
func (j *job) still() {
	if j.depth != 0 {
		panic(ErrWalking.Error())
	}
}
