package manager

import "math"

// useRows writes the defaults to the rows in [from, to), which are about to be used for the first
// time, if they are free room.
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

// unuseRows resets the rows in [from, to), which are not used any more, to their state before first
// use.
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

// prepare makes the columns of free room writable up to row high.
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

// resetApart sets what is not in the columns of a row to the defaults.
func (d *Data) resetApart(row uint32) {
	if d.Values != nil {
		d.Values.Reset(int(row))
	}
	d.resetLists(row)
}
