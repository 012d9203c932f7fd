package wire

import "github.com/flatecs/flatecs/layout"

// Sizes, in bytes.
const (
	MaxEvent  = 64 // of an event, without its number
	EventHead = 4  // at most: number of the first, and how many
	EventStep = 3  // at most: the step to the next number, and the type
)

// An Event is the encoding of a type of events: its fields, with slots in place of references.
type Event struct {
	Name   string
	To     *layout.FieldSpec // the field with the object that decides who receives it
	About  int               // number of that reference
	Fields []*layout.FieldSpec
	Refs   []int // offsets of references in the bytes of all fields
	Size   int   // bytes of all fields
	Width  int   // bytes on the wire
}

// NewEvent returns the encoding of events with these fields.
func NewEvent(name string, to *layout.FieldSpec, fields []*layout.FieldSpec) *Event {
	e := &Event{Name: name, To: to, Fields: fields}
	for _, f := range fields {
		if f == to {
			e.About = len(e.Refs)
		}
		for _, at := range f.Refs {
			e.Refs = append(e.Refs, e.Size+at)
		}
		e.Size += f.Stride
	}
	e.Width = e.Size - 6*len(e.Refs)
	return e
}

// AppendEvents appends the head of a list of events; first is the number of the first event.
// FinishEvents writes their count.
func AppendEvents(b []byte, first uint16) []byte { return append(le.AppendUint16(b, first), 0) }

// FinishEvents writes the number of events to the head at the start of events.
func FinishEvents(events []byte, count int) { events[2] = byte(count) }

// Append appends an event of type which; step is the difference from the previous number, and value
// the bytes of all fields, with slots in place of references.
func (e *Event) Append(b []byte, step, which uint8, value []byte, slots []uint16) []byte {
	b = append(b, step, which)
	from := 0
	for i, at := range e.Refs {
		b = append(b, value[from:at]...)
		b = le.AppendUint16(b, slots[i])
		from = at + 8
	}
	return append(b, value[from:e.Size]...)
}

// Read writes the bytes of all fields except references to value, and their slots to slots.
func (e *Event) Read(value []byte, slots []uint16, b []byte) {
	from := 0
	for i, at := range e.Refs {
		b = b[copy(value[from:at], b):]
		slots[i], b = le.Uint16(b), b[2:]
		from = at + 8
	}
	copy(value[from:], b)
}

// Check reports whether a value may be in a world, and its slots are below known.
func (e *Event) Check(value []byte, slots []uint16, known int) bool {
	for _, k := range slots {
		if int(k) > known {
			return false
		}
	}
	for _, f := range e.Fields {
		if f.Check(value[:f.Stride], 0) != nil {
			return false
		}
		value = value[f.Stride:]
	}
	return true
}

// EachEvent calls each for the events in b, with their numbers, and reports whether b contains only
// whole events.
func (s *Schema) EachEvent(b []byte, each func(which int, number uint16, b []byte) bool) bool {
	if len(b) < EventHead-1 {
		return false
	}
	number, count := le.Uint16(b), int(b[2])
	b = b[3:]
	for i := range count {
		if len(b) < 2 || i > 0 && b[0] == 0 || int(b[1]) >= len(s.Events) {
			return false
		}
		number += uint16(b[0])
		which := int(b[1])
		n := s.Events[which].Width
		if b = b[2:]; len(b) < n || !each(which, number, b[:n]) {
			return false
		}
		b = b[n:]
	}
	return len(b) == 0 && count > 0
}
