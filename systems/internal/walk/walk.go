package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// Max is the most nested walks that are open at once.
const Max = 8

const full = ^uint64(0) // all objects of a block

// Walks are the open walks of one goroutine in one world, and the blocks that they cover.
type Walks struct {
	Objects *gameobject.Registry
	From    uint32 // first block of the walks
	To      uint32 // block after the last one
	Depth   int    // walks open
	Writes  uint64 // bits of the kinds that they write, by MaskOf; kinds may share a bit
	Part    bool   // of a task: written rows are stamped when all tasks have ended

	slots [Max]*Walk // one per nesting depth, allocated on first use
}

// A Walk is an open query. It collects matching objects as contiguous rows in each kind's columns,
// any number of them, or up to [query.BatchSize] objects with scattered, listed rows in some kinds.
type Walk struct {
	plan   *query.Plan
	walks  *Walks
	since  uint64                 // tick of Since; 0: all objects
	batch  Batch                  // collected objects, or the system's batch
	out    bool                   // the system has the batch
	ended  bool                   // a walk that began later is still open
	next   [query.MaxTerms]uint32 // first row of the possible continuation, like batch.row
	joined uint64                 // of a row-wise walk: see gaps
	order  []uint32               // the objects of a walk in order
	audit  audit
}

// A Batch collects the objects of a walk, and is then what a system sees.
type Batch struct {
	Plan *query.Plan
	Turn uint64 // batches that ended; a Batch of an earlier turn is stale
	content
	objects *gameobject.Registry
	present uint32                 // a bit per term that the objects have
	row     [query.MaxTerms]uint32 // first row per term; or [0]: object
	rows    []rowList              // rows per scattered term; or [0]: objects; or holes of the run
	blocks  []listed               // where the lists come from
	scratch []byte                 // copies of scattered rows, or of holes
	above   *above                 // of a walk by levels, else nil or idle
}

// A content is the part of a Batch that each batch resets.
type content struct {
	n       uint32 // objects
	strewn  uint32 // a bit per term whose rows are scattered
	copied  uint64 // a bit per column whose copy is in scratch
	inOrder bool   // the lists ascend, and blocks is unused
	gaps           // of a row-wise run
}

// begin begins a batch.
func (b *Batch) begin() {
	b.content = content{}
	b.blocks = b.blocks[:0]
}

// A gaps records the rows of a row-wise run that do not match. The system runs over them, which is
// faster than skipping them; then they are restored.
//
//	block       4                        5                       6
//	rows        ■ ■ · ■ ■ … ■ ■ ■ · ·    ■ ■ · ■ … ■ ■ ■ ■ ·     ■ ■ ■ …    ■ matches, · not
//	run, n      ├───────────────────────────────────────────┤
//	holes           ↑             ↑ ↑        ↑               ↑   5, by their place in the run
//	tail                                                     ↑   1: the holes behind the run
//	complete                                                     6
//	joined                               1                       1
//
//	tail        becomes part of the run when the run continues, and is dropped when it is yielded
//	complete    the blocks before this one are in the run to their last row, tail included
//	joined      of the walk, a bit per block of the group: it and the previous block are all in
//	            lockstep, own every row, and are contiguous in every kind
//
// If complete is the next block and that block is joined, it is added without a look at the owners
// of the rows in between. rows[0] lists the holes, and scratch holds their values while the system
// has the batch.
type gaps struct {
	holes    uint32 // rows in the run and right behind it that do not match
	tail     uint32 // the holes behind the run
	complete uint32 // block after the blocks whose rows are all in the run, holes included
}

// A listed is the part of the lists from one block, or from 64 consecutive rows.
type listed struct {
	end   uint16 // end of its rows in the lists
	odd   uint16 // a bit per term: some objects are odd
	block uint32 // or noBlock
}

// A rowList has room for blind writes of 64 rows at once.
type rowList [query.BatchSize + 64]uint32

// at returns a pointer to row i and the 63 rows after it.
func (l *rowList) at(i uint32) *[64]uint32 { return (*[64]uint32)(l[i:]) }

// findRows sets rows to the rows of object of block k, if it is in lockstep, and returns the odd
// objects.
func (w *Walk) findRows(rows *[query.MaxTerms]uint32, k, object uint32) (odd uint64) {
	rows[0] = object
	for i, t := range w.plan.Terms {
		if w.batch.present>>i&1 != 0 {
			odd |= t.Blocks.Odd(k)
			rows[i&(query.MaxTerms-1)] = object + t.Blocks.Base(k)
		}
	}
	return odd
}

// follows reports whether next continues the run after a gap.
func (w *Walk) follows(gap uint32) bool {
	b := &w.batch
	for x := b.withRows(); x != 0; x &= x - 1 {
		if t := bits.TrailingZeros32(x) & (query.MaxTerms - 1); w.next[t] != b.row[t]+b.n+gap {
			return false
		}
	}
	return true
}

// withRows returns a bit per term with rows: the present terms, or bit 0, standing for the object
// index, when no field is asked for.
func (b *Batch) withRows() uint32 { return max(b.present, 1) }
