package replica

import (
	"math"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// A clock is the time that a mirror shows, and that of the client's own ticks.
type clock struct {
	shows   bool
	now     time.Duration
	shown   float64 // tick of the server
	started bool
	due     time.Duration // of the client's next tick
	silent  int           // ticks of the client since the server was heard
	gone    bool          // the server has given the client up
}

const (
	jump    = 8   // ticks that are not caught up with, but jumped over
	haste   = 0.1 // of the difference per tick
	maxRate = 0.2 // of the speed of time
)

// Due reports whether a tick of the client is due, and counts it: call it in a loop, with the time
// since a fixed moment. The ticks are as long as the server's, or a little shorter or longer, so
// that inputs reach the server just before it needs them.
func (m *Mirror) Due(now time.Duration) bool {
	c := &m.made().clock
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
	case m.slack > 6: // the server stood still: use them soon
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
	c := &m.made().clock
	m.entered[0], m.entered[1] = m.entered[1][:0], m.entered[0]
	m.left[0], m.left[1] = m.left[1][:0], m.left[0]
	if !m.any {
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
	if m.me != nil {
		s = m.me.presentSoft(s)
	}
	return s
}

// presentAt shows the world of a tick and a part of the next one.
func (m *Mirror) presentAt(s world.State, at float64) world.State {
	w := &m.writer
	w.shown = w.shown[:0]
	tick := uint32(at)
	for k := range m.slots {
		e := &m.slots[k]
		if e.id == world.Nobody || e.own && m.me != nil {
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

// between returns the rows that a seat is shown between, and whether they are to be shown.
func (e *seat) between(k uint16, tick uint32, at float64) (shown, bool) {
	f := shown{k: k, a: ringTicks, b: ringTicks}
	if e.tick <= tick {
		fresh := e.fresh
		e.fresh = false
		return f, fresh
	}
	before, after := uint32(0), e.tick
	for i, t := range e.ticks {
		switch {
		case t == 0:
		case t <= tick && t > before:
			before, f.a = t, uint8(i)
		case t > tick && t < after:
			after, f.b = t, uint8(i)
		}
	}
	if before == 0 { // it came in later than that
		f.a = f.b
		return f, true
	}
	f.share = float32((at - float64(before)) / float64(after-before))
	return f, true
}

// shown is how a seat is shown: between two of its rows.
type shown struct {
	k     uint16
	a, b  uint8
	share float32
}

// columns are values on their way into a world.
type columns struct {
	shown    []shown
	ids      []world.GameObject
	values   []byte
	elements []byte // of a list, as they traveled

	kin   []layout.Field[world.GameObject] // the references of the world's relations
	apart []uint32                         // who referred to an object: seat, and by which << 16
}

func (w *columns) make(c *Schema, known int) {
	w.shown = make([]shown, 0, known)
	w.ids = make([]world.GameObject, 0, known)
	w.elements = make([]byte, 0, link.MaxDatagram)
	most := 8 * known
	for i := range c.parts[1:] {
		if p := &c.parts[1+i]; p.most > 0 {
			most = max(most, p.most*p.spec.List.Element.Stride)
		} else {
			most = max(most, p.spec.Stride*known)
		}
	}
	w.values = tool.Bytes(most)
}

// A putter writes values of a field, one after the other, to objects that have it. It reports
// whether all are written: references that would close a ring are not.
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

// refPutter writes references. Those that change refer to nobody first: values of one tick close no
// ring, but some may be of another tick, for a while.
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

// write writes the seats that are to be shown, column by column.
func (w *columns) write(s world.State, m *Mirror) world.State {
	if len(w.shown) == 0 {
		return s
	}
	for i := range m.schema.parts[1:] {
		p := &m.schema.parts[1+i]
		if p.most > 0 {
			s = w.writeLists(s, m, p)
			continue
		}
		w.ids = w.ids[:0]
		n := 0
		for j := range w.shown {
			f := &w.shown[j]
			e := &m.slots[f.k]
			if !p.isFor(e.own) {
				continue
			}
			w.ids = append(w.ids, e.id)
			p.decode(m, f, w.values[n:][:p.spec.Stride])
			n += p.spec.Stride
		}
		all := true
		if len(w.ids) > 0 {
			s, all = p.puts(s, w.ids, w.values[:n])
		}
		for j := 0; !all && j < len(w.shown); j++ { // again, when others have changed
			m.slots[w.shown[j].k].fresh, m.news = true, true
		}
	}
	return s
}

// isFor reports whether a client receives the part of an object that it owns, or not.
func (p *part) isFor(own bool) bool { return p.to == everybody || own == (p.to == owners) }

// decode writes a value as it is shown.
func (p *part) decode(m *Mirror, f *shown, dst []byte) {
	if p.ref {
		to := world.Nobody
		if place := m.latest(f.k)[p.at]; place != 0 {
			to = m.slots[place-1].id
		}
		le.PutUint64(dst, uint64(to))
		return
	}
	a, b := m.rowAt(f.k, int(f.a)), m.rowAt(f.k, int(f.b))
	if bit := m.schema.bits[p.number]; a[0]&bit != bit { // the object got the kind since
		a = b
	}
	a, b = a[p.at:], b[p.at:]
	if p.wire.form == raw {
		for i := 0; len(dst) > 0; i++ {
			var word [4]byte
			le.PutUint32(word[:], a[i])
			dst = dst[copy(dst, word[:]):]
		}
		return
	}
	for l := range p.lanes {
		lane := p.wire.laneOf(a, l)
		v := p.wire.value(lane)
		if p.wire.smooth && f.share > 0 {
			v = p.wire.between(lane, p.wire.laneOf(b, l), f.share)
		}
		le.PutUint32(dst[4*l:], math.Float32bits(v))
	}
}
