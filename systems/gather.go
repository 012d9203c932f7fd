package systems

import "github.com/flatecs/flatecs/buffer"

// level returns the slot for the next walk, with room for the lists of p.
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
		w.rows = make([][batchSize]uint32, n)
	}
	return w
}

// gather copies a column of the listed rows to scratch, when it is first asked for.
func (w *walk) gather(i int, c *planColumn) buffer.Base {
	n := int(w.n) * c.column.Stride
	dst := w.scratch[c.at:][:n]
	if w.copied>>i&1 == 0 {
		w.copied |= 1 << i
		c.column.Gather(dst, w.rows[c.term][:w.n])
	}
	return buffer.BaseOf(dst)
}

// scatter puts back the copies that the system may have written.
func (w *walk) scatter() {
	for i := range w.columns {
		if c := &w.columns[i]; c.mode == write && w.copied>>i&1 != 0 {
			c.column.Scatter(w.scratch[c.at:], w.rows[c.term][:w.n])
		}
	}
	w.copied = 0
}

// keepHoles copies the rows of the run that do not match to scratch.
func (w *walk) keepHoles() {
	for i := range w.columns {
		c := &w.columns[i]
		if c.mode != write {
			continue
		}
		rows := w.rows[c.term][:w.holes]
		for h := range rows {
			rows[h] = w.row[c.term] + w.hole[h]
		}
		c.column.Gather(w.scratch[c.at:], rows)
	}
}

// restoreHoles puts them back.
func (w *walk) restoreHoles() {
	for i := range w.columns {
		if c := &w.columns[i]; c.mode == write {
			c.column.Scatter(w.scratch[c.at:], w.rows[c.term][:w.holes])
		}
	}
	w.holes = 0
}
