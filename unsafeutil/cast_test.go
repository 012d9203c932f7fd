package unsafeutil_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/unsafeutil"
)

type (
	team uint8
	half uint16
	mass float64
)

// address returns where a slice begins.
func address[T any](s []T) uintptr { return reflect.ValueOf(s).Pointer() }

// casts runs a subtest for one element type.
func casts[T unsafeutil.Element](t *testing.T, size int) {
	t.Helper()
	t.Run(reflect.TypeFor[T]().String(), func(t *testing.T) {
		assert.Equal(t, size, unsafeutil.SizeOf[T]())
		b := unsafeutil.Aligned(16*size, 64)
		s := unsafeutil.Slice[T](b)
		require.Len(t, s, 16)
		assert.Equal(t, address(b), address(s), "a view, not a copy")
		assert.Equal(t, address(b), address(unsafeutil.Bytes(s)), "and back")
		assert.Len(t, unsafeutil.Bytes(s), len(b))
		s[15]++
		assert.NotEqual(t, make([]byte, size), b[15*size:], "a write is seen in the bytes")
		assert.Equal(t, make([]byte, 15*size), b[:15*size], "and only where it was made")

		for skip := 1; skip < size; skip++ {
			assert.PanicsWithValue(t, misaligned, func() { unsafeutil.Slice[T](b[skip : skip+size]) },
				"%d bytes off", skip)
			assert.PanicsWithValue(t, misaligned, func() { unsafeutil.Slice[T](b[:size+skip]) },
				"%d bytes too many", skip)
		}
	})
}

const misaligned = "flatecs: bytes do not start on a multiple of the element's size, " +
	"or are not a whole number of elements; hand in a column's"

func TestSliceEveryElement(t *testing.T) {
	casts[int8](t, 1)
	casts[uint8](t, 1)
	casts[team](t, 1)
	casts[int16](t, 2)
	casts[uint16](t, 2)
	casts[half](t, 2)
	casts[int32](t, 4)
	casts[uint32](t, 4)
	casts[float32](t, 4)
	casts[int64](t, 8)
	casts[uint64](t, 8)
	casts[float64](t, 8)
	casts[mass](t, 8)
}

func TestSliceIsLittleEndian(t *testing.T) {
	require.True(t, unsafeutil.LittleEndian())
	b := unsafeutil.Aligned(8, 8)
	copy(b, []byte{1, 2, 3, 4, 5, 6, 7, 8})
	assert.Equal(t, []uint16{0x0201, 0x0403, 0x0605, 0x0807}, unsafeutil.Slice[uint16](b))
	assert.Equal(t, []uint32{0x04030201, 0x08070605}, unsafeutil.Slice[uint32](b))
	assert.Equal(t, []uint64{0x0807060504030201}, unsafeutil.Slice[uint64](b))
	unsafeutil.Slice[float32](b)[1] = 1
	assert.Equal(t, math.Float32bits(1), unsafeutil.Slice[uint32](b)[1])
}

func TestViewsOfNothing(t *testing.T) {
	assert.Empty(t, unsafeutil.Slice[float64](nil))
	assert.Empty(t, unsafeutil.Records[[2]uint32](nil))
	assert.Empty(t, unsafeutil.Bytes[uint16](nil))
}

type record struct {
	wide   uint64
	narrow uint32
	more   uint32
}

func TestRecords(t *testing.T) {
	b := unsafeutil.Aligned(64, 64)
	r := unsafeutil.Records[record](b)
	require.Len(t, r, 4)
	assert.Equal(t, address(b), address(r))
	r[3] = record{1, 2, 3}
	assert.Equal(t, []uint64{1, 3<<32 | 2}, unsafeutil.Slice[uint64](b[48:]))

	assert.PanicsWithValue(t, misaligned, func() { unsafeutil.Records[record](b[4:20]) })
	assert.PanicsWithValue(t, misaligned, func() { unsafeutil.Records[record](b[:24]) })
	assert.NotPanics(t, func() { unsafeutil.Records[record](b[8:24]) })
	assert.NotPanics(t, func() { unsafeutil.Records[[12]byte](b[1:13]) }, "bytes go anywhere")
}

