package layout_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

func TestForeignKindsShareTheirNumbers(t *testing.T) {
	notes := layout.NewValues[[]byte]("notes", nil).Kind().Spec()
	field := func() layout.AnyField {
		f, err := layout.FieldSpec{Name: "f", Parts: []layout.Part{{Type: "int16", Lanes: 1}}, Default: []byte{1, 0}}.Foreign()
		require.NoError(t, err)
		return f
	}
	a := layout.KindSpec{Name: "a"}.Foreign(0, field())
	b := layout.KindSpec{Name: "b", Mark: true}.Foreign(1)
	again := layout.KindSpec{Name: "c", Values: notes.Values}.Foreign(0)
	assert.Equal(t, a.Spec().Number, again.Spec().Number)
	assert.NotEqual(t, a.Spec().Number, b.Spec().Number)
	assert.Equal(t, 1, a.Spec().Place)
	assert.Equal(t, a.Spec(), a.Spec().Fields[0].Kind)
	assert.True(t, b.Spec().Mark)
	assert.NotNil(t, again.Spec().Values)
	assert.Zero(t, layout.NewKind("own").Spec().Place)
	assert.Panics(t, func() { layout.KindSpec{}.Foreign(0) })
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
