//go:build ecsdebug

package walk

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/flatecs/flatecs/systems/internal/query"
)

// A nanCheck finds the first NaN that a system writes through a batch. The bits of a NaN differ
// between processors, so a world with NaNs is not the same on every machine.
type nanCheck struct {
	had [query.MaxColumns]int // NaNs in the rows that may be written, before the batch
}

func (c *nanCheck) begin(b *Batch) {
	for i := range b.Plan.Columns {
		c.had[i], _ = b.nans(i, &b.Plan.Columns[i])
	}
}

func (c *nanCheck) finish(b *Batch) {
	for i := range b.Plan.Columns {
		f := &b.Plan.Columns[i]
		if n, first := b.nans(i, f); n > c.had[i] {
			panic(fmt.Sprintf("flatecs: field %q of kind %q holds a NaN now, in row %d; "+
				"its bits differ between machines: keep the system from 0/0, ∞−∞, 0×∞ and √−1",
				f.Field.Name, f.Field.Kind.Name, first))
		}
	}
}

// nans counts the NaNs of a column that is written, and returns the last row with one.
func (b *Batch) nans(i int, c *query.Column) (n, row int) {
	if c.Mode != query.Write || b.present>>c.Term&1 == 0 || b.holes != 0 {
		return 0, 0 // rows in holes may hold anything; they are restored
	}
	for k := range c.Field.Parts {
		p := &c.Field.Parts[k]
		if p.Type != "float32" && p.Type != "float64" {
			continue
		}
		size := p.Size()
		found, last := b.nansOf(i, c, p.Offset, p.Offset+size*p.Lanes, size)
		if n += found; found > 0 {
			row = max(row, last)
		}
	}
	return n, row
}

// nansOf counts the NaNs in bytes in [from, to) of a value, in every row of the batch.
func (b *Batch) nansOf(i int, c *query.Column, from, to, size int) (n, row int) {
	for r := range int(b.n) {
		value, at := b.value(i, r), int(b.Row(c.Term, r))
		for b := value[from:to]; len(b) > 0; b = b[size:] {
			if isNaN(b[:size]) {
				n, row = n+1, at
			}
		}
	}
	return n, row
}

// value returns a value of a column, from the batch's copy if there is one.
func (b *Batch) value(column, row int) []byte {
	c := &b.Plan.Columns[column]
	stride := c.Rows.Stride
	if b.copied>>column&1 != 0 {
		return b.scratch[c.Copy+row*stride:][:stride]
	}
	return c.Rows.Bytes[int(b.Row(c.Term, row))*stride:][:stride]
}

func isNaN(b []byte) bool {
	if len(b) == 4 {
		return math.IsNaN(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	return math.IsNaN(math.Float64frombits(binary.LittleEndian.Uint64(b)))
}
