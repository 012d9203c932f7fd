package manager

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Text formats one value of a field: a single lane as "1", several as "[1 2]", named parts as "{X:1
// Y:2}". It formats a list by its elements, "[{X:1 Y:2} {X:3 Y:4}]", and a text by its bytes, in
// quotes.
func Text(f *layout.FieldSpec, value []byte) string {
	return TextNaming(f, value, gameobject.ID.String)
}

// TextNaming is Text with names for the ids in the value.
func TextNaming(f *layout.FieldSpec, value []byte, name func(gameobject.ID) string) string {
	if f.List != nil {
		return listNaming(f.List, value, name)
	}
	return partsNaming(f, value, name)
}

// partsNaming is TextNaming for the parts of a value.
func partsNaming(
	f *layout.FieldSpec, value []byte, name func(gameobject.ID) string,
) string {
	if f.Parts[0].Name == "" {
		return partNaming(&f.Parts[0], value, name)
	}
	var s strings.Builder
	for i := range f.Parts {
		p := &f.Parts[i]
		s.WriteByte("{ "[min(i, 1)])
		s.WriteString(layout.Quoted(p.Name) + ":" + partNaming(p, value, name))
	}
	return s.String() + "}"
}

// listNaming is TextNaming for a list.
func listNaming(l *layout.ListSpec, elements []byte, name func(gameobject.ID) string) string {
	if l.Text {
		return strconv.Quote(string(elements))
	}
	var s strings.Builder
	s.WriteByte('[')
	for at := 0; at < len(elements); at += l.Element.Stride {
		if at > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(TextNaming(l.Element, elements[at:][:l.Element.Stride], name))
	}
	return s.String() + "]"
}

// partNaming formats a part of a value, with names for ids.
func partNaming(p *layout.Part, value []byte, name func(gameobject.ID) string) string {
	b, size := p.Bytes(value), p.Size()
	if p.Lanes == 1 {
		return ElementText(p.Type, b, name)
	}
	lanes := make([]string, p.Lanes)
	for i := range lanes {
		lanes[i] = ElementText(p.Type, b[i*size:][:size], name)
	}
	return "[" + strings.Join(lanes, " ") + "]"
}

// ElementText formats one element, with names for ids.
func ElementText(element string, lane []byte, name func(gameobject.ID) string) string {
	x, number := Number(element, lane)
	switch element {
	case "bool":
		if x < 2 {
			return strconv.FormatBool(x == 1)
		}
	case "id":
		return name(gameobject.ID(x))
	case "float16", "float32":
		return strconv.FormatFloat(number, 'g', -1, 32)
	case "float64":
		return strconv.FormatFloat(number, 'g', -1, 64)
	case "int8", "int16", "int32", "int64":
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatUint(x, 10)
}

// Number returns the bits of an element, sign-extended for an integer, and its number.
func Number(element string, lane []byte) (uint64, float64) {
	var wide [8]byte
	copy(wide[:], lane)
	x := binary.LittleEndian.Uint64(wide[:])
	switch element {
	case "float16":
		var single [1]float32
		kernel.UnpackFloat16(single[:], []uint16{uint16(x)})
		return x, float64(single[0])
	case "float32":
		return x, float64(math.Float32frombits(uint32(x)))
	case "float64":
		return x, math.Float64frombits(x)
	case "int8", "int16", "int32", "int64":
		shift := 64 - 8*len(lane)
		n := int64(x<<shift) >> shift
		return uint64(n), float64(n)
	}
	return x, float64(x)
}
