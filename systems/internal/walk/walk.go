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
	Part    bool   // of a task: what walks write is stamped when all tasks have ended

	slots [Max]*Walk // one per nesting depth, made when first used
}

// A Walk is an open query. It collects matching objects as rows that lie side by side in each
// kind's columns, as many as there are; or up to batchSize of which the rows of some kinds are
// strewn, and listed.
type Walk struct {
	*Plan
	walks   *Walks
	since   uint64           // tick of a walk for changes; 0: of any
	present uint32           // a bit per term that the objects being collected have
	strewn  uint32           // a bit per term whose rows do not lie side by side
	n       uint32           // objects collected
	out     bool             // what was collected is with the system
	ended   bool             // a walk that began later is open still
	row     [maxTerms]uint32 // first row, per term; or [0]: object
	next    [maxTerms]uint32 // first row of what may follow, like row
	rows    []rowList        // of strewn terms, per term; or [0]: objects, or holes from the first
	blocks  []listed         // that the lists are of
	copied  uint64           // a bit per column: its copy is in scratch
	scratch []byte           // copies of the strewn rows, or of the holes
	gaps                     // of a row-wise run
	audit   audit
}

// A listed is the part of the lists that is of one block, or of 64 rows side by side.
type listed struct {
	end uint16 // of its rows in the lists
	odd uint16 // a bit per term: some are not in lockstep
}

// A rowList has room for all that is written to it at once.
type rowList [batchSize + 64]uint32

// at returns the place of row i, and of as many behind it as a block has.
func (l *rowList) at(i uint32) *[64]uint32 { return (*[64]uint32)(l[i:]) }

// aim sets rows to those of object of block k, if it is in lockstep, and returns who is not.
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

// follows reports whether next is right after the run and a gap.
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
