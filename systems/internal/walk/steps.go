package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// A Relation says which objects refer to another one; see package kin.
type Relation interface {
	Held(block uint32) uint64
	Version() uint64 // changes when Held does
}

// A Tree records the parent of each object.
type Tree interface {
	Relation
	Levels() int
	Shape() uint64 // changes when Held gets an object
	Level(depth int) (objects, targets []uint32)
	TargetOf(object uint32) (target uint32)
	Targets(block uint32) uint64 // the objects that are referred to, and perhaps others
}

// An above holds a walk's data about the parents of a batch, in a walk by levels.
type above struct {
	tree    Tree
	roots   bool     // the objects of the batch have no parents
	targets []uint32 // the parents of the batch, if they are listed
	values  []byte   // of the parents; a part per call of Parents
	used    int      // bytes of values

	parents rowList // per object of the batch, if they are not listed
	rows    rowList // of the parents
	list    rowList // objects without parents
	stepping
	together []together // of kinds whose fields were read
}

// A stepping numbers the blocks whose listed objects can be handed out without a look at each: all
// of the relation's objects match, none is odd, and the offset of their rows is the same in all
// blocks with the same number.
type stepping struct {
	step    []uint32    // per block: numbers, which ascend; 0: some object does not match or is odd
	plan    *query.Plan // plan for which step is valid
	of      Relation    // relation for which step is valid
	version uint64      // of kinds and relation, for which step is valid
	seen    int         // objects that were listed while step was invalid
	valid   bool
	all     bool // all listed blocks have the same number
}

const noBlock = ^uint32(0)

// findSteps makes step valid, once enough objects have been looked at one by one to pay for it.
// shape changes when the relation gets an object.
func (w *Walk) findSteps(r Relation, shape uint64, objects int) {
	a := w.batch.above
	version, ok := w.plan.Match.Version()
	ok = ok && !w.plan.Optional && !w.plan.Forced && !w.plan.RowWise
	version += shape
	same := a.valid && a.plan == w.plan && a.of == r && a.version == version
	if !ok || same {
		a.valid = ok
		return
	}
	blocks := int(w.walks.Blocks())
	if a.seen += objects; objects != 0 && a.seen < blocks {
		a.valid = false
		return
	}
	a.plan, a.of, a.version, a.seen, a.valid = w.plan, r, version, 0, true
	number, last, some := uint32(0), noBlock, false
	for k := range uint32(blocks) {
		switch held := r.Held(k); {
		case held == 0:
			a.step[k] = 0
			continue
		case held&^w.plan.Match.Block(k) != 0 || odd(w.plan.Terms, k, held):
			a.step[k], last, some = 0, noBlock, true
			continue
		case last == noBlock || !alike(w.plan.Terms, last, k):
			number++
		}
		a.step[k], last = number, k
	}
	a.all = number == 1 && !some
}

// A together says whether all parents of a tree have a component of a kind, with rows at the same
// offset. Then their rows need no look at each.
type together struct {
	m       *manager.Manager
	of      Tree
	version uint64 // at which it is valid
	asked   int    // parents that were looked at one by one while it was invalid
	base    uint32 // row minus object
	ok      bool
}

// baseAbove returns the offset of rows from the parents of the tree, if it is the same for all. It
// finds out once enough parents have been read to pay for it.
func (b *Batch) baseAbove(m *manager.Manager, parents int) (base uint32, ok bool) {
	a := b.above
	t := a.togetherOf(m)
	if version := m.Stamps.Reshaped() + a.tree.Version(); t.of != a.tree || t.version != version {
		if t.asked += parents; t.asked < int(blocksOf(b.objects)) {
			return 0, false
		}
		t.of, t.version, t.asked = a.tree, version, 0
		t.base, t.ok = b.findTogether(m)
	}
	return t.base, t.ok
}

