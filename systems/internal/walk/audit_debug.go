//go:build ecsdebug

package walk

import (
	"fmt"
	"hash/maphash"

	"github.com/flatecs/flatecs/systems/internal/query"
)

var hashSeed = maphash.MakeSeed()

// An audit detects writes to columns that a system only reads: it hashes their rows before and
// after each batch, and poisons copies after the batch. It detects NaNs too.
type audit struct {
	nanCheck
	sums [query.MaxColumns]uint64 // of the rows handed out in place
	over []byte                   // poisoned copies of finished batches
}

func (c *audit) begin(b *Batch) {
	c.nanCheck.begin(b)
	for i := range b.Plan.Columns {
		c.sums[i] = b.sum(&b.Plan.Columns[i])
	}
}

const unwritten = 0xA5 // each byte of poisoned copies

func (c *audit) finish(b *Batch) {
	c.nanCheck.finish(b)
	for i := range b.Plan.Columns {
		f := &b.Plan.Columns[i]
		if f.Mode != query.Write && (b.sum(f) != c.sums[i] || b.copyDiffers(i, f)) {
			panic(fmt.Sprintf("flatecs: field %q of kind %q was written by a system that "+
				"only reads it; "+
				"declare it in Write", f.Field.Name, f.Field.Kind.Name))
		}
	}
}

// sum hashes the rows of a column in the batch.
func (b *Batch) sum(c *query.Column) uint64 {
	if b.present>>c.Term&1 == 0 {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(hashSeed)
	stride := c.Rows.Stride
	for i := range int(b.n) {
		row := int(b.Row(c.Term, i))
		_, _ = h.Write(c.Rows.Bytes[row*stride:][:stride])
	}
	return h.Sum64()
}

// copyDiffers reports whether the gathered copy of a column differs from its rows.
func (b *Batch) copyDiffers(i int, c *query.Column) bool {
	if b.copied>>i&1 == 0 {
		return false
	}
	stride := c.Rows.Stride
	for r := range int(b.n) {
		row := int(b.Row(c.Term, r))
		kept, now := b.scratch[c.Copy+r*stride:][:stride], c.Rows.Bytes[row*stride:][:stride]
		if string(kept) != string(now) {
			return true
		}
	}
	return false
}

// poison overwrites the copies of a finished batch, so that using them is noticed.
func (c *audit) poison(b *Batch) {
	if b.strewn != 0 {
		for i := range b.scratch {
			b.scratch[i] = unwritten
		}
		c.over = b.scratch
	}
}

// checkCopies panics if copies of a finished batch were written.
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
