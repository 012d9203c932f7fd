package wire

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
)

var le = binary.LittleEndian

// An Audience is the set of clients that receive a part.
type Audience uint8

// All clients that may see an object, only those that own it, or only the others.
const (
	Everybody Audience = iota
	Others             // clients that do not own the object
	Owners
)

// A Part is the encoding of a part of objects.
type Part struct {
	Spec  *layout.FieldSpec // of its values; nil: the kinds of an object, a bit each
	Form  Form
	To    Audience
	Ref   bool // values are sent as slots; ids take two words
	Delta bool // values may be sent as differences
	Most  int  // elements of a list; 0: not a list
	Lanes int  // of a value that is not raw
	Width int  // bytes of a value, or of an element of a list
	At    int  // first word of its values in a row
	Words int  // of a value in a row
}

// Measure computes the sizes of a part from its Spec and Form.
func (p *Part) Measure() {
	_, lanes := p.Value().Flat()
	switch {
	case p.Ref:
		p.Width, p.Words = 2, 2
		return
	case p.Form.kind == raw:
		p.Width = p.Value().Stride
	default:
		p.Lanes, p.Width = lanes, lanes*p.Form.Bits/8
	}
	if p.Words = (p.Width + 3) / 4; p.Most > 0 {
		p.Words = 1 + (p.Most*p.Width+3)/4
	}
}

// Value returns the field of a value, or of an element of the list.
func (p *Part) Value() *layout.FieldSpec {
	if p.Most > 0 {
		return p.Spec.List.Element
	}
	return p.Spec
}

// IsRaw reports whether values are sent as unchanged bytes.
func (p *Part) IsRaw() bool { return p.Form.kind == raw }

// IsFor reports whether clients that own an object, or the others, receive the part.
func (p *Part) IsFor(own bool) bool { return p.To == Everybody || own == (p.To == Owners) }

// Size returns the number of bytes of a value in a group with flags, or of a list's length.
func (p *Part) Size(flags uint8) int {
	switch {
	case flags&Small != 0 && p.Delta:
		return p.Lanes
	case p.Most > math.MaxUint8:
		return 2
	case p.Most > 0:
		return 1
	}
	return p.Width
}

// A list in a row is its length, then its encoded elements, contiguous, and zeros up to the maximum
// size. Datagrams omit the zeros.

// Append appends the value, or list, of a row.
func (p *Part) Append(b []byte, row []uint32) []byte {
	row, n := row[p.At:], p.Width
	if p.Most > 0 {
		n *= int(row[0])
		b, row = AppendWords(b, row, p.Size(0)), row[1:]
	}
	return AppendWords(b, row, n)
}

// Read writes the next value, or list, of a column to a row, and returns the rest. The row behind
// the end of a list is unspecified.
func (p *Part) Read(row []uint32, b []byte) (rest []byte) {
	row, n := row[p.At:][:p.Words], p.Width
	if p.Most > 0 {
		row[0] = p.length(b)
		n *= int(row[0])
		b, row = b[p.Size(0):], row[1:]
	}
	PutWords(row, b[:n])
	return b[n:]
}

// length returns the length of the list at the start of b.
func (p *Part) length(b []byte) uint32 { return Word(b[:p.Size(0)]) }

// cut splits b into the column of n values and the rest, and reports whether b is long enough.
func (p *Part) cut(b []byte, flags uint8, n int) (column, rest []byte, ok bool) {
	end, head := 0, p.Size(flags)
	for range n {
		if len(b)-end < head {
			return nil, nil, false
		}
		length := 0
		if p.Most > 0 {
			length = int(p.length(b[end:]))
		}
		if end += head + length*p.Width; length > p.Most || end > len(b) {
			return nil, nil, false
		}
	}
	return b[:end], b[end:], true
}