// togetherOf returns the record about the parents' rows of a kind.
func (a *above) togetherOf(m *manager.Manager) *together {
	for i := range a.together {
		if t := &a.together[i]; t.m == m {
			return t
		}
	}
	a.together = append(a.together, together{m: m})
	return &a.together[len(a.together)-1]
}

// findTogether returns the offset of the rows of a kind from the objects that the tree refers to,
// if it is the same for all.
func (b *Batch) findTogether(m *manager.Manager) (base uint32, ok bool) {
	for k := range blocksOf(b.objects) {
		switch x := b.above.tree.Targets(k); {
		case x == 0:
		case x&^m.Blocks.InLockstep(k) != 0, ok && m.Blocks.Base(k) != base:
			return 0, false
		default:
			base, ok = m.Blocks.Base(k), true
		}
	}
	return base, ok
}

// odd reports whether some objects x of a block are odd.
func odd(terms []*manager.Manager, k uint32, x uint64) bool {
	for _, m := range terms {
		if m.Blocks.Odd(k)&x != 0 {
			return true
		}
	}
	return false
}

// alike reports whether rows have the same offset from objects in two blocks.
func alike(terms []*manager.Manager, a, b uint32) bool {
	for _, m := range terms {
		if m.Blocks.Base(a) != m.Blocks.Base(b) {
			return false
		}
	}
	return true
}

// loose reports whether to list the objects x of a block rather than hand them out in place.
func (w *Walk) loose(k uint32, x uint64) bool {
	n, runs := bits.OnesCount64(x), bits.OnesCount64(x&^(x<<1))
	few := n < manager.MinRun || runs*manager.MinRun > n
	return few && w.batch.above.valid && !odd(w.plan.Terms, k, x)
}

// inStep returns how many objects from the first on can be handed out, up to query.BatchSize. If
// they ascend, checking the last one is enough.
func (s *stepping) inStep(objects []uint32, ascend bool) int {
	if !s.valid {
		return 0
	}
	n, number := min(len(objects), query.BatchSize), s.step[objects[0]>>6]
	switch {
	case number == 0:
		return 0
	case s.all, ascend && s.step[objects[n-1]>>6] == number:
		return n
	}
	for i, o := range objects[:n] {
		if s.step[o>>6] != number {
			return i
		}
	}
	return n
}

// hand yields objects whose rows all have the same offset. It prefetches the values of next.
func (w *Walk) hand(objects, next []uint32, ascend bool, yield func(*Batch) bool) bool {
	b := &w.batch
	n := uint32(len(objects))
	first := objects[0]
	w.findRows(&b.row, first>>6, first)
	b.prefetch(first, next)
	if b.n = n; !ascend || objects[n-1]-first != n-1 {
		b.strewn = b.withRows()
		if b.present == 0 {
			copy(b.rows[0][:n], objects)
		}
		for t := range w.plan.Terms {
			addTo(b.rows[t][:n], objects, b.row[t]-first)
		}
		if b.inOrder = ascend; !ascend {
			b.blocks = append(b.blocks, listed{uint16(n), ^uint16(0), noBlock}) // row by row
		}
	}
	return w.send(yield)
}

// cached is the size in bytes up to which a column in use is in a cache anyway.
const cached = 8 << 20

// prefetch prefetches the values of objects, guessing that their rows have the same offset as row
// has from the first object of the batch.
func (b *Batch) prefetch(first uint32, objects []uint32) {
	objects = objects[:min(len(objects), query.BatchSize)]
	for i := range b.Plan.Columns {
		c := &b.Plan.Columns[i]
		if size := c.Rows.Stride; b.Plan.Terms[c.Term].Rows.High()*size > cached {
			kernel.Prefetch(c.Rows.Bytes, size, objects, b.row[c.Term]-first)
		}
	}
}

// addTo writes objects + base to rows.
func addTo(rows, objects []uint32, base uint32) {
	if base == 0 {
		copy(rows, objects)
		return
	}
	rows = rows[:len(objects)]
	for i, o := range objects {
		rows[i] = o + base
	}
}
