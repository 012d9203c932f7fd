// Package events keeps the last events of a type in a world's bytes.
//
//	event   4   5   6   7   8   9     the last 6 of 10 events; where the next goes, 4 is lost
//	row     4   5   0   1   2   3     a reader that is done with 7 of the 10 receives 7, 8, 9
//	done    10  7   …                 events sent; then for each reader those that it is done with
package events

import (
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A Ring is the events of one type in one world. Event n, counted from 0, is in row n modulo rows.
type Ring struct {
	Rows    *manager.Manager // one per event
	cursors *manager.Manager
	done    []uint64 // number of events sent; then the number read, per reader
}

// NewRing returns the ring of events whose rows and counts are of two managers.
func NewRing(rows, cursors *manager.Manager, done layout.Field[uint64]) *Ring {
	return &Ring{rows, cursors, manager.Column(cursors, done)}
}

// A Reader is one of a ring's.
type Reader struct {
	Ring *Ring
	At   int // in Ring.done, from 1
}

// A Span is some events in a row.
type Span struct {
	ring  *Ring
	first uint64 // number of the first event
	row   int    // of the first event
	n     int
}

// Len returns how many events there are.
func (s Span) Len() int { return s.n }

// span returns n events from the one of a number on.
func (r *Ring) span(number uint64, n int) Span {
	return Span{r, number, int(number % uint64(r.Rows.Cap())), n}
}

// Send adds an event with the defaults.
func (r *Ring) Send() Span {
	s := r.span(r.done[0], 1)
	for i := range r.Rows.Columns {
		r.Rows.Columns[i].Reset(s.row)
	}
	r.Rows.TouchRow(uint32(s.row))
	r.mark(0, r.done[0]+1)
	return s
}

// mark sets one of the counts.
func (r *Ring) mark(at int, n uint64) {
	r.done[at] = n
	r.cursors.TouchRow(uint32(at))
}

// Unread returns the unread events, and how many were lost.
func (p Reader) Unread() (s Span, missed int) {
	sent := p.Ring.done[0]
	n := sent - min(p.Ring.done[p.At], sent)
	kept := min(n, uint64(p.Ring.Rows.Cap()))
	return p.Ring.span(sent-kept, int(kept)), int(min(n-kept, math.MaxInt))
}

// Receive is Unread; the reader is done with them.
func (p Reader) Receive() (s Span, missed int) {
	s, missed = p.Unread()
	p.Ring.mark(p.At, p.Ring.done[0])
	return s, missed
}

// Split returns the events in stretches that lie side by side: all of them in the first, or the
// later ones in the second where the ring goes on from its first row.
func (s Span) Split() [2]Span {
	if s.n == 0 {
		return [2]Span{}
	}
	first := s
	first.n = min(s.n, s.ring.Rows.Cap()-s.row)
	return [2]Span{first, s.ring.span(s.first+uint64(first.n), s.n-first.n)}
}

// Column returns a field of events that lie side by side, in place. It panics when the field is of
// other events, and when the ring has no room for all of them any more.
func Column[T any](s Span, f layout.Field[T]) []T {
	if s.n == 0 {
		return nil
	}
	spec := f.Spec()
	s.check(spec)
	return buffer.Span[T](s.ring.Rows.Columns[spec.Index].Base, s.row, s.n)
}

func (s Span) check(f *layout.FieldSpec) {
	kind := s.ring.Rows.Kind
	switch {
	case f.Kind != kind:
		panic("flatecs: field " + f.Name + " is not of the events " + kind.Name +
			"; ask for one of theirs")
	case s.ring.done[0]-s.first > uint64(s.ring.Rows.Cap()):
		panic("flatecs: events of " + kind.Name + " were lost while they were read; " +
			"send fewer meanwhile, or raise their Count")
	}
}
