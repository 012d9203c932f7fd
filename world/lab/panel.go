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

// NewPanel returns a panel of reporters. The error names a reporter that was not made by this
// package.
func NewPanel(reports ...Reporter) (*Panel, error) {
	for _, r := range reports {
		if err := r.check(); err != nil {
			return nil, err
		}
	}
	return &Panel{panel: newPanel(slices.Clone(reports))}, nil
}

// Columns returns the names of the columns of each reporter.
func (p *Panel) Columns() [][]string {
	all := make([][]string, 0, len(p.made().reporters))
	for _, r := range p.panel.reporters {
		all = append(all, slices.Clone(r.columns))
	}
	return all
}

// Read sets dst, one number per column, to the reporters' numbers for a world; missing values are
// NaN, and digests are rounded. It allocates nothing once its buffer is large enough for the world.
// The error names a reporter that panics or returns NaN or an infinite number; its columns are NaN,
// and the others are read. It panics if dst has another length.
func (p *Panel) Read(dst []float64, s world.State) (err error) {
	if n := len(p.made().dst); len(dst) != n {
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
	if p.made(); p.Picture == nil {
		return nil
	}
	return p.Picture(s)
}

func (p *Panel) made() *panel {
	if p == nil || p.panel == nil {
		panic("lab: this Panel is nil or was not made; make one by NewPanel")
	}
	return p.panel
}

// A panel is the reporters of one goroutine, with memory for what they find.
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

// observe returns what the reporters find, valid until the next call. The error names the first
// that finds no number, or panics.
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

// read sets dst to what one reporter finds. A panic of it is an error that names it.
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
