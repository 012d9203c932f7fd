package inspect

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/world"
)

// A Model draws a world on the page, as lines over ticks and as a picture. *lab.Panel implements
// it.
//
// Requests of the page call it with copies of the world, one at a time: never while no page is
// open, and never on the goroutine that steps the world. It must not change the world.
type Model interface {
	// Columns returns the names of the lines of each plot.
	Columns() [][]string

	// Read sets dst, one number per line, to the values of the lines in a world, or NaN for no
	// value. The page shows the error.
	Read(dst []float64, s world.State) error

	// Draw returns a picture of a world, or nil if there is none.
	Draw(s world.State) image.Image
}

// A drawing serializes the requests to a model.
type drawing struct {
	mutex sync.Mutex
	model Model // or nil
	names [][]string
}

func newDrawing(m Model) *drawing {
	d := &drawing{model: m, names: [][]string{}}
	if m != nil {
		d.names = m.Columns()
	}
	return d
}

type plotsView struct {
	Frame  uint64     `json:"frame"`
	Tick   uint64     `json:"tick"`
	Plots  [][]string `json:"plots"`
	Points []point    `json:"points"`
	Fault  string     `json:"fault"`
}

func (v *plotsView) counted() uint64 { return v.Frame }

// plots answers with a number for each line in a frame, or with nothing if the client knows the
// frame.
func (d *drawing) plots(v *view, q url.Values) (any, error) {
	if q.Get("since") == strconv.FormatUint(v.number, 10) {
		return nil, nil //nolint:nilnil // no event
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	found := &plotsView{Frame: v.number, Tick: v.tick, Plots: d.names, Points: []point{}}
	if d.model == nil {
		return found, nil
	}
	lines := 0
	for _, names := range d.names {
		lines += len(names)
	}
	dst := make([]float64, lines)
	if err := d.model.Read(dst, v.state); err != nil {
		found.Fault = err.Error()
	}
	for _, x := range dst {
		found.Points = append(found.Points, point(x))
	}
	return found, nil
}

// picture answers with a picture of a frame as PNG. If there is no picture, a request with maybe
// gets an empty answer, because browsers log errors in the console. A panic of the model is
// returned as an error.
func (d *drawing) picture(v *view, q url.Values) (_ any, err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("the picture panicked: %s", goString(x))
		}
	}()
	if d.model != nil {
		if m := d.model.Draw(v.state); m != nil {
			var b bytes.Buffer
			err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m)
			return body{"image/png", b.Bytes()}, err
		}
	}
	if q.Has("maybe") {
		return body{"image/png", nil}, nil
	}
	return nil, notFound("this program draws no picture; give Options.Model one that does")
}

// clientWait is how long a request waits for a frame with a description of its client.
const clientWait = time.Second

// A client is the description of what one client of the program may see.
type client struct {
	number int // plus 1; 0: not requested
	text   []byte
}

// clients adds descriptions of clients to frames.
type clients struct {
	frames *frames
	tell   func(dst []byte, number int) []byte // nil: nothing
	asked  atomic.Int64                        // requested last, plus 1; 0: none
}

// describe stores the description of the requested client in a frame.
func (c *clients) describe(f *frame) {
	if c.tell == nil {
		return
	}
	f.client.number = int(c.asked.Load())
	f.client.text = f.client.text[:0]
	if f.client.number > 0 {
		f.client.text = c.tell(f.client.text, f.client.number-1)
	}
}

// text answers with the description of a client, once a frame contains it.
func (c *clients) text(_ http.ResponseWriter, r *http.Request) (any, error) {
	const maxClient = 1<<31 - 2 // the largest accepted number of a client
	number := r.URL.Query().Get("number")
	if c.tell == nil {
		return nil, notFound("this program shows no clients; set Options.Client")
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n > maxClient {
		return nil, badRequest("number is %q; give that of a client, from 0 on", number)
	}
	c.asked.Store(int64(n) + 1)
	ctx, cancel := context.WithTimeout(r.Context(), clientWait)
	defer cancel()
	for {
		var frame uint64
		var text []byte
		told := false
		err = c.frames.look(ctx, func(v *view) error {
			frame, told = v.number, v.client.number == n+1
			if told {
				text = slices.Clone(v.client.text)
			}
			return nil
		})
		switch {
		case err != nil:
			return nil, err
		case told && len(text) == 0:
			return nil, notFound("the program has no client %d", n)
		case told:
			return body{"text/plain; charset=utf-8", text}, nil
		case ctx.Err() != nil:
			return nil, busy("no frame has told of client %d so far: the program is paused, or "+
				"another page asks for another", n)
		}
		c.frames.await(ctx, frame)
	}
}
