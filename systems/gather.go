package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
)

// level returns the slot for the next walk, with room for the lists of p.
//
//go:noinline
func (j *job) level(p *plan) *walk {
	w := j.walks[j.depth]
	if w == nil {
		w = new(walk)
		j.walks[j.depth] = w
	}
	if len(w.scratch) < p.scratch {
		w.scratch, _ = buffer.New(p.scratch)
	}
	if n := max(len(p.terms), 1); len(w.rows) < n {
		w.rows, w.blocks = make([]rowList, n), make([]listed, 0, batchSize)
	}
	return w
}

// copyOf returns the memory for a column's copy of n rows.
func (w *walk) copyOf(c *planColumn, n uint32) []byte {
	return w.scratch[c.at:][:int(n)*c.column.Stride]
}

// gather copies a column of scattered rows to scratch, on first use.
func (w *walk) gather(i int, c *planColumn) buffer.Base {
	dst := w.copyOf(c, w.n)
	if w.copied>>i&1 == 0 {
		w.copied |= 1 << i
		kernel.GatherBytes(dst, c.column.Bytes, c.column.Stride, w.rows[c.term][:w.n])
	}
	return buffer.BaseOf(dst)
}

// scatter writes back the copies that the system may have changed.
func (w *walk) scatter() {
	for i := range w.columns {
		if c := &w.columns[i]; c.mode == write && w.copied>>i&1 != 0 {
			kernel.ScatterBytes(c.column.Bytes, w.copyOf(c, w.n), c.column.Stride,
				w.rows[c.term][:w.n])
		}
	}
	w.copied = 0
}

// keepHoles saves the rows of the run that do not match.
func (w *walk) keepHoles() {
	for i := range w.columns {
		if c := &w.columns[i]; c.mode == write {
			holes := w.rows[0][:w.holes]
			kernel.GatherBytes(w.copyOf(c, w.holes), w.run(c), c.column.Stride, holes)
		}
	}
}

// restoreHoles restores them.
func (w *walk) restoreHoles() {
	for i := range w.columns {
		if c := &w.columns[i]; c.mode == write {
			holes := w.rows[0][:w.holes]
			kernel.ScatterBytes(w.run(c), w.copyOf(c, w.holes), c.column.Stride, holes)
		}
	}
}

// run returns a column's rows of the run.
func (w *walk) run(c *planColumn) []byte {
	return c.column.Bytes[int(w.row[c.term])*c.column.Stride:][:int(w.n)*c.column.Stride]
}
