package manager

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Text formats one value of a field: a single lane as "1", several as "[1 2]", named parts as "{X:1
// Y:2}". The value of a list is its elements: "[{X:1 Y:2} {X:3 Y:4}]"; that of a text its bytes, in
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

// partText formats a part of a value.
func partText(p *layout.Part, value []byte) string {
	return partNaming(p, value, gameobject.ID.String)
}

// partNaming is partText with names for ids.
func partNaming(p *layout.Part, value []byte, name func(gameobject.ID) string) string {
	b, size := p.Bytes(value), p.Size()
	if p.Lanes == 1 {
		return elementText(p.Type, b, name)
	}
	lanes := make([]string, p.Lanes)
	for i := range lanes {
		lanes[i] = elementText(p.Type, b[i*size:][:size], name)
	}
	return "[" + strings.Join(lanes, " ") + "]"
}

// elementText formats one element.
func elementText(element string, b []byte, name func(gameobject.ID) string) string {
	var wide [8]byte
	copy(wide[:], b)
	x := binary.LittleEndian.Uint64(wide[:])
	switch element {
	case "bool":
		if x < 2 {
			return fmt.Sprint(x == 1)
		}
	case "id":
		return name(gameobject.ID(x))
	case "float16":
		var single [1]float32
		kernel.UnpackFloat16(single[:], []uint16{uint16(x)})
		return fmt.Sprint(single[0])
	case "float32":
		return fmt.Sprint(math.Float32frombits(uint32(x)))
	case "float64":
		return fmt.Sprint(math.Float64frombits(x))
	case "int8", "int16", "int32", "int64":
		shift := 64 - 8*len(b)
		return fmt.Sprint(int64(x<<shift) >> shift)
	}
	return fmt.Sprint(x)
}
