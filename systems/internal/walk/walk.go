package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
)

// Max is the most walks that are open at once, one inside the other.
const Max = 8

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
// kind's columns, as many as there are; or up to batchSize of which the rows of some kinds are
// strewn, and listed.
type Walk struct {
	*Plan
	Turn    uint64 // batches that are over; a batch of before is of an earlier one
	walks   *Walks
	since   uint64           // tick of Since; 0: all objects
	present uint32           // a bit per term that the collected objects have
	strewn  uint32           // a bit per term whose rows are scattered
	n       uint32           // objects collected
	out     bool             // the batch is with the system
	ended   bool             // a walk that began later is still open
	row     [maxTerms]uint32 // first row per term; or [0]: object
	next    [maxTerms]uint32 // first row of the possible continuation, like row
	rows    []rowList        // rows per scattered term; or [0]: objects; or holes of the run
	blocks  []listed         // where the lists come from
	inOrder bool             // the lists ascend, and blocks says nothing
	copied  uint64           // a bit per column whose copy is in scratch
	scratch []byte           // copies of scattered rows, or of holes
	above   *above           // of a walk by levels, else nil or idle
	order   []uint32         // the objects of a walk in order
	gaps                     // of a row-wise run
	audit   audit
}

// A listed is the part of the lists that comes from one block, or from 64 consecutive rows.
type listed struct {
	end   uint16 // end of its rows in the lists
	odd   uint16 // a bit per term: some objects are odd
	block uint32 // or noBlock
}

// A rowList has room for all rows that are written to it at once.
type rowList [batchSize + 64]uint32

// at returns a pointer to row i and the 63 after it.
func (l *rowList) at(i uint32) *[64]uint32 { return (*[64]uint32)(l[i:]) }

// aim sets rows to the rows of object of block k, if it is in lockstep, and returns the odd
// objects.
func (w *Walk) aim(rows *[maxTerms]uint32, k, object uint32) (odd uint64) {
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

// follows reports whether next continues the run after a gap.
func (w *Walk) follows(gap uint32) bool {
	for x := w.withRows(); x != 0; x &= x - 1 {
		if t := bits.TrailingZeros32(x) & (maxTerms - 1); w.next[t] != w.row[t]+w.n+gap {
			return false
		}
	}
	return true
}

// withRows returns a bit per term that has rows: those present, or bit 0, standing for the object
// index, when no field is asked for.
func (w *Walk) withRows() uint32 { return max(w.present, 1) }
