package systems

import (
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A ring is the events of one type in one world. Event n, counted from 0, is in row n modulo rows:
//
//	event   4   5   6   7   8   9     the last 6 of 10 events; where the next goes, 4 is lost
//	row     4   5   0   1   2   3     a reader that is done with 7 of the 10 receives 7, 8, 9
//	done    10  7   …                 events sent; then for each reader those that it is done with
type ring struct {
	rows    *manager.Manager // one per event
	cursors *manager.Manager
	done    []uint64 // number of events sent; then the number read, per reader
}

// newRing returns the ring of events whose rows and counts are of two managers.
func newRing(rows, cursors *manager.Manager, done layout.Field[uint64]) *ring {
	return &ring{rows, cursors, manager.Column(cursors, done)}
}

// A ringReader is one of a ring's.
type ringReader struct {
	ring *ring
	at   int // in ring.done, from 1
}

// A ringSpan is some events in a row.
type ringSpan struct {
	ring  *ring
	first uint64 // number of the first event
	row   int    // of the first event
	n     int
}

// Len returns how many events there are.
func (s ringSpan) Len() int { return s.n }

// span returns n events from the one of a number on.
func (r *ring) span(number uint64, n int) ringSpan {
	return ringSpan{r, number, int(number % uint64(r.rows.Cap())), n}
}

// Send adds an event with the defaults.
func (r *ring) Send() ringSpan {
	s := r.span(r.done[0], 1)
	for i := range r.rows.Columns {
		r.rows.Columns[i].Reset(s.row)
	}
	r.rows.TouchRow(uint32(s.row))
	r.mark(0, r.done[0]+1)
	return s
}

// mark sets one of the counts.
func (r *ring) mark(at int, n uint64) {
	r.done[at] = n
	r.cursors.TouchRow(uint32(at))
}

// Unread returns the unread events, and how many were lost.
func (p ringReader) Unread() (s ringSpan, missed int) {
	sent := p.ring.done[0]
	n := sent - min(p.ring.done[p.at], sent)
	kept := min(n, uint64(p.ring.rows.Cap()))
	return p.ring.span(sent-kept, int(kept)), int(min(n-kept, math.MaxInt))
}

// Receive is Unread; the reader is done with them.
func (p ringReader) Receive() (s ringSpan, missed int) {
	s, missed = p.Unread()
	p.ring.mark(p.at, p.ring.done[0])
	return s, missed
}

// Split returns the events in stretches that lie side by side: all of them in the first, or the
// later ones in the second where the ring goes on from its first row.
func (s ringSpan) Split() [2]ringSpan {
	if s.n == 0 {
		return [2]ringSpan{}
	}
	first := s
	first.n = min(s.n, s.ring.rows.Cap()-s.row)
	return [2]ringSpan{first, s.ring.span(s.first+uint64(first.n), s.n-first.n)}
}

// ringColumn returns a field of events that lie side by side, in place. It panics when the field is
// of other events, and when the ring has no room for all of them any more.
func ringColumn[T any](s ringSpan, f layout.Field[T]) []T {
	if s.n == 0 {
		return nil
	}
	spec := f.Spec()
	s.check(spec)
	return buffer.Span[T](s.ring.rows.Columns[spec.Index].Base, s.row, s.n)
}

func (s ringSpan) check(f *layout.FieldSpec) {
	kind := s.ring.rows.Kind
	switch {
	case f == nil || f.Kind != kind:
		panic("flatecs: field " + f.String() + " is not of the events " + kind.Name +
			"; ask for one of their fields")
	case s.ring.done[0]-s.first > uint64(s.ring.rows.Cap()):
		panic("flatecs: events of " + kind.Name + " were lost while they were read; " +
			"send fewer meanwhile, or raise their Count")
	}
}