func TestFlat(t *testing.T) {
	rows := []struct{ a, b [2]float32 }{{[2]float32{0, 1}, [2]float32{2, 3}}, {[2]float32{4, 5}, [2]float32{6, 7}}}
	flat := unsafeutil.Flat[float32](rows)
	assert.Equal(t, []float32{0, 1, 2, 3, 4, 5, 6, 7}, flat)
	flat[6] = 9
	assert.Equal(t, [2]float32{9, 7}, rows[1].b, "a view, not a copy")
	assert.Equal(t, 8, cap(flat))
	assert.Empty(t, unsafeutil.Flat[float32]([][3]float32(nil)))
}

func TestBytesOf(t *testing.T) {
	v := [3]uint16{1, 2, 3}
	b := unsafeutil.BytesOf(&v)
	assert.Equal(t, []byte{1, 0, 2, 0, 3, 0}, b)
	b[2] = 9
	assert.Equal(t, uint16(9), v[1], "a view, not a copy")
}

func TestAligned(t *testing.T) {
	for _, align := range []int{1, 2, 8, 64, 4096, 2 << 20} {
		assert.Empty(t, unsafeutil.Aligned(0, align))
		for _, n := range []int{1, 63, 64, 65, 5000} {
			b := unsafeutil.Aligned(n, align)
			require.Len(t, b, n)
			require.Equal(t, n, cap(b), "no room to grow into")
			require.Zero(t, address(b)%uintptr(align), "%d bytes at %d", n, align)
			require.Equal(t, make([]byte, n), b)
		}
	}
}

func TestElementOf(t *testing.T) {
	v := struct {
		A, B float32
		C    float64
	}{1, 2, 3}
	assert.InDelta(t, 2, unsafeutil.ElementOf[float32](&v, 1), 0)
	assert.InDelta(t, 3, unsafeutil.ElementOf[float64](&v, 1), 0)
	const outside = "unsafeutil: this element is not inside the value, or not aligned"
	assert.PanicsWithValue(t, outside, func() { unsafeutil.ElementOf[float64](&v, 2) })
	assert.PanicsWithValue(t, outside, func() { unsafeutil.ElementOf[float32](&v, 1<<31) })
	short := [4]uint16{}
	assert.PanicsWithValue(t, outside, func() { unsafeutil.ElementOf[float32](&short, 0) })
	narrow := float32(0)
	assert.PanicsWithValue(t, outside, func() { unsafeutil.ElementOf[float64](&narrow, 0) })
}

func TestSpan(t *testing.T) {
	column := unsafeutil.Aligned(64, 64)
	whole := unsafeutil.Slice[uint32](column)
	for i := range whole {
		whole[i] = uint32(i)
	}
	base := unsafeutil.BaseOf(column)
	for lo := range whole {
		for n := range len(whole) - lo + 1 {
			got := unsafeutil.Span[uint32](base, lo, n)
			assert.Equal(t, whole[lo:lo+n], got)
			assert.Equal(t, n, cap(got), "append does not reach the neighbour")
		}
	}
	unsafeutil.Span[uint32](base, 3, 1)[0] = 99
	assert.Equal(t, uint32(99), whole[3])
	assert.Equal(t, []byte{4, 0, 0, 0, 5, 0}, unsafeutil.Span[byte](base, 16, 6))
}

func TestSpanOfNothing(t *testing.T) {
	assert.Empty(t, unsafeutil.Span[float64](unsafeutil.BaseOf(nil), 0, 0))
	assert.Empty(t, unsafeutil.Span[float64](unsafeutil.Base{}, 0, 0))
}
