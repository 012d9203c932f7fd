package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// Max is the most walks that are open at once, one inside the other.
const Max = 8

const full = ^uint64(0) // a block of which all objects are meant

// Walks are those that one goroutine has open in one world, and the blocks that it sees.
type Walks struct {
	Objects *gameobject.Registry
	From    uint32 // first block that walks see
	To      uint32 // block after the last one
	Depth   int    // walks open
	Writes  uint64 // bits of the kinds that they write, by MaskOf; kinds may share one
	Part    bool   // of a task: what walks write is stamped when all tasks have ended

	slots [Max]*Walk // one per nesting depth, made when first used
}

// A Walk is an open query. It collects matching objects as rows that lie side by side in each
// kind's columns, as many as there are; or up to [query.BatchSize] of which the rows of some kinds
// are scattered, and listed.
type Walk struct {
	plan   *query.Plan
	walks  *Walks
	since  uint64                 // tick of Since; 0: all objects
	batch  Batch                  // what is collected, or with the system
	out    bool                   // the batch is with the system
	ended  bool                   // a walk that began later is still open
	next   [query.MaxTerms]uint32 // first row of the possible continuation, like batch.row
	joined uint64                 // of a row-wise walk: see gaps
	order  []uint32               // the objects of a walk in order
	audit  audit
}

// A Batch is what a walk has collected since the last one went out, and then what a system sees.
type Batch struct {
	Plan *query.Plan
	Turn uint64 // batches that are over; a batch of before is of an earlier one
	content
	objects *gameobject.Registry
	present uint32                 // a bit per term that the objects have
	row     [query.MaxTerms]uint32 // first row per term; or [0]: object
	rows    []rowList              // rows per scattered term; or [0]: objects; or holes of the run
	blocks  []listed               // where the lists come from
	scratch []byte                 // copies of scattered rows, or of holes
	above   *above                 // of a walk by levels, else nil or idle
}

// A content is what is different in each batch.
type content struct {
	n       uint32 // objects
	strewn  uint32 // a bit per term whose rows are scattered
	copied  uint64 // a bit per column whose copy is in scratch
	inOrder bool   // the lists ascend, and blocks says nothing
	gaps           // of a row-wise run
}

// begin begins a batch.
func (b *Batch) begin() {
	b.content = content{}
	b.blocks = b.blocks[:0]
}

// A gaps is what a run of a row-wise system knows of the rows in it that do not match. Its system
// runs over them, which is faster than to step round them; then they are made what they were.
//
//	block       4                        5                       6
//	rows        ■ ■ · ■ ■ … ■ ■ ■ · ·    ■ ■ · ■ … ■ ■ ■ ■ ·     ■ ■ ■ …    ■ matches, · not
//	run, n      ├───────────────────────────────────────────┤
//	holes           ↑             ↑ ↑        ↑               ↑   5, by their place in the run
//	tail                                                     ↑   1: of them, the ones behind it
//	complete                                                     6
//	joined                               1                       1
//
//	tail        becomes part of the run when that goes on, and is forgotten when it goes out
//	complete    the blocks before this one are in the run to their last row, tail included
//	joined      of the walk, a bit per block of the group: it and the one before are all in
//	            lockstep, every row their own, and follow each other in every kind
//
// Where complete is the next block and that is joined, the block is added without a look at who has
// the rows between. The holes are listed in rows[0], and what they hold is in scratch while the
// batch is out.
type gaps struct {
	holes    uint32 // rows in the run and right behind it that do not match
	tail     uint32 // of those, the ones behind
	complete uint32 // block after those whose rows are all in the run, holes included
}

// A listed is the part of the lists that comes from one block, or from 64 consecutive rows.
type listed struct {
	end   uint16 // end of its rows in the lists
	odd   uint16 // a bit per term: some objects are odd
	block uint32 // or noBlock
}

// A rowList has room for all rows that are written to it at once.
type rowList [query.BatchSize + 64]uint32

// at returns a pointer to row i and the 63 after it.
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

// withRows returns a bit per term that has rows: those present, or bit 0, standing for the object
// index, when no field is asked for.
func (b *Batch) withRows() uint32 { return max(b.present, 1) }
