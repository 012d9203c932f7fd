package inspect

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

const (
	chartFrames = 600                  // most frames of a chart; longer ranges are sampled
	chartTurn   = 8 * time.Millisecond // time for a chart between two steps
)

type chartView struct {
	Name   string    `json:"name"`
	Lines  []string  `json:"lines"`
	Frames []int     `json:"frames"`
	Ticks  []uint64  `json:"ticks"`
	Points [][]point `json:"points"`
}

// A curve is the values of one part of a field of an object, or of a resource, over recorded
// frames.
type curve struct {
	past   *past
	id     world.GameObject
	field  *layout.FieldSpec
	part   *layout.Part
	frames []int // still to be read
	found  chartView
}

// chart answers with a value of an object, or of a resource, over recorded frames: over each of the
// last frames, or for longer ranges over the stored worlds.
func (p *past) chart(_ http.ResponseWriter, r *http.Request) (any, error) {
	c := &curve{past: p}
	q := r.URL.Query()
	err := p.lookAt(r.Context(), momentNow, func(v *view) error { return c.find(v, q) })
	if err == nil {
		err = c.read(r.Context(), q)
	}
	return c.found, err
}

// find finds the value that the chart shows.
func (c *curve) find(v *view, q url.Values) (err error) {
	const maxChartLines = 6
	if c.field, c.id, err = v.valueNamed(q); err != nil {
		return err
	}
	if c.field.List != nil {
		return badRequest("%s is a list, which is no number over time; chart a field beside it",
			c.field)
	}
	if c.part = partNamed(c.field, q.Get("part")); c.part == nil {
		return notFound("%s has no part %q; api/kinds lists them", c.field, q.Get("part"))
	}
	c.found = chartView{
		Name: c.field.Title(*c.part), Frames: []int{}, Ticks: []uint64{}, Points: [][]point{},
	}
	lines := min(c.part.Lanes, maxChartLines)
	for n := range lines {
		name := c.found.Name
		if lines > 1 {
			name += " " + strconv.Itoa(n+1)
		}
		c.found.Lines = append(c.found.Lines, name)
	}
	return nil
}

// choose selects the frames that the chart shows.
func (c *curve) choose(first, next int, q url.Values) error {
	from, err := number(q, "from", first, maxPage)
	if err != nil {
		return err
	}
	to, err := number(q, "to", next-1, maxPage)
	if err != nil {
		return err
	}
	from, to = max(from, first), min(to, next-1)
	if to < from {
		return noFrame(from, first, next-1)
	}
	span := to - from + 1
	for n := range min(span, chartFrames) {
		frame := from + int(int64(n)*int64(span)/int64(min(span, chartFrames)))
		if span > chartFrames {
			if frame, err = c.past.options.Past.Kept(frame); err != nil {
				return err
			}
		}
		if last := len(c.frames) - 1; last < 0 || c.frames[last] < frame {
			c.frames = append(c.frames, frame)
		}
	}
	return nil
}

// read reads the values, a few frames per turn of the program.
func (c *curve) read(ctx context.Context, q url.Values) (err error) {
	clock := c.past.options.Clock
	step := func(s world.State) (_ world.State, err error) {
		if c.frames == nil {
			first, next := c.past.options.Past.Frames()
			err = c.choose(first, next, q)
		}
		begin := clock()
		for len(c.frames) > 0 && err == nil {
			err = c.readAt(c.frames[0])
			if c.frames = c.frames[1:]; clock()-begin > chartTurn {
				break // at least one frame per turn
			}
		}
		return s, err
	}
	for first := true; first || len(c.frames) > 0; first = false {
		if err = c.past.asks.inWorld(ctx, true, step); err != nil || ctx.Err() != nil {
			break
		}
	}
	return err
}

// readAt reads the value at a frame. It omits a frame that was dropped meanwhile.
func (c *curve) readAt(frame int) error {
	if first, next := c.past.options.Past.Frames(); frame < first || frame >= next {
		return nil
	}
	s, err := c.past.at(frame)
	if err != nil {
		return err
	}
	value, _ := tool.ValueOf(s, c.field, c.id)
	points := make([]point, len(c.found.Lines))
	for n := range points {
		points[n] = point(math.NaN())
		if value != nil {
			size := c.part.Size()
			points[n] = point(tool.Number(c.part.Type, c.part.Bytes(value)[n*size:][:size]))
		}
	}
	c.found.Frames = append(c.found.Frames, frame)
	c.found.Ticks = append(c.found.Ticks, world.Tick(s))
	c.found.Points = append(c.found.Points, points)
	return nil
}
