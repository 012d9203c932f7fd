package systems

import (
	"fmt"
	"math/bits"
)

const maxWalks = 8 // walks open at once, nested

// A walk is an open query. There is one slot per nesting depth, which is reused. It collects
// matching objects into batches: of any length if their rows are consecutive in each kind's
// columns, or of up to batchSize objects if the rows of some kinds are scattered and listed.
type walk struct {
	*plan
	job      *job
	since    uint64           // tick of Since; 0: all objects
	present  uint32           // a bit per term that the collected objects have
	strewn   uint32           // a bit per term whose rows are scattered
	n        uint32           // objects collected
	holes    uint32           // rows among and right behind them that do not match
	tail     uint32           // how many of those are behind
	joined   uint64           // a bit per block of a group: see addJoined
	complete uint32           // block after those whose rows are all in the run, holes included
	out      bool             // the batch is with the system
	ended    bool             // a walk that began later is still open
	row      [maxTerms]uint32 // first row per term; or [0]: object
	next     [maxTerms]uint32 // first row of the possible continuation, like row
	rows     []rowList        // rows per scattered term; or [0]: objects; or holes of the run
	blocks   []listed         // where the lists come from
	copied   uint64           // a bit per column whose copy is in scratch
	scratch  []byte           // copies of scattered rows, or of holes
	check    walkCheck
}

// A listed is the part of the lists that comes from one block, or from 64 consecutive rows.
type listed struct {
	end uint16 // end of its rows in the lists
	odd uint16 // a bit per term: some objects are odd
}

// A rowList has room for all rows that are written to it at once.
type rowList [batchSize + 64]uint32

// at returns a pointer to row i and the 63 after it.
func (l *rowList) at(i uint32) *[64]uint32 { return (*[64]uint32)(l[i:]) }

// walk yields the objects that match q, in batches.
func (j *job) walk(q *querySpec, since uint64, yield func(Batch) bool) {
	w := j.open(q, since)
	defer w.close()
	if since != 0 && !w.plan.since {
		panic("flatecs: Since needs a query with a Changed term; add one")
	}
	first, end := j.span()
	if end-first == 1 {
		w.only(first, yield)
		return
	}
	for g := first >> 6; g<<6 < end; g++ {
		some, whole := w.group(int(g))
		part := within(first, end, g)
		for some, whole = some&part, whole&part; some != 0; {
			i := uint32(bits.TrailingZeros64(some))
			k := g<<6 + i
			if c := uint32(bits.TrailingZeros64(^(whole >> i))); c > 0 {
				some &^= full >> (64 - c) << i
				if !w.extend(k, c, yield) {
					return
				}
				continue
			}
			some &= some - 1
			if w.joined>>i&1 != 0 {
				if !w.addJoined(k, yield) {
					return
				}
			} else if !w.block(k, yield) {
				return
			}
		}
	}
	w.flush(yield)
}

// block collects the matching objects of a block.
func (w *walk) block(k uint32, yield func(Batch) bool) bool {
	x := w.matching(k)
	return x == 0 || w.collect(k, x, yield)
}

// only walks a job whose range is a single block.
func (w *walk) only(k uint32, yield func(Batch) bool) {
	x := w.matching(k)
	s := uint32(bits.TrailingZeros64(x))
	switch run := x >> s; {
	case x == 0:
	case run&(run+1) == 0 && !w.optional && !w.forced && w.aim(&w.row, k, k<<6+s)&x == 0:
		w.n = uint32(bits.OnesCount64(x))
		w.send(yield)
	case w.collect(k, x, yield):
		w.flush(yield)
	}
}

// matching returns the objects of a block that the walk includes.
func (w *walk) matching(k uint32) uint64 {
	x := w.Block(k)
	if w.since != 0 {
		x = w.late(k, x)
	}
	return x
}

