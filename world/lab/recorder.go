package lab

import (
	"fmt"

	"github.com/flatecs/flatecs/world"
)

// A Recorder streams the reporters' numbers for one running world to a [Sink], as rows of the
// world's tick and the reporters' columns. It allocates nothing per row, once its buffers are large
// enough for the world. It belongs to one goroutine.
type Recorder struct {
	dst   Sink
	every int
	calls int // of Observe
	panel *panel
	cells []Value
}

// NewRecorder returns a recorder, and writes the columns. It writes a row at each every-th call of
// [Recorder.Observe]. Call Observe after each step; a step of a schedule takes a tick per phase.
func NewRecorder(dst Sink, every int, reports ...Reporter) (*Recorder, error) {
	if dst == nil || every < 1 {
		return nil, fmt.Errorf("lab: recorder every %d ticks to %T; give it a sink, 1 or more",
			every, dst)
	}
	columns := []string{"tick"}
	for _, r := range reports {
		if err := r.check(); err != nil {
			return nil, err
		}
		columns = append(columns, r.columns...)
	}
	if err := dst.Begin(columns); err != nil {
		return nil, unwritten(err)
	}
	p := newPanel(reports)
	return &Recorder{
		dst: dst, every: every, panel: p, cells: make([]Value, 0, 1+len(p.dst)),
	}, nil
}

// Observe writes a row, if one is due. If a reporter fails or panics, the error names it, and no
// row is written.
func (r *Recorder) Observe(s world.State) error {
	if r == nil || r.panel == nil {
		panic("lab: this Recorder is nil or was not made; make one by NewRecorder")
	}
	r.calls++
	if r.calls%r.every != 0 {
		return nil
	}
	tick := world.Tick(s)
	numbers, err := r.panel.observe(s)
	if err != nil {
		return fmt.Errorf("lab: tick %d: %w", tick, err)
	}
	r.cells = append(r.cells[:0], uintValue(tick))
	for i, x := range numbers {
		r.cells = append(r.cells, cellOf(x, r.panel.hashed[i]))
	}
	return unwritten(r.dst.Row(r.cells))
}

// Close ends the table, and flushes the sink. It does not close the underlying file.
func (r *Recorder) Close() error {
	if r == nil || r.dst == nil {
		panic("lab: this Recorder is nil or was not made; make one by NewRecorder")
	}
	return unwritten(r.dst.End())
}
