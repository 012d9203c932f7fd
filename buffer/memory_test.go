package buffer_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

func TestNew(t *testing.T) {
	nothing, ok := buffer.New(0)
	assert.True(t, ok)
	assert.Empty(t, nothing)
	for _, n := range []int{1, 63, 64, 65, 1 << 12, 4<<20 - 1, 4 << 20, 5<<20 + 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b, ok := buffer.New(n)
			require.True(t, ok)
			require.Len(t, b, n)
			assert.Equal(t, n, cap(b))
			assert.Zero(t, address(b)%buffer.Align)
			assert.Equal(t, -1, firstNonZero(b))
			for i := range b { // all of it can be written
				b[i] = 0xff
			}
		})
	}
}

func firstNonZero(b []byte) int {
	for i, x := range b {
		if x != 0 {
			return i
		}
	}
	return -1
}

func TestNewTooLarge(t *testing.T) {
	for _, n := range []int{min(buffer.MaxSize+1, math.MaxInt), math.MaxInt - 1, math.MaxInt} {
		b, ok := buffer.New(n)
		assert.False(t, ok, "%d bytes", n)
		assert.Nil(t, b)
	}
}

func TestHostIsLittleEndian(t *testing.T) { assert.True(t, buffer.LittleEndian()) }

// address returns where a slice begins.
func address[T any](s []T) uintptr { return reflect.ValueOf(s).Pointer() }

type counters [3]uint64

// A region is where one carved slice lies, in bytes from the start of the world.
type region struct{ at, size int }

// carve cuts regions of every sort and returns where they are, those that are anywhere.
func carve(c *buffer.Carver, n int) (found []region) {
	spot := func(at uintptr, size int) {
		if size != 0 {
			found = append(found, region{int(at - address(c.Bytes)), size})
		}
	}
	small := buffer.Carve[uint8](c, n)
	spot(address(small), len(small))
	record := buffer.CarveRecord[counters](c)
	spot(reflect.ValueOf(record).Pointer(), 24)
	wide := buffer.Carve[float64](c, n)
	spot(address(wide), 8*len(wide))
	none := buffer.Carve[uint32](c, 0)
	spot(address(none), 4*len(none))
	records := buffer.CarveRecords[counters](c, n)
	spot(address(records), 24*len(records))
	column := buffer.NewColumn(c, layout.NewField[[3]uint16]("f").Spec(), n)
	spot(address(column.Bytes), len(column.Bytes))
	return found
}

func TestCarve(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 8, 21, 63, 64, 65, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			sizes := []int{n, 24, 8 * n, 24 * n, 6 * n}
			if n == 0 {
				sizes = []int{24}
			}
			whole := 0
			for _, size := range sizes {
				whole += (size + buffer.Align - 1) / buffer.Align * buffer.Align
			}
			b, ok := buffer.New(whole)
			require.True(t, ok)

			cut := buffer.Carver{Bytes: b}
			found := carve(&cut, n)
			assert.Equal(t, whole, cut.Size)
			end := 0
			require.Len(t, found, len(sizes))
			for i, r := range found {
				assert.Equal(t, sizes[i], r.size, "region %d", i)
				assert.Zero(t, r.at%buffer.Align, "region %d is aligned", i)
				assert.Equal(t, (end+buffer.Align-1)/buffer.Align*buffer.Align, r.at,
					"region %d follows the one before, padding apart", i)
				end = r.at + r.size
			}
			assert.Panics(t, func() { buffer.CarveRecord[counters](&cut) }, "nothing is left")
		})
	}
}

func TestCarvedRegionsDoNotGrow(t *testing.T) {
	b, _ := buffer.New(256)
	c := buffer.Carver{Bytes: b}
	first, second := buffer.Carve[uint32](&c, 3), buffer.Carve[uint32](&c, 3)
	assert.Equal(t, 3, cap(first))
	_ = append(first, 7)
	assert.Equal(t, []uint32{0, 0, 0}, second)
	assert.Equal(t, make([]byte, 256), b)
}