// walkOne yields one object, if it matches.
func (j *job) walkOne(q *querySpec, id GameObject, yield func(Batch) bool) {
	w := j.open(q, 0)
	defer w.close()
	if i := id.Index(); j.Objects.Alive(id) && w.Object(i) && w.collect(i>>6, 1<<(i&63), yield) {
		w.flush(yield)
	}
}

// objects yields the ids of the objects that match q.
func (j *job) objects(q *querySpec, yield func(GameObject) bool) {
	p := j.planOf(q)
	first, end := j.span()
	for g := first >> 6; g<<6 < end; g++ {
		some, _ := p.Group(int(g))
		for some &= within(first, end, g); some != 0; some &= some - 1 {
			k := g<<6 + uint32(bits.TrailingZeros64(some))
			for x := p.Block(k); x != 0; x &= x - 1 {
				if !yield(j.Objects.At(k<<6 + uint32(bits.TrailingZeros64(x)))) {
					return
				}
			}
		}
	}
}

// countOf counts the objects that match q.
func (j *job) countOf(q *querySpec) (n int) {
	p := j.planOf(q)
	first, end := j.span()
	for g := first >> 6; g<<6 < end; g++ {
		some, whole := p.Group(int(g))
		part := within(first, end, g)
		n += 64 * bits.OnesCount64(whole&part)
		for some &= part &^ whole; some != 0; some &= some - 1 {
			n += bits.OnesCount64(p.Block(g<<6 + uint32(bits.TrailingZeros64(some))))
		}
	}
	return n
}

// span returns the job's range of blocks.
func (j *job) span() (first, end uint32) { return j.from, min(j.to, j.blocks()) }

// within returns the blocks of group g in the range from first to end, a bit each.
func within(first, end, g uint32) uint64 {
	x := full
	if lo := g << 6; lo < first {
		x <<= first - lo
	}
	if rest := end - g<<6; rest < 64 {
		x &= 1<<rest - 1
	}
	return x
}

// group returns the blocks of a group that may have matching objects, and those that extend long
// runs.
func (w *walk) group(g int) (some, whole uint64) {
	some, whole = w.Group(g)
	if w.optional {
		for t := bits.OnesCount32(w.required); t < len(w.terms); t++ {
			if w.terms[t].Groups[g].Any != 0 {
				whole = 0
			}
		}
	}
	if w.forced || w.since != 0 {
		whole = 0
	}
	if w.joined = 0; w.rowWise && !w.optional && !w.forced {
		w.joined = w.joins(g)
	}
	return some, whole
}

// joins returns the blocks of a group that are in lockstep with the one before, completely, in
// every kind whose fields are asked for.
func (w *walk) joins(g int) uint64 {
	blocks := full
	for _, t := range w.terms {
		blocks &= t.Groups[g].Whole
	}
	return blocks & (blocks << 1)
}

// late returns the objects among x of a block that may have changed since.
func (w *walk) late(k uint32, x uint64) (c uint64) {
	for _, m := range w.changed {
		c |= m.Changed(k, x&m.Blocks[k].Present, w.since)
	}
	return c
}

// extend adds all objects of n blocks in lockstep, from block k on, to the run.
func (w *walk) extend(k, n uint32, yield func(Batch) bool) bool {
	w.aim(&w.next, k, k<<6)
	w.complete = k + n
	return w.grow(n<<6, w.tail, yield)
}

// aim sets rows to the rows of object of block k, if it is in lockstep, and returns the odd
// objects.
func (w *walk) aim(rows *[maxTerms]uint32, k, object uint32) (odd uint64) {
	rows[0] = object
	for i, t := range w.terms {
		if w.present>>i&1 != 0 {
			b := &t.Blocks[k]
			odd |= b.Odd
			rows[i&(maxTerms-1)] = object + b.Base
		}
	}
	return odd
}

