//go:build ecsdebug

package systems

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A nanCheck finds the first NaN that a system writes through a batch. What a NaN's bits are
// differs between processors, so a world that holds one is not the same on every machine.
type nanCheck struct {
	had [maxColumns]int // NaNs in the rows that may be written, before the batch
}

func (c *nanCheck) begin(w *walk) {
	for i := range w.columns {
		c.had[i], _ = w.nans(i, &w.columns[i])
	}
}

func (c *nanCheck) finish(w *walk) {
	for i := range w.columns {
		f := &w.columns[i]
		if n, first := w.nans(i, f); n > c.had[i] {
			panic(fmt.Sprintf("systems: field %q of kind %q holds a NaN now, in row %d; "+
				"its bits differ between machines: keep the system from 0/0, ∞−∞, 0×∞ and √−1",
				f.field.Name, f.field.Kind.Name, first))
		}
	}
}

// nans counts the NaNs of a column that is written, and returns the last row with one.
func (w *walk) nans(i int, c *planColumn) (n, row int) {
	size := c.field.Size
	if c.mode != write || c.field.Type[0] != 'f' || w.present>>c.term&1 == 0 || w.holes != 0 {
		return 0, 0 // rows in holes may hold anything until they are put back
	}
	stride := c.column.Stride
	for r := range int(w.n) {
		at := int(Batch{w}.row(c.term, r))
		value := c.column.Bytes[at*stride:][:stride]
		if w.copied>>i&1 != 0 {
			value = w.scratch[c.at+r*stride:][:stride]
		}
		for lane := 0; lane < stride; lane += size {
			if isNaN(value[lane : lane+size]) {
				n, row = n+1, at
			}
		}
	}
	return n, row
}

func isNaN(b []byte) bool {
	if len(b) == 4 {
		return math.IsNaN(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	return math.IsNaN(math.Float64frombits(binary.LittleEndian.Uint64(b)))
}
