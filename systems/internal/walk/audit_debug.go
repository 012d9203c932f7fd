//go:build ecsdebug

package walk

import (
	"bytes"
	"fmt"
	"hash/maphash"

	"github.com/flatecs/flatecs/systems/internal/query"
)

var hashSeed = maphash.MakeSeed()

// An audit catches writes to what a system only reads: it hashes the rows of the columns that
// are read before and after each batch, and poisons the copies after it. It catches NaNs too, and
// rows that are left out of columns that are to be written whole.
type audit struct {
	nanCheck
	sums  [query.MaxColumns]uint64 // of the rows that are handed out in place
	whole uint64                   // a bit per column that is to be written whole
	over  []byte                   // copies that are over, poisoned
}

func (c *audit) begin(w *Walk) {
	c.nanCheck.begin(w)
	c.whole = 0
	for i := range w.Columns {
		c.sums[i] = w.sum(&w.Columns[i])
	}
}

const (
	unwritten = 0xA5 // each byte of copies that are over, and of rows that are to be written whole
	telling   = 8    // a value of fewer bytes may well be the same
)

// overwrite fills the rows of a column with what the system cannot want there.
func (c *audit) overwrite(w *Walk, column int) {
	f := &w.Columns[column]
	if w.present>>f.Term&1 == 0 {
		return
	}
	c.whole |= 1 << column
	for r := range int(w.n) {
		for v := w.value(column, r); len(v) > 0; v = v[1:] {
			v[0] = unwritten
		}
	}
}

// checkWhole panics if a row of a column that is to be written whole was not.
func (c *audit) checkWhole(w *Walk) {
	for i := range w.Columns {
		f := &w.Columns[i]
		if c.whole>>i&1 == 0 || f.Rows.Stride < telling {
			continue
		}
		for r := range int(w.n) {
			if bytes.Count(w.value(i, r), []byte{unwritten}) == f.Rows.Stride {
				panic(fmt.Sprintf("flatecs: row %d of a batch was left out of field %q of kind "+
					"%q, which Overwrite hands out to be written whole; "+
					"write each row, or use Column",
					r, f.Field.Name, f.Field.Kind.Name))
			}
		}
	}
}

func (c *audit) finish(w *Walk) {
	c.checkWhole(w)
	c.nanCheck.finish(w)
	for i := range w.Columns {
		f := &w.Columns[i]
		if f.Mode != query.Write && (w.sum(f) != c.sums[i] || w.copyDiffers(i, f)) {
			panic(fmt.Sprintf("flatecs: field %q of kind %q was written by a system that "+
				"only reads it; "+
				"declare it in Write", f.Field.Name, f.Field.Kind.Name))
		}
	}
}

// sum hashes the rows of a column that are in the batch.
func (w *Walk) sum(c *query.Column) uint64 {
	if w.present>>c.Term&1 == 0 {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(hashSeed)
	stride := c.Rows.Stride
	for i := range int(w.n) {
		row := int(w.Row(c.Term, i))
		_, _ = h.Write(c.Rows.Bytes[row*stride:][:stride])
	}
	return h.Sum64()
}

// copyDiffers reports whether the gathered copy of a column differs from its rows.
func (w *Walk) copyDiffers(i int, c *query.Column) bool {
	if w.copied>>i&1 == 0 {
		return false
	}
	stride := c.Rows.Stride
	for r := range int(w.n) {
		row := int(w.Row(c.Term, r))
		kept, now := w.scratch[c.Copy+r*stride:][:stride], c.Rows.Bytes[row*stride:][:stride]
		if string(kept) != string(now) {
			return true
		}
	}
	return false
}

// poison overwrites the copies of a finished batch, so that their use is noticed.
func (c *audit) poison(w *Walk) {
	if w.strewn != 0 {
		for i := range w.scratch {
			w.scratch[i] = unwritten
		}
		c.over = w.scratch
	}
}

// checkCopies panics if copies were written that were over.
func (c *audit) checkCopies() {
	over := c.over
	c.over = nil // report it once
	for _, b := range over {
		if b != unwritten {
			panic("flatecs: a column was written when its batch was over, which reached no " +
				"object; use columns in the loop that yields their batch")
		}
	}
}
