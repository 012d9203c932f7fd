package lab

import (
	"fmt"

	"github.com/flatecs/flatecs/world"
)

// A Recorder streams what reporters find in one running world to a [Sink], as rows of the world's
// tick and the reporters' columns. It allocates nothing from row to row, once its buffers are as
// large as the world needs. It belongs to one goroutine.
type Recorder struct {
	dst   Sink
	every int
	calls int // of Observe
	panel *panel
	cells []Value
}

// NewRecorder returns a recorder that writes a row at each every-th call of [Recorder.Observe], and
// the columns at once. Call Observe after each step; that of a schedule takes a tick per phase.
func NewRecorder(dst Sink, every int, reports ...Reporter) (*Recorder, error) {
	if dst == nil || every < 1 {
		return nil, fmt.Errorf("lab: a recorder every %d ticks to a %T; give it a sink, and 1 "+
			"or more", every, dst)
	}
	columns := []string{"tick"}
	for _, r := range reports {
		if err := r.check(); err != nil {
			return nil, err
		}
		columns = append(columns, r.columns...)
	}
	if err := dst.Begin(columns); err != nil {
		return nil, fmt.Errorf("lab: write the table: %w", err)
	}
	p := newPanel(reports)
	return &Recorder{
		dst: dst, every: every, panel: p, cells: make([]Value, 0, 1+len(p.dst)),
	}, nil
}

// Observe writes a row, if this call's turn has come. An error of a reporter, or a panic in it,
// names it, and no row is written.
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
	if err := r.dst.Row(r.cells); err != nil {
		return fmt.Errorf("lab: write the table: %w", err)
	}
	return nil
}

// Close ends the table: what the sink still holds is written. It does not close the file below it.
func (r *Recorder) Close() error {
	if r == nil || r.dst == nil {
		panic("lab: this Recorder is nil or was not made; make one by NewRecorder")
	}
	if err := r.dst.End(); err != nil {
		return fmt.Errorf("lab: write the table: %w", err)
	}
	return nil
}