// grow adds n rows from next on to the run, if they continue it in every kind except for a gap;
// otherwise it yields the run and starts another one.
func (w *walk) grow(n, gap uint32, yield func(Batch) bool) bool {
	if w.n != 0 {
		if w.strewn == 0 && w.follows(gap) {
			w.n, w.tail = w.n+gap+n, 0
			return true
		}
		if !w.flush(yield) {
			return false
		}
	}
	w.row, w.n = w.next, n
	return true
}

// follows reports whether next continues the run after a gap.
func (w *walk) follows(gap uint32) bool {
	for x := w.kinds(); x != 0; x &= x - 1 {
		if t := bits.TrailingZeros32(x) & (maxTerms - 1); w.next[t] != w.row[t]+w.n+gap {
			return false
		}
	}
	return true
}

// kinds returns a bit per term of the batch, or bit 0, standing for the object index, if no field
// is asked for.
func (w *walk) kinds() uint32 { return max(w.present, 1) }

// flush yields the collected batch, if any. It returns false if the walk ends.
func (w *walk) flush(yield func(Batch) bool) bool { return w.n == 0 || w.send(yield) }

// send yields the collected batch.
func (w *walk) send(yield func(Batch) bool) bool {
	w.begin()
	more := yield(Batch{w})
	w.finish()
	return more
}

// begin prepares the batch before it is yielded.
func (w *walk) begin() {
	w.holes, w.tail = w.holes-w.tail, 0
	if w.holes != 0 {
		w.keepHoles()
	}
	w.out = true
	w.check.begin(w)
}

// finish ends the batch: it writes back copies and holes, and stamps written rows.
func (w *walk) finish() {
	w.check.finish(w)
	switch {
	case w.strewn != 0:
		w.scatter()
	case w.holes != 0:
		w.restoreHoles()
	}
	w.stamp()
	w.check.poison(w)
	w.n, w.strewn, w.holes, w.out, w.blocks = 0, 0, 0, false, w.blocks[:0]
}

// stamp stamps the rows that the batch may have written.
func (w *walk) stamp() {
	if w.job.whole != nil {
		return // tasks are stamped after all have ended
	}
	for x := w.written & w.present; x != 0; x &= x - 1 {
		t := bits.TrailingZeros32(x) & (maxTerms - 1)
		if w.strewn>>t&1 != 0 {
			w.stampList(t)
		} else {
			w.terms[t].Touch(w.row[t], w.n)
		}
	}
}

// stampList stamps the listed rows of a term. Rows of one block in lockstep share the stamp of the
// first or the last one.
func (w *walk) stampList(t int) {
	rows, from := &w.rows[t], uint16(0)
	for _, b := range w.blocks {
		part := rows[from:b.end]
		if b.odd>>t&1 == 0 {
			part = []uint32{part[0], part[len(part)-1]}
		}
		w.terms[t].TouchRows(part)
		from = b.end
	}
}

// open takes the next slot for a walk of q.
func (j *job) open(q *querySpec, since uint64) *walk {
	p := j.planOf(q)
	if p.written != 0 && j.frozen {
		panic(snapshotOnly)
	}
	if j.depth == maxWalks {
		panic(fmt.Sprintf("flatecs: %d walks are open, one inside the other; close one first",
			maxWalks))
	}
	if j.depth != 0 {
		j.conflict(p)
	}
	w := j.walks[j.depth]
	if w == nil || len(w.rows) < len(p.terms) || len(w.scratch) < p.scratch {
		w = j.level(p)
	}
	j.depth++
	w.plan, w.job, w.since, w.present = p, j, since, p.required
	w.n, w.strewn, w.holes, w.tail, w.copied, w.complete = 0, 0, 0, 0, 0, 0
	w.ended, w.out = false, false
	w.blocks = w.blocks[:0]
	return w
}

// close ends a walk, whether by its end, break, return, panic or Goexit.
func (w *walk) close() {
	if w.out { // the loop body did not return normally
		w.finish()
	}
	j := w.job
	w.ended = true
	for j.depth > 0 && j.walks[j.depth-1].ended { // a walk may end before one that began later
		j.depth--
	}
}
