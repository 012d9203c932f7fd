package inspect

import (
	"context"
	"encoding/binary"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

const (
	usualRows = 1 << 20
	maxRows   = 1 << 23
	maxBytes  = 256 << 20 // of one answer

	maxColumns = 8               // in memory at a time, until their clients have read them
	columnWait = 5 * time.Second // wait for one of them
)

// A column is a copy of the raw bytes of a field, so that a slow client holds no frame.
type column struct {
	bytes []byte
	stretch
	rows  int // size of a row in bytes
	total int // rows in the world
	frame uint64
	tick  uint64
}

// A stretch is a contiguous range of parts in each value of a field.
type stretch struct {
	from, size int    // bytes
	elements   string // element type of all parts, or "mixed"
	lanes      int    // elements, or 0 if mixed
}

// stretchOf returns the range of the part called name, or of all parts below that name: "Pos"
// includes "Pos.X" and "Pos[3].X". The empty name means the whole field.
func stretchOf(f *layout.FieldSpec, name string) (s stretch, ok bool) {
	for i := range f.Parts {
		p := &f.Parts[i]
		if rest, within := strings.CutPrefix(p.Name, name); name != "" &&
			(!within || rest != "" && rest[0] != '.' && rest[0] != '[') {
			continue
		}
		if !ok {
			s, ok = stretch{from: p.Offset, elements: p.Type}, true
		}
		s.size += p.Lanes * p.Size()
		if s.lanes += p.Lanes; s.elements != p.Type {
			s.elements = "mixed"
		}
	}
	if s.elements == "mixed" {
		s.lanes = 0
	}
	return s, ok
}

var columnPool = sync.Pool{New: func() any { return new(column) }}

// columns answers requests for raw bytes of fields.
type columns struct {
	past    *past
	running chan struct{} // one element per running request
}

// serve answers with the raw bytes of a field, or of one of its parts: for all rows ever used, or
// with rows=mounted for the rows on objects, contiguously. With after=N it answers 204 while frame
// N is the newest.
func (s columns) serve(w http.ResponseWriter, r *http.Request) {
	if !s.await(r.Context()) {
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "too many columns are being read; try again")
		return
	}
	defer func() { <-s.running }()
	c := columnPool.Get().(*column)
	defer columnPool.Put(c)
	q := r.URL.Query()
	same := false
	err := s.past.lookAt(r.Context(), q.Get("at"), func(v *view) error {
		if same = q.Get("after") == strconv.FormatUint(v.number, 10); same {
			return nil
		}
		return c.fill(v, q)
	})
	switch {
	case err != nil:
		refuseWith(w, err)
		return
	case same:
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Length", strconv.Itoa(len(c.bytes)))
	h.Set("X-Rows", strconv.Itoa(c.rows))
	h.Set("X-Rows-Total", strconv.Itoa(c.total))
	h.Set("X-Stride", strconv.Itoa(c.size))
	h.Set("X-Lanes", strconv.Itoa(c.lanes))
	h.Set("X-Type", c.elements)
	h.Set("X-Frame", strconv.FormatUint(c.frame, 10))
	h.Set("X-Tick", strconv.FormatUint(c.tick, 10))
	_, _ = w.Write(c.bytes) // the client may have disconnected
}

// await waits for a free slot, and reports whether it got one.
func (s columns) await(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, columnWait)
	defer cancel()
	select {
	case s.running <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// fill copies the bytes that a request asks for.
func (c *column) fill(v *view, q url.Values) error {
	k, err := v.kindNamed(q)
	if err != nil {
		return err
	}
	name := q.Get("field")
	p, ok := v.known.parts[part{k.Name, name}]
	if !ok {
		return notFound("kind %q has no field %q; api/kinds lists them", k.Name, name)
	}
	most, err := number(q, "max", usualRows, maxRows)
	if err != nil {
		return err
	}
	if c.stretch, ok = stretchOf(p.Field, q.Get("part")); !ok {
		return notFound("field %q of kind %q has no part %q; api/kinds lists them", name, k.Name,
			q.Get("part"))
	}
	most = min(most, maxBytes/c.size)
	c.frame, c.tick, c.bytes = v.number, v.tick, c.bytes[:0]
	switch rows := q.Get("rows"); rows {
	case "", "all":
		c.total = k.High
		c.append(p.Bytes[:min(most, k.High)*p.Unit], p.Unit)
	case "mounted":
		c.total = k.Mounted
		for row, n := range runs(v, k, most) {
			c.append(p.Bytes[row*p.Unit:(row+n)*p.Unit], p.Unit)
		}
	default:
		return badRequest("rows is %q; give all or mounted", rows)
	}
	c.rows = len(c.bytes) / c.size
	if q.Get("rows") == "mounted" && q.Get("objects") == "1" {
		c.appendObjects(v, k, most)
	}
	return nil
}

// runs yields the runs of rows on objects, up to most rows.
func runs(v *view, k *kindView, most int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for row, n := range tool.Runs(v.state, k.kind) {
			n = min(n, most)
			if most -= n; n == 0 || !yield(row, n) {
				return
			}
		}
	}
}

// appendObjects appends the indexes of the objects of these rows.
func (c *column) appendObjects(v *view, k *kindView, most int) {
	for row, n := range runs(v, k, most) {
		for ; n > 0; row, n = row+1, n-1 {
			_, id := tool.RowUseOf(v.state, k.kind, layout.Row(row))
			c.bytes = binary.LittleEndian.AppendUint32(c.bytes, id.Index())
		}
	}
}

// append copies the range from each row.
func (c *column) append(rows []byte, stride int) {
	if c.size == stride {
		c.bytes = append(c.bytes, rows...)
		return
	}
	for ; len(rows) > 0; rows = rows[stride:] {
		c.bytes = append(c.bytes, rows[c.from:][:c.size]...)
	}
}