// check reports whether the values of a column may be in a world with kinds kinds and slots slots.
func (p *Part) check(b []byte, kinds, slots int) bool {
	switch {
	case p.Spec == nil:
		for ; len(b) > 0; b = b[p.Width:] {
			if uint64(Word(b[:p.Width]))>>kinds != 0 {
				return false
			}
		}
	case p.Ref:
		for ; len(b) > 0; b = b[2:] {
			if int(le.Uint16(b)) > slots {
				return false
			}
		}
	case p.Most > 0:
		for len(b) > 0 {
			n := int(p.length(b)) * p.Width
			b = b[p.Size(0):]
			if !p.checkElements(b[:n]) {
				return false
			}
			b = b[n:]
		}
	case p.IsRaw():
		return p.Spec.Check(b, 0) == nil
	}
	return true
}

func (p *Part) checkElements(b []byte) bool {
	if p.Spec.List.Text {
		return utf8.Valid(b)
	}
	return !p.IsRaw() || p.Value().Check(b, 0) == nil
}

// Difference returns a - b, a byte for each of four lanes of 16 bits, and whether they fit into
// bytes.
func Difference(a, b uint64) (bytes uint32, ok bool) {
	const (
		high = 0x8000_8000_8000_8000
		low  = 0x007f_007f_007f_007f
	)
	d := ((a | high) - (b &^ high)) ^ ((a ^ ^b) & high) // in each lane
	sign := d >> 7 & 0x0001_0001_0001_0001
	if d&^low != sign*0xff80 { // the upper 9 bits of a lane differ: it is not in -128…127
		return 0, false
	}
	return uint32(d&0xff | d>>8&0xff00 | d>>16&0xff0000 | d>>24&0xff000000), true
}

// AppendDifference appends the result of Difference.
func (p *Part) AppendDifference(b []byte, bytes uint32) []byte {
	n := len(b)
	return le.AppendUint32(b, bytes)[:n+p.Lanes]
}

// ReadDifference adds the next difference of a column to the value old, writes the sum to a row,
// and returns the rest.
func (p *Part) ReadDifference(row, old []uint32, b []byte) (rest []byte) {
	var words [2]uint32
	for l, d := range b[:p.Lanes] {
		lane := uint16(p.Form.laneOf(old[p.At:], l)) + uint16(int8(d))
		words[l>>1] |= uint32(lane) << (l & 1 * 16)
	}
	copy(row[p.At:][:p.Words], words[:])
	return b[p.Lanes:]
}

// Encode appends encoded elements of a list.
func (p *Part) Encode(dst, elements []byte) []byte {
	if p.IsRaw() {
		return append(dst, elements...)
	}
	for ; len(elements) > 0; elements = elements[4:] {
		lane := p.Form.Lane(math.Float32frombits(le.Uint32(elements)))
		if dst = append(dst, byte(lane)); p.Form.Bits == 16 {
			dst = append(dst, byte(lane>>8))
		}
	}
	return dst
}

// Decode appends the decoded value, or list, of row a; a value that is not raw is interpolated
// between a and b.
func (p *Part) Decode(dst []byte, a, b []uint32, share float32) []byte {
	a, b = a[p.At:], b[p.At:]
	n, lanes := p.Width, p.Lanes
	if p.Most > 0 {
		n, lanes = n*int(a[0]), lanes*int(a[0])
		a, b = a[1:], a[1:]
	}
	if p.IsRaw() {
		return AppendWords(dst, a, n)
	}
	for l := range lanes {
		lane := p.Form.laneOf(a, l)
		v := p.Form.Value(lane)
		if share > 0 {
			v = p.Form.Between(lane, p.Form.laneOf(b, l), share)
		}
		dst = le.AppendUint32(dst, math.Float32bits(v))
	}
	return dst
}

// AppendWords appends the first n bytes of words.
func AppendWords(b []byte, words []uint32, n int) []byte {
	end := len(b) + n
	for i := 0; len(b) < end; i++ {
		b = le.AppendUint32(b, words[i])
	}
	return b[:end]
}

// PutWords writes bytes to words, padding the last word with zeros.
func PutWords(words []uint32, b []byte) {
	for ; len(b) >= 4; b = b[4:] {
		words[0], words = le.Uint32(b), words[1:]
	}
	if len(b) > 0 {
		words[0] = Word(b)
	}
}

// Word returns up to four bytes as a number.
func Word(b []byte) uint32 {
	var w [4]byte
	copy(w[:], b)
	return le.Uint32(w[:])
}
