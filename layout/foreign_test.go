package layout_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

func TestForeignField(t *testing.T) {
	f, err := layout.ForeignField("f", "float32", 2, []byte{0, 0, 128, 63, 0, 0, 0, 0})
	require.NoError(t, err)
	want := layout.NewField("f", [2]float32{1, 0}).Spec()
	assert.Equal(t, want, f.Spec())
	zero, err := layout.ForeignField("z", "uint8", 1, []byte{0})
	require.NoError(t, err)
	assert.True(t, zero.Spec().Zero)
	for name, test := range map[string]struct {
		name, elements string
		lanes, bytes   int
	}{
		"no name": {"", "uint8", 1, 1}, "no type": {"f", "int", 1, 8}, "no lanes": {"f", "uint8", 0, 0},
		"too many lanes": {"f", "uint16", layout.MaxStride, 2 * layout.MaxStride},
		"no default":     {"f", "uint8", 2, 1},
	} {
		_, err := layout.ForeignField(test.name, test.elements, test.lanes, make([]byte, test.bytes))
		assert.Error(t, err, name)
	}
}

func TestForeignKindsShareTheirNumbers(t *testing.T) {
	field := func() layout.AnyField {
		f, err := layout.ForeignField("f", "int16", 1, []byte{1, 0})
		require.NoError(t, err)
		return f
	}
	a := layout.NewForeign(0, "a", nil, field())
	b := layout.NewForeignMark(1, "b")
	again := layout.NewForeign(0, "c", layout.Bytes)
	assert.Equal(t, a.Spec().Number, again.Spec().Number)
	assert.NotEqual(t, a.Spec().Number, b.Spec().Number)
	assert.Equal(t, 1, a.Spec().Place)
	assert.Equal(t, a.Spec(), a.Spec().Fields[0].Kind)
	assert.True(t, b.Spec().Mark)
	assert.NotNil(t, again.Spec().Values)
	assert.Zero(t, layout.NewKind("own").Spec().Place)
	assert.Panics(t, func() { layout.NewForeign(0, "", nil) })
}

func TestSizeOf(t *testing.T) {
	for _, f := range []layout.AnyField{
		layout.NewField[int8]("f"), layout.NewField[uint16]("f"), layout.NewField[float64]("f"),
	} {
		assert.Equal(t, f.Spec().Size, layout.SizeOf(f.Spec().Type))
	}
	assert.Zero(t, layout.SizeOf("string"))
}
