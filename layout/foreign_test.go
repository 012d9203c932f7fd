package layout_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

func TestForeignKindsShareTheirNumbers(t *testing.T) {
	field := func() layout.AnyField {
		f, err := layout.ForeignField("f", []layout.Part{{Type: "int16", Lanes: 1}}, []byte{1, 0})
		require.NoError(t, err)
		return f
	}
	a := layout.NewForeign(0, layout.KindSpec{Name: "a"}, field())
	b := layout.NewForeign(1, layout.KindSpec{Name: "b", Mark: true})
	again := layout.NewForeign(0, layout.KindSpec{Name: "c", Values: layout.ValuesOf[[]byte](nil)})
	assert.Equal(t, a.Spec().Number, again.Spec().Number)
	assert.NotEqual(t, a.Spec().Number, b.Spec().Number)
	assert.Equal(t, 1, a.Spec().Place)
	assert.Equal(t, a.Spec(), a.Spec().Fields[0].Kind)
	assert.True(t, b.Spec().Mark)
	assert.NotNil(t, again.Spec().Values)
	assert.Zero(t, layout.NewKind("own").Spec().Place)
	assert.Panics(t, func() { layout.NewForeign(0, layout.KindSpec{}) })
}

func TestSizesOfElements(t *testing.T) {
	for _, f := range []layout.AnyField{
		layout.NewField[int8]("f"), layout.NewField[uint16]("f"), layout.NewField[float64]("f"),
	} {
		p := f.Spec().Parts[0]
		assert.Equal(t, f.Spec().Stride, layout.Part{Type: p.Type}.Size())
		assert.Equal(t, f.Spec().Stride, p.Size())
	}
	assert.Zero(t, layout.Part{Type: "string"}.Size())
}
