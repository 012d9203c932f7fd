package inspect

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world"
)

// Plots are numbers of a world that the page draws as lines over its ticks. A *lab.Panel is one.
//
// They are read in the copies that the page looks at, by its requests: not at all while no page is
// open, and never by the goroutine that steps the world. One request reads at a time.
type Plots interface {
	// Columns returns the names of the lines of each plot, 256 lines at most in all.
	Columns() [][]string

	// Read sets dst, one number per line, to what the lines have in a world, and to NaN for
	// nothing. It does not change the world. The page shows the error.
	Read(dst []float64, s world.State) error
}

const (
	maxLines  = 256
	maxPoints = 1200 // of each line that are kept: two minutes, at ten a second
)

// A history is the last points of the plots. Its zero value has none.
type history struct {
	mutex  sync.Mutex
	plots  Plots
	names  [][]string
	width  int    // lines
	frame  uint64 // that was read last
	at     time.Duration
	count  uint64 // points so far; point n is at n modulo maxPoints
	ticks  []uint64
	points []float64 // width × maxPoints
	fault  error     // of the last point
}

// newHistory returns the empty history of plots, which may be nil.
func newHistory(plots Plots) (*history, error) {
	h := &history{plots: plots, names: [][]string{}}
	if plots == nil {
		return h, nil
	}
	h.names = plots.Columns()
	for _, lines := range h.names {
		h.width += len(lines)
	}
	if h.width > maxLines {
		return nil, fmt.Errorf("inspect: the plots have %d lines: %w; plot at most %d",
			h.width, ErrPlots, maxLines)
	}
	return h, nil
}

// ErrPlots is the error of plots with more lines than a page draws.
var ErrPlots = errors.New("there are too many")

// note adds a point of a frame, unless it was read already. Ticks that nobody looked at are a gap:
// a point of nothing before it. The mutex is held.
func (h *history) note(v *view) {
	if h.plots == nil || v.number <= h.frame {
		return
	}
	if h.points == nil {
		h.ticks, h.points = make([]uint64, maxPoints), make([]float64, maxPoints*h.width)
	}
	last := h.ticks[(max(h.count, 1)-1)%maxPoints]
	if h.count > 0 && v.tick == last {
		return // the world is paused
	}
	if h.count > 0 && v.at-h.at > lookFor && v.tick > last+1 {
		for i, dst := 0, h.add(v.tick-1); i < len(dst); i++ {
			dst[i] = math.NaN()
		}
	}
	h.frame, h.at = v.number, v.at
	h.fault = h.plots.Read(h.add(v.tick), v.state)
}

// add adds a point, and returns its numbers.
func (h *history) add(tick uint64) (dst []float64) {
	at := int(h.count % maxPoints)
	h.ticks[at] = tick
	h.count++
	return h.points[at*h.width:][:h.width:h.width]
}

// readPlots notes a frame, unless it is of a time when nobody looked.
func (i *Inspector) readPlots(v *view) error {
	i.history.mutex.Lock()
	defer i.history.mutex.Unlock()
	if now := i.options.Clock(); now-v.at <= lookFor || i.still(now) {
		i.history.note(v)
	}
	return nil
}

type plotsView struct {
	Frame  uint64     `json:"frame"`
	Count  uint64     `json:"count"`
	Window int        `json:"window"`
	Plots  [][]string `json:"plots"`
	Ticks  []uint64   `json:"ticks"`
	Points [][]point  `json:"points"`
	Fault  string     `json:"fault"`
}

func (v *plotsView) counted() uint64 { return v.Count }

// A point is a number on a line, or nothing.
type point float64

// MarshalJSON appends null for nothing.
func (p point) MarshalJSON() ([]byte, error) {
	if x := float64(p); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return strconv.AppendFloat(nil, x, 'g', -1, 64), nil
	}
	return []byte("null"), nil
}

// plotsSince reads the plots in a frame, and answers with the points after the one that is asked
// for.
func (i *Inspector) plotsSince(v *view, q url.Values) (any, error) {
	since, err := strconv.ParseUint(q.Get("since"), 10, 64)
	if q.Get("since") != "" && err != nil {
		return nil, badRequest("since is %q; give a count of points", q.Get("since"))
	}
	if err := i.readPlots(v); err != nil {
		return nil, err
	}
	h := i.history
	h.mutex.Lock()
	defer h.mutex.Unlock()
	found := &plotsView{
		Frame: v.number, Count: h.count, Window: maxPoints, Plots: h.names,
		Ticks: []uint64{}, Points: [][]point{},
	}
	if h.fault != nil {
		found.Fault = h.fault.Error()
	}
	for n := max(since, h.count-min(h.count, maxPoints)); n < h.count; n++ {
		at := int(n % maxPoints)
		found.Ticks = append(found.Ticks, h.ticks[at])
		line := make([]point, h.width)
		for k, x := range h.points[at*h.width:][:h.width] {
			line[k] = point(x)
		}
		found.Points = append(found.Points, line)
	}
	return found, nil
}
