package replica

import (
	"bytes"
	"math"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

const (
	jump    = 8   // ticks of difference from which the time jumps
	haste   = 0.1 // of the difference, per tick
	maxRate = 0.2 // of the speed of time
)

// Due reports whether a tick of the client is due, and counts it: call it in a loop, with the time
// since a fixed moment. The ticks are as long as the server's, or a little shorter or longer, so
// that inputs reach the server just before it needs them.
func (m *Mirror) Due(now time.Duration) bool {
	c := &m.mustBeOpen().clock
	if !c.started || now-c.due > jump*m.show.Tick {
		c.started, c.due = true, now
	}
	if now < c.due {
		return false
	}
	step := m.show.Tick
	switch {
	case m.slack < -2:
		step -= step / 8
	case m.slack < 1:
		step -= step / 32
	case m.slack > 6: // the server stood still: use the inputs soon
		step += step / 4
	case m.slack > 2:
		step += step / 32
	}
	c.due += step
	return true
}

// Present writes into the world the state to draw at a time of the program: smooth fields
// interpolated between two ticks, [Show.Behind] ticks behind the newest, and other fields as of the
// last tick before that. Own objects have the server's values, or those of a [Predictor].
func (m *Mirror) Present(s world.State, now time.Duration) world.State {
	c := &m.mustBeOpen().clock
	m.entered[0], m.entered[1] = m.entered[1][:0], m.entered[0]
	m.left[0], m.left[1] = m.left[1][:0], m.left[0]
	if !m.acks.any {
		return s
	}
	target := float64(m.base) - m.show.Behind
	if d := target - c.shown; !c.shows || math.Abs(d) > jump {
		c.shows, c.shown = true, target
	} else {
		ticks := float64(now-c.now) / float64(m.show.Tick)
		rate := 1 + min(max(d*haste, -maxRate), maxRate)
		c.shown = min(max(c.shown, c.shown+float64(ticks*rate)), float64(m.base))
	}
	c.now = now
	s = m.presentAt(s, max(c.shown, 0))
	if m.soft == nil {
		return s
	}
	s = m.soft.present(s, m.slots, c.now)
	for i := range m.guesses {
		if g := &m.guesses[i]; !g.hidden {
			s = m.soft.presentNew(s, g.id)
		}
	}
	return s
}

// presentAt shows the world at a fraction of a tick.
func (m *Mirror) presentAt(s world.State, at float64) world.State {
	w := &m.writer
	w.shown = w.shown[:0]
	tick := uint32(at)
	for k := range m.slots {
		e := &m.slots[k]
		if e.id == world.Nobody || e.own && m.soft != nil {
			continue
		}
		if e.own {
			if e.fresh {
				w.shown = append(w.shown, shown{k: uint16(k), a: ringTicks, b: ringTicks})
			}
			e.fresh = false
			continue
		}
		if f, ok := e.between(uint16(k), tick, at); ok {
			w.shown = append(w.shown, f)
		}
	}
	return w.write(s, m)
}

// columns are values to be written into a world.
type columns struct {
	shown  []shown
	ids    []world.GameObject
	values []byte

	kin   []layout.Field[world.GameObject] // the references of the world's relations
	apart []uint32                         // former referrers: seat, and relation << 16
}

func (w *columns) make(c *Schema, known int) {
	w.shown = make([]shown, 0, known)
	w.ids = make([]world.GameObject, 0, known)
	most := 8 * known
	for _, p := range c.parts[1:] {
		if p.Most > 0 {
			most = max(most, p.Most*p.Spec.List.Element.Stride)
		} else {
			most = max(most, p.Spec.Stride*known)
		}
	}
	w.values = tool.Bytes(most + 4)[:0] // values are appended as whole words
}

// A putter writes values of a field, one after the other, to objects that have it. It reports
// whether all were written: it skips references that would close a ring.
type putter func(s world.State, ids []world.GameObject, values []byte) (_ world.State, all bool)

func putterOf[T any](f layout.Field[T]) putter {
	return func(s world.State, ids []world.GameObject, values []byte) (world.State, bool) {
		w, rows := world.WriterOf(s, f), f.Rows(values)
		for i, id := range ids {
			if p := w.At(id); p != nil {
				*p = rows[i]
			}
		}
		return s, true
	}
}

// refPutter writes references. It first sets the references that change to nobody: values of one
// tick close no ring, but for a while some may belong to another tick.
func refPutter(f layout.Field[world.GameObject]) putter {
	return func(s world.State, ids []world.GameObject, values []byte) (world.State, bool) {
		all, r := true, f.Spec().Relation
		for _, clears := range [2]bool{true, false} {
			for i, to := range f.Rows(values) {
				was, err := world.Get(s, ids[i], f)
				if err != nil || was == to || clears && (r == nil || !r.Tree) {
					continue
				}
				if clears {
					to = world.Nobody
				}
				s, err = world.Set(s, ids[i], f, to)
				all = all && err == nil
			}
		}
		return s, all
	}
}

// write writes the seats to show, column by column.
func (w *columns) write(s world.State, m *Mirror) world.State {
	if len(w.shown) == 0 {
		return s
	}
	for _, p := range m.schema.parts[1:] {
		if p.Most > 0 {
			s = w.writeLists(s, m, p)
			continue
		}
		w.ids, w.values = w.ids[:0], w.values[:0]
		for j := range w.shown {
			f := &w.shown[j]
			e := &m.slots[f.k]
			if !p.IsFor(e.own) {
				continue
			}
			w.ids = append(w.ids, e.id)
			w.values = p.decode(w.values, m, f)
		}
		all := true
		if len(w.ids) > 0 {
			s, all = p.puts(s, w.ids, w.values)
		}
		for j := 0; !all && j < len(w.shown); j++ { // again, because others have changed
			m.slots[w.shown[j].k].fresh, m.updated = true, true
		}
	}
	return s
}

// writeLists writes a list of the seats to show. If the world has no room for it, the list stays
// unchanged, and is written when the seat is shown again.
func (w *columns) writeLists(s world.State, m *Mirror, p *part) world.State {
	for i := range w.shown {
		f := &w.shown[i]
		e := &m.slots[f.k]
		if !p.IsFor(e.own) {
			continue
		}
		row := m.rowAt(f.k, int(f.a))
		values := p.Decode(w.values[:0], row, row, 0)
		if is, err := systems.ListOf(s, e.id, p.Spec); err != nil || bytes.Equal(is, values) {
			continue
		}
		next, err := systems.SpliceList(s, e.id, p.Spec, 0, -1, values)
		if s = next; err != nil {
			e.fresh = true
		}
	}
	return s
}

// decode appends a value as shown.
func (p *part) decode(dst []byte, m *Mirror, f *shown) []byte {
	if p.Ref {
		return le.AppendUint64(dst, uint64(m.idOf(uint16(m.latest(f.k)[p.At]))))
	}
	a, b := m.rowAt(f.k, int(f.a)), m.rowAt(f.k, int(f.b))
	if a[0]&p.bit != p.bit { // the object got the kind since
		a = b
	}
	share := f.share
	if !p.wire.smooth {
		share = 0
	}
	return p.Decode(dst, a, b, share)
}
