package index

import (
	"math"
	"reflect"

	"github.com/flatecs/flatecs/buffer"
)

// A Cutter cuts memory into slices, or counts the bytes that they take.
type Cutter struct {
	carver *buffer.Carver // nil: counts
	bytes  int64          // may exceed 32 bits
}

// Cut returns the next n elements of T, which has no pointers, or nil while c counts.
func Cut[T any](c *Cutter, n int) []T {
	if c.carver != nil {
		return buffer.CarveRecords[T](c.carver, n)
	}
	size := int64(reflect.TypeFor[T]().Size())
	c.bytes += (int64(n)*size + buffer.Align - 1) &^ (buffer.Align - 1)
	return nil
}

// Reserve returns zeroed memory that cut has cut; it calls cut twice. If there is not enough
// memory, it returns only the number of bytes.
func Reserve(cut func(c *Cutter)) (memory *buffer.Range, bytes int64) {
	var count Cutter
	if cut(&count); count.bytes > math.MaxInt {
		return nil, count.bytes
	}
	memory, ok := buffer.Reserve(int(count.bytes), 0)
	if !ok {
		return nil, count.bytes
	}
	memory.Open(0, int(count.bytes))
	cut(&Cutter{carver: &buffer.Carver{Bytes: memory.Bytes}})
	return memory, count.bytes
}
