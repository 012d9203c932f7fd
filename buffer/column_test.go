package buffer_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/unsafeutil"
)

const rows = 67 // a word of 64 and a few more

// newColumn returns a column of one field in bytes of its own, between two guards.
func newColumn(t *testing.T, f *layout.FieldSpec) (c buffer.Column, whole []byte) {
	t.Helper()
	whole, ok := buffer.New(3*buffer.Align + rows*f.Stride)
	require.True(t, ok)
	carver := buffer.Carver{Bytes: whole}
	guard := buffer.Carve[uint8](&carver, buffer.Align)
	c = buffer.NewColumn(&carver, f, rows)
	for i := range guard {
		guard[i] = 0xa5
	}
	return c, whole
}

// guarded checks the bytes around a column.
func guarded(t *testing.T, c *buffer.Column, whole []byte) {
	t.Helper()
	for i, x := range whole[:buffer.Align] {
		require.Equal(t, byte(0xa5), x, "byte %d before the column", i)
	}
	require.Equal(t, -1, firstNonZero(whole[buffer.Align+len(c.Bytes):]), "after the column")
}

// random fills b.
func random(r *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

// A stride is a field of one component's size.
type stride struct {
	bytes int
	field *layout.FieldSpec
}

// strides are fields of every size to 40 bytes and a few larger, with and without defaults.
func strides() (all []stride) {
	sizes := []int{48, 63, 64, 65, 96, 128, 255, 1024}
	for n := range 40 {
		sizes = append(sizes, n+1)
	}
	for _, n := range sizes {
		value := make([]uint8, n)
		for i := range value {
			value[i] = uint8(3*i + 1)
		}
		all = append(all,
			stride{n, wide("uint8", n, make([]byte, n))},
			stride{n, wide("uint8", n, value)})
		if n%4 == 0 {
			float := unsafeutil.Bytes([]float32{1.5})
			all = append(all, stride{n, wide("float32", n/4, slices.Repeat(float, n/4))})
		}
	}
	return all
}

// wide declares a field with a variable number of lanes.
func wide(elements string, lanes int, value []byte) *layout.FieldSpec {
	f, err := layout.FieldSpec{Name: "f", Parts: []layout.Part{{Type: elements, Lanes: lanes}}, Default: value}.Foreign()
	if err != nil {
		panic(err)
	}
	return f.Spec()
}

func TestColumnAgainstNaive(t *testing.T) {
	for _, s := range strides() {
		t.Run(fmt.Sprintf("%d bytes, %s", s.bytes, s.field.Name), func(t *testing.T) {
			require.Equal(t, s.bytes, s.field.Stride)
			c, whole := newColumn(t, s.field)
			require.Equal(t, s.bytes, c.Stride)
			require.Len(t, c.Bytes, rows*s.bytes)

			c.Fill(0)
			require.Equal(t, slices.Repeat(s.field.Default, rows), c.Bytes)
			guarded(t, &c, whole)

			r := rand.New(rand.NewPCG(1, uint64(s.bytes)))
			reset(t, r, &c, s.field.Default)
			guarded(t, &c, whole)
		})
	}
}

// reset compares Column.Reset with a copy, row by row.
func reset(t *testing.T, r *rand.Rand, c *buffer.Column, value []byte) {
	t.Helper()
	for row := range rows {
		random(r, c.Bytes)
		want := slices.Clone(c.Bytes)
		copy(want[row*c.Stride:(row+1)*c.Stride], value)
		c.Reset(row)
		require.Equal(t, want, c.Bytes, "row %d", row)
	}
}

// Many rows are copied from the rows set before.
func TestSetRows(t *testing.T) {
	for _, s := range strides() {
		many := 200 << 10 / s.bytes // more rows than fit into the cache
		bytes, _ := buffer.New(many * s.bytes)
		c := buffer.NewColumn(&buffer.Carver{Bytes: bytes}, s.field, many)
		value := slices.Repeat([]byte{7, 8, 9}, s.bytes)[:s.bytes]
		for _, span := range [][2]int{{0, 0}, {0, 1}, {5, 8}, {3, many - 3}, {0, many}} {
			clear(c.Bytes)
			c.SetRows(span[0], span[1], value)
			want := make([]byte, len(c.Bytes))
			for row := span[0]; row < span[1]; row++ {
				copy(want[row*s.bytes:], value)
			}
			require.True(t, slices.Equal(want, c.Bytes), "%d bytes, rows %d", s.bytes, span)
		}
		assert.Panics(t, func() { c.SetRows(0, many+1, value) })
	}
}

// TestSetEach: values of every size that lie any number of bytes apart, and end where they end.
func TestSetEach(t *testing.T) {
	setsEach[[1]uint8](t)
	setsEach[[2]uint16](t)
	setsEach[[7]uint8](t)
	setsEach[[2]float32](t)
	setsEach[[3]float32](t)
	setsEach[[2]uint64](t)
	setsEach[[5]uint32](t)
}

func setsEach[T any](t *testing.T) {
	t.Helper()
	f := layout.NewField[T]("each").Spec()
	order := []uint32{rows - 1, 0, 31, 32, 5}
	for _, step := range []int{f.Stride, f.Stride + 3} {
		c, whole := newColumn(t, f)
		values := make([]byte, (len(order)-1)*step+f.Stride)
		for i := range values {
			values[i] = byte(i + 1)
		}
		c.SetEach(order, values, step)
		want := make([]byte, len(c.Bytes))
		for i, row := range order {
			copy(want[int(row)*f.Stride:][:f.Stride], values[i*step:])
		}
		require.Equal(t, want, c.Bytes, "%d bytes, %d apart", f.Stride, step)
		guarded(t, &c, whole)
		require.Panics(t, func() { c.SetEach(order, values[:len(values)-1-step], step) })
		require.Panics(t, func() { c.SetEach([]uint32{rows}, values, step) })
	}
}

func TestColumnOutOfRange(t *testing.T) {
	for _, lanes := range []int{1, 2, 3, 4, 5} {
		c, whole := newColumn(t, wide("float32", lanes, make([]byte, 4*lanes)))
		for _, row := range []int{-1, rows} {
			assert.Panics(t, func() { c.Reset(row) }, "row %d of %d lanes", row, lanes)
		}
		guarded(t, &c, whole)
	}
}

func TestRows(t *testing.T) {
	c, _ := newColumn(t, layout.NewField("f", [3]uint16{1, 2, 3}).Spec())
	c.Fill(0)
	type side [3]uint16
	assert.Equal(t, []side{{1, 2, 3}, {1, 2, 3}}, buffer.Rows[side](&c, 5, 2))
	buffer.Rows[side](&c, 5, 2)[1][1] = 9
	assert.Equal(t, []side{{1, 9, 3}}, buffer.Rows[side](&c, 6, 1), "in place")
	assert.Len(t, buffer.Rows[side](&c, 0, rows), rows)
	assert.Equal(t, 1, cap(buffer.Rows[side](&c, 6, 1)), "append does not reach the next row")
	assert.Empty(t, buffer.Rows[side](&c, rows, 0))
	for _, c2 := range []struct{ row, n int }{{-1, 1}, {rows, 1}, {0, rows + 1}, {3, -1}} {
		assert.Panics(t, func() { buffer.Rows[uint16](&c, c2.row, c2.n) }, "%+v", c2)
	}
}

func TestViews(t *testing.T) {
	c, _ := newColumn(t, layout.NewField[[2]uint16]("f").Spec())
	rows := buffer.Rows[[2]uint16](&c, 0, 6)
	for i := range rows {
		rows[i] = [2]uint16{uint16(i), 7}
	}
	assert.Equal(t, rows[2:6], buffer.Span[[2]uint16](c.Base, 2, 4))
	assert.Equal(t, rows[1:5], buffer.Span[[2]uint16](buffer.BaseOf(c.Bytes[4:]), 0, 4))
	assert.Same(t, &rows[3], buffer.At[[2]uint16](c.Base, 3))
}

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

// A region is the place of a carved slice, in bytes from the start of the world.
type region struct{ at, size int }

// carve cuts regions of every sort and returns their places, without empty ones.
func carve(c *buffer.Carver, n int) (found []region) {
	spot := func(at uintptr, size int) {
		if size != 0 {
			found = append(found, region{int(at - address(c.Bytes)), size})
		}
	}
	small := buffer.Carve[uint8](c, n)
	spot(address(small), len(small))
	spot(reflect.ValueOf(buffer.CarveRecord[counters](c)).Pointer(), 24)
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
