package wire

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
)

// A Schema is the parts and events that are sent, in order. Both ends have the same schema.
type Schema struct {
	Kinds  []layout.Kind // that objects may have or lack: the bits of the first part
	Parts  []*Part
	Events []*Event
	Refs   int    // of an event, at most
	Words  int    // of a row
	Lists  uint32 // the parts that are lists
	Hash   uint64 // differs between schemas whose datagrams differ

	masks [2]uint32 // the parts for others, and for owners
}

// NewSchema returns the schema of parts, after the part of the kinds, and of events.
func NewSchema(kinds []layout.Kind, parts []*Part, events []*Event) *Schema {
	presence := &Part{Width: (len(kinds) + 7) / 8, Words: 1}
	s := &Schema{Kinds: kinds, Parts: append([]*Part{presence}, parts...), Events: events}
	text := fmt.Appendf(nil, "replica 2 %v\n", kinds)
	for i, p := range s.Parts {
		if i > 0 {
			text = p.appendText(text)
		}
		if p.Most > 0 {
			s.Lists |= 1 << i
		}
		p.At = s.Words
		s.Words += p.Words
		for own := range s.masks {
			if p.IsFor(own == 1) && (i > 0 || len(kinds) > 0) { // no kinds: an empty part
				s.masks[own] |= 1 << i
			}
		}
	}
	for _, e := range events {
		s.Refs = max(s.Refs, len(e.Refs))
		text = fmt.Appendf(text, "%s of %s\n", e.Name, e.To)
		for _, f := range e.Fields {
			text = fmt.Appendf(text, "%s %s\n", f, f.Shape())
		}
	}
	s.Hash = xxh3.Hash(text)
	return s
}

// appendText appends the properties that must be equal at both ends.
func (p *Part) appendText(b []byte) []byte {
	f, shape := &p.Form, p.Value().Shape()
	b = fmt.Appendf(b, "%s %s %d %d %v %d ", p.Spec, shape, p.To, p.Width, p.Ref, p.Most)
	return append(fmt.Append(b, f.kind, f.low, f.step, f.Bits, p.Delta), '\n')
}

// Visible returns the parts of an object that its owner, or another client, may see.
func (s *Schema) Visible(own bool) uint32 {
	if own {
		return s.masks[1]
	}
	return s.masks[0]
}

// In yields the parts in a mask.
func (s *Schema) In(mask uint32) iter.Seq[*Part] { return In(s.Parts, mask) }

// In yields the elements of all whose bits are set in a mask.
func In[P any](all []P, mask uint32) iter.Seq[P] {
	return func(yield func(P) bool) {
		for m := mask; m != 0; m &= m - 1 {
			if !yield(all[bits.TrailingZeros32(m)]) {
				return
			}
		}
	}
}

// SizeOfLists returns the number of bytes of the lists of a mask in a row, without their lengths.
func (s *Schema) SizeOfLists(row []uint32, mask uint32) (n int) {
	for p := range s.In(mask & s.Lists) {
		n += int(row[p.At]) * p.Width
	}
	return n
}
