//go:build ecsdebug

package systems

import (
	"fmt"
	"hash/maphash"
)

var seed = maphash.MakeSeed()

// A walkCheck detects writes to fields that a query only reads: it hashes the columns that are read
// before and after each batch, and poisons copies after it. It detects NaNs too.
type walkCheck struct {
	nanCheck
	sums [maxColumns]uint64 // of the rows that are handed out in place
}

func (c *walkCheck) begin(w *walk) {
	c.nanCheck.begin(w)
	for i := range w.columns {
		c.sums[i] = w.sum(&w.columns[i])
	}
}

func (c *walkCheck) finish(w *walk) {
	c.nanCheck.finish(w)
	for i := range w.columns {
		f := &w.columns[i]
		if f.mode != write && (w.sum(f) != c.sums[i] || w.copyDiffers(i, f)) {
			panic(fmt.Sprintf("flatecs: field %q of kind %q was written by a system that "+
				"only reads it; "+
				"declare it in Write", f.field.Name, f.field.Kind.Name))
		}
	}
}

// sum hashes the rows of a column that are in the batch.
func (w *walk) sum(c *planColumn) uint64 {
	if w.present>>c.term&1 == 0 {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(seed)
	stride := c.column.Stride
	for i := range int(w.n) {
		row := int(Batch{w}.row(c.term, i))
		_, _ = h.Write(c.column.Bytes[row*stride:][:stride])
	}
	return h.Sum64()
}

// copyDiffers reports whether the gathered copy of a column differs from its rows.
func (w *walk) copyDiffers(i int, c *planColumn) bool {
	if w.copied>>i&1 == 0 {
		return false
	}
	stride := c.column.Stride
	for r := range int(w.n) {
		row := int(Batch{w}.row(c.term, r))
		kept, now := w.scratch[c.at+r*stride:][:stride], c.column.Bytes[row*stride:][:stride]
		if string(kept) != string(now) {
			return true
		}
	}
	return false
}

// poison overwrites the copies of a finished batch, so that their use is noticed.
func (*walkCheck) poison(w *walk) {
	if w.strewn != 0 {
		for i := range w.scratch {
			w.scratch[i] = 0xA5
		}
	}
}
