package systems

import "github.com/flatecs/flatecs/layout"

// EventsFrom returns the events of e from number n on, counted from 0 since the world was created,
// as far as the world still has them, and the number of the next one. No reader moves, and no byte
// of the world changes. It panics if the world does not have the events.
func EventsFrom(s State, e Events, n uint64) (events Received, next uint64) {
	r := s.look().ring(e)
	next = r.done[0]
	kept := min(next-min(n, next), uint64(r.rows.Cap()))
	return Received{r.span(next-kept, int(kept))}, next
}

// EventKind returns the kind that has a row per event of e, or the zero Kind for the zero Events.
func EventKind(e Events) Kind {
	if e.spec == nil {
		return Kind{}
	}
	return e.spec.kind
}

// EventBytes is [EventColumn] as bytes: a value of a field after the other, in place.
func EventBytes(b EventBatch, f *layout.FieldSpec) []byte {
	if b.span.n == 0 {
		return nil
	}
	b.span.check(f)
	bytes := b.span.ring.rows.Columns[f.Index].Bytes
	return bytes[b.span.row*f.Stride:][:b.span.n*f.Stride]
}
