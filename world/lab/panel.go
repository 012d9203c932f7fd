package lab

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/flatecs/flatecs/world"
)

// A Panel reads reporters of a running world, as the Model of an inspector. It belongs to one
// goroutine at a time.
type Panel struct {
	// Picture draws a world of the model. It may use data that steps do not write. nil: no picture.
	Picture func(s world.State) image.Image

	panel *panel
}

// NewPanel returns a panel of reporters. It returns an error if this package did not create a
// reporter.
func NewPanel(reports ...Reporter) (*Panel, error) {
	if err := checkMade(reports); err != nil {
		return nil, err
	}
	return &Panel{panel: newPanel(slices.Clone(reports))}, nil
}

// Columns returns the names of the columns of each reporter.
func (p *Panel) Columns() [][]string {
	all := make([][]string, 0, len(p.mustBeMade().reporters))
	for _, r := range p.panel.reporters {
		all = append(all, slices.Clone(r.columns))
	}
	return all
}

// Read sets dst, one number per column, to the reporters' numbers for a world; missing values are
// NaN, and digests are rounded. It allocates nothing once its buffer is large enough for the world.
// The error names a reporter that panics or returns NaN or an infinite number; its columns are NaN,
// and the other reporters are read. Read panics if the length of dst is wrong.
func (p *Panel) Read(dst []float64, s world.State) (err error) {
	if n := len(p.mustBeMade().dst); len(dst) != n {
		panic(fmt.Sprintf("lab: Read into %d numbers; give it %d, one a column", len(dst), n))
	}
	for _, r := range p.panel.reporters {
		n := len(r.columns)
		if fault := p.panel.read(dst[:n:n], r, s); fault == nil && r.hashes {
			dst[0] = float64(math.Float64bits(dst[0]))
		} else if fault != nil {
			err = errors.Join(err, fmt.Errorf("lab: %w", fault))
			for i := range dst[:n] {
				dst[i] = math.NaN()
			}
		}
		dst = dst[n:]
	}
	return err
}

// Draw returns the Picture of a world, or nil if there is none.
func (p *Panel) Draw(s world.State) image.Image {
	if p.mustBeMade(); p.Picture == nil {
		return nil
	}
	return p.Picture(s)
}

func (p *Panel) mustBeMade() *panel {
	if p == nil || p.panel == nil {
		panic("lab: this Panel is nil or was not made; make one by NewPanel")
	}
	return p.panel
}

// A panel is the reporters of one goroutine, with buffers for their numbers.
type panel struct {
	reporters []Reporter
	hashed    []bool // of each column
	dst       []float64
	buffer    []float64
}

func newPanel(reporters []Reporter) *panel {
	p := &panel{reporters: reporters, hashed: hashed(reporters)}
	for _, r := range reporters {
		p.dst = append(p.dst, make([]float64, len(r.columns))...)
	}
	return p
}

// observe returns the reporters' numbers, valid until the next call. The error names the first
// reporter that panics or returns no finite number.
func (p *panel) observe(s world.State) (found []float64, err error) {
	at := 0
	for _, r := range p.reporters {
		end := at + len(r.columns)
		if err := p.read(p.dst[at:end:end], r, s); err != nil {
			return nil, err
		}
		at = end
	}
	return p.dst, nil
}

// read sets dst to one reporter's numbers. It turns a panic into an error that names the reporter.
func (p *panel) read(dst []float64, r Reporter, s world.State) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("reporter %s panicked: %v", r.columns[0], fault)
		}
	}()
	if err := r.observe(dst, s, &p.buffer); err != nil {
		return fmt.Errorf("reporter %s found %w", r.columns[0], err)
	}
	return nil
}

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
	if err := checkMade(reports); err != nil {
		return nil, err
	}
	columns := []string{"tick"}
	for _, r := range reports {
		columns = append(columns, r.columns...)
	}
	if err := dst.Begin(columns); err != nil {
		return nil, unwritten(err)
	}
	p := newPanel(reports)
	return &Recorder{dst: dst, every: every, panel: p, cells: make([]Value, 0, 1+len(p.dst))}, nil
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
