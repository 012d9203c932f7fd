package tool

import (
	"encoding/binary"
	"math"

	"github.com/flatecs/flatecs/buffer/kernel"
)

// Number returns an element of a part of a field as a number, from its bytes: a bool as 0 or 1, an
// id as its bits. Integers beyond 2⁵³ are rounded.
func Number(element string, lane []byte) float64 {
	var wide [8]byte
	copy(wide[:], lane)
	x := binary.LittleEndian.Uint64(wide[:])
	switch element {
	case "float16":
		var single [1]float32
		kernel.UnpackFloat16(single[:], []uint16{uint16(x)})
		return float64(single[0])
	case "float32":
		return float64(math.Float32frombits(uint32(x)))
	case "float64":
		return math.Float64frombits(x)
	case "int8", "int16", "int32", "int64":
		shift := 64 - 8*len(lane)
		return float64(int64(x<<shift) >> shift)
	}
	return float64(x)
}
