package layout_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
)

type (
	team   uint8
	energy float32
)

func TestFieldSpec(t *testing.T) {
	half := float16.Fromfloat32
	for _, c := range []struct {
		name  string
		field layout.AnyField
		typed string
		lanes int
		size  int
		zero  bool
		value []byte
	}{
		{"int8", layout.NewField[int8]("f", 1, -1), "int8", 1, 1, false, []byte{0xff}},
		{"uint8", layout.NewField[uint8]("f", 3), "uint8", 3, 1, true, make([]byte, 3)},
		{"int16", layout.NewField[int16]("f", 2, 1, -2), "int16", 2, 2, false, []byte{1, 0, 0xfe, 0xff}},
		{"uint16", layout.NewField[uint16]("f", 2, 0x0102), "uint16", 2, 2, false, []byte{2, 1, 2, 1}},
		{"int32", layout.NewField[int32]("f", 1, -2), "int32", 1, 4, false, []byte{0xfe, 0xff, 0xff, 0xff}},
		{"uint32", layout.NewField[uint32]("f", 1, 7), "uint32", 1, 4, false, []byte{7, 0, 0, 0}},
		{"int64", layout.NewField[int64]("f", 1, 7), "int64", 1, 8, false, []byte{7, 0, 0, 0, 0, 0, 0, 0}},
		{"uint64", layout.NewField[uint64]("f", 1, 1<<56), "uint64", 1, 8, false, []byte{0, 0, 0, 0, 0, 0, 0, 1}},
		{"float32", layout.NewField[float32]("f", 1, 1), "float32", 1, 4, false, []byte{0, 0, 0x80, 0x3f}},
		{"float64", layout.NewField[float64]("f", 1, 1), "float64", 1, 8, false, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
		{"half precision", layout.NewField("f", 2, half(1)), "uint16", 2, 2, false, []byte{0, 0x3c, 0, 0x3c}},
		{"named", layout.NewField("f", 2, team(9)), "uint8", 2, 1, false, []byte{9, 9}},
		{"no default", layout.NewField[energy]("f", 4), "float32", 4, 4, true, make([]byte, 16)},
		{"zeros", layout.NewField("f", 2, energy(0), 0), "float32", 2, 4, true, make([]byte, 8)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.field.Spec()
			assert.Equal(t, "f", s.Name)
			assert.Equal(t, c.typed, s.Type)
			assert.Equal(t, c.lanes, s.Lanes)
			assert.Equal(t, c.size, s.Size)
			assert.Equal(t, c.lanes*c.size, s.Stride)
			assert.Equal(t, c.value, s.Default)
			assert.Equal(t, c.zero, s.Zero)
			assert.Nil(t, s.Kind, "of no kind yet")
		})
	}
}

func TestNegativeZeroIsNoZeroDefault(t *testing.T) {
	s := layout.NewField("f", 1, float32(math.Copysign(0, -1))).Spec()
	assert.False(t, s.Zero)
	assert.Equal(t, []byte{0, 0, 0, 0x80}, s.Default)
}

func TestFieldDefaultIsACopy(t *testing.T) {
	defaults := []uint16{1, 2}
	f := layout.NewField("f", 2, defaults...)
	defaults[0] = 9
	assert.Equal(t, []byte{1, 0, 2, 0}, f.Spec().Default)
}

func TestFieldFields(t *testing.T) {
	f := layout.NewField[uint16]("f", 2)
	assert.Equal(t, []*layout.FieldSpec{f.Spec()}, f.Fields())
}

func TestFieldRefused(t *testing.T) {
	for _, c := range []struct {
		name    string
		declare func()
		message string
	}{
		{"no name", func() { layout.NewField[uint8]("", 1) }, "layout: a field needs a name"},
		{
			"no lanes",
			func() { layout.NewField[uint8]("armour", 0) },
			`layout: field "armour" has 0 lanes; give it at least 1, or declare a mark`,
		},
		{
			"negative lanes",
			func() { layout.NewField[uint8]("armour", -1) },
			`layout: field "armour" has -1 lanes; give it at least 1, or declare a mark`,
		},
		{
			"too many bytes",
			func() { layout.NewField[float64]("armour", 8193) },
			`layout: field "armour" has 8193 lanes of 8 bytes; one component may have 65536 bytes at most`,
		},
		{
			"overflow",
			func() { layout.NewField[uint64]("armour", math.MaxInt/4) },
			"lanes of 8 bytes; one component may have 65536 bytes at most",
		},
		{
			"too few defaults",
			func() { layout.NewField[uint16]("armour", 3, 1, 2) },
			`layout: field "armour" has 3 lanes and 2 defaults; give none, one, or one per lane`,
		},
		{
			"too many defaults",
			func() { layout.NewField[uint16]("armour", 1, 1, 2) },
			`layout: field "armour" has 1 lanes and 2 defaults; give none, one, or one per lane`,
		},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.message, c.declare) })
	}
	assert.Equal(t, layout.MaxStride, layout.NewField[float64]("armour", 8192).Spec().Stride)
}

// refused checks that declare panics with a sentence that ends in message.
func refused(t *testing.T, message string, declare func()) {
	t.Helper()
	defer func() {
		text, ok := recover().(string)
		require.True(t, ok, "panics with a sentence")
		assert.Contains(t, text, message)
	}()
	declare()
}
