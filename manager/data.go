package manager

import (
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// Data hold the contents of the rows of a kind: a column for each field, Go values, and lists.
type Data struct {
	Columns []buffer.Column    // per field
	Values  layout.ValueColumn // of a layout.Values kind, else nil
	Heaps   []Lists            // of its lists; each is a Heap
	apart   bool               // rows have Values or lists
	lazy    bool               // free room: rows hold zeros until first used, then the defaults
	ready   uint32             // rows whose columns may be written
	only    int                // bytes per row of a single narrow column: see dropEach; else 0
	base    buffer.Base        // of that column
	value   [16]byte           // its default, in the first only bytes
	bytes   []byte             // of the columns
	memory  *buffer.Range
	rows    *Rows
}

// Fill sets the rows of a counted kind that were never used to the defaults, if they are zeroed.
func (d *Data) Fill() {
	if d.lazy {
		return
	}
	for i := range d.Columns {
		d.Columns[i].Fill(d.rows.High())
	}
}

// Shown returns the number of rows in a [Column]: all rows of a counted kind, otherwise the rows
// that were ever used.
func (d *Data) Shown() int {
	if d.lazy {
		return d.rows.High()
	}
	return d.rows.Cap()
}

// Buffer returns the bytes of the columns, one column after the other. For a kind without a count,
// the last column ends with the rows that were ever used.
func (d *Data) Buffer() []byte {
	n := len(d.Columns)
	if !d.lazy || n == 0 {
		return d.bytes
	}
	end := len(d.bytes) - (d.rows.Cap()-d.rows.High())*d.Columns[n-1].Stride
	return d.bytes[:end:end]
}

// ResetIdle sets all rows that were used and are now unused to the defaults. It accepts any bytes,
// but the counters must not claim more rows than there are.
func ResetIdle(m *Manager) {
	for row := range m.count.High {
		if use, _ := m.Rows.use(row); use != RowUnused {
			continue
		}
		m.Data.leaveLists(row)
		m.Data.resetRow(row)
	}
}

// FillNew writes the default of a field to every row that was ever used. It accepts any bytes, but
// the counters must not claim more rows than there are.
func (d *Data) FillNew(field int) {
	d.prepare(uint32(d.rows.High()))
	d.Columns[field].FillRows(0, d.rows.High())
}

// useRows writes the defaults to the rows in [from, to) of a kind without a count before their
// first use.
func (d *Data) useRows(from, to uint32) {
	if !d.lazy {
		return
	}
	d.prepare(to)
	for i := range d.Columns {
		c := &d.Columns[i]
		if to-from >= 64 { // a slab
			c.Commit(d.memory, int(from), int(to))
		}
		if !c.Zero() {
			c.FillRows(int(from), int(to))
		}
	}
}

// unuseRows resets the rows in [from, to) to their state before first use.
func (d *Data) unuseRows(from, to uint32) {
	d.resetRows(int(from), int(to))
	if !d.lazy {
		return
	}
	for i := range d.Columns {
		if c := &d.Columns[i]; !c.Zero() {
			c.ClearRows(int(from), int(to))
		}
	}
}

// prepare makes the columns of a kind without a count writable up to row high.
func (d *Data) prepare(high uint32) {
	if high > d.ready {
		d.enlarge(high)
	}
	if d.Values != nil {
		d.Values.Grow(int(high))
	}
}

//go:noinline
func (d *Data) enlarge(high uint32) {
	d.ready = math.MaxUint32
	for i := range d.Columns {
		c := &d.Columns[i]
		if n := c.Use(d.memory, int(high)); n < d.rows.Cap() {
			d.ready = min(d.ready, uint32(n))
		}
	}
}

// resetRow sets a row to the defaults.
func (d *Data) resetRow(row uint32) {
	if d.apart {
		d.resetApart(row)
	}
	for i := range d.Columns {
		d.Columns[i].Reset(int(row))
	}
}

// resetRows sets the rows in [from, to) to the defaults.
func (d *Data) resetRows(from, to int) {
	if d.apart {
		for row := from; row < to; row++ {
			d.resetApart(uint32(row))
		}
	}
	for i := range d.Columns {
		d.Columns[i].FillRows(from, to)
	}
}

// resetApart sets the Go values and lists of a row to the defaults.
func (d *Data) resetApart(row uint32) {
	if d.Values != nil {
		d.Values.Reset(int(row))
	}
	d.resetLists(row)
}

// copyRow copies the values of row src to row dst.
func (d *Data) copyRow(dst, src uint32) {
	for i := range d.Columns {
		d.Columns[i].Copy(int(dst), int(src))
	}
	if d.Values != nil {
		d.Values.CopyRow(int(dst), int(src))
	}
}

// resetLists frees the lists in a row.
//
//go:noinline
func (d *Data) resetLists(row uint32) {
	for _, l := range d.Heaps {
		l.Reset(d, layout.Row(row))
	}
}

// leaveLists empties the lists in a row after their runs moved to another row.
//
//go:noinline
func (d *Data) leaveLists(row uint32) {
	for _, l := range d.Heaps {
		l.leave(d, row)
	}
}

// resetEach resets the freed rows first+i for each bit i of x.
func resetEach(m *Manager, first uint32, x uint64) {
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		m.Data.resetRows(int(first+s), int(first+s+n))
		noteFreed(m, first+s, n)
	}
}
