package manager

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Text formats one value of a field: a single lane as "1", several as "[1 2]", named parts as "{X:1
// Y:2}".
func Text(f *layout.FieldSpec, value []byte) string {
	if f.Parts[0].Name == "" {
		return partText(&f.Parts[0], value)
	}
	var s strings.Builder
	for i := range f.Parts {
		p := &f.Parts[i]
		s.WriteByte("{ "[min(i, 1)])
		s.WriteString(layout.Quoted(p.Name) + ":" + partText(p, value))
	}
	return s.String() + "}"
}

// partText formats a part of a value.
func partText(p *layout.Part, value []byte) string {
	b, size := p.Bytes(value), p.Size()
	if p.Lanes == 1 {
		return elementText(p.Type, b)
	}
	lanes := make([]string, p.Lanes)
	for i := range lanes {
		lanes[i] = elementText(p.Type, b[i*size:][:size])
	}
	return "[" + strings.Join(lanes, " ") + "]"
}

// elementText formats one element.
func elementText(name string, b []byte) string {
	var wide [8]byte
	copy(wide[:], b)
	x := binary.LittleEndian.Uint64(wide[:])
	switch name {
	case "bool":
		if x < 2 {
			return fmt.Sprint(x == 1)
		}
	case "id":
		return gameobject.ID(x).String()
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
