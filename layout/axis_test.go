package layout_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
)

type placed struct {
	Number uint32
	Turn   float32
	Pos    struct{ X, Y float64 }
	Way    [2]float32
}

func TestAxes(t *testing.T) {
	f := layout.NewField[placed]("placed")
	assert.Equal(t, []string{"Turn", "Pos.X", "Pos.Y", "Way[0]", "Way[1]"}, f.Axes())
	assert.Equal(t, []string{"[0]", "[1]", "[2]"}, layout.NewField[[3]float32]("xyz").Axes())
	assert.Equal(t, []string{"[0]"}, layout.NewField[float64]("x").Axes())
	assert.Empty(t, layout.NewField[uint32]("n").Axes())

	v := placed{7, 1, struct{ X, Y float64 }{2, 3}, [2]float32{4, 5}}
	values, got := []placed{v, {Turn: -1}}, make([]float64, 2)
	for i, name := range f.Axes() {
		a := f.Axis(name)
		assert.InDelta(t, float64(i+1), a.Of(&v), 0, name)
		a.Read(got, values)
		assert.InDelta(t, a.Of(&values[0]), got[0], 0, name)
		assert.InDelta(t, a.Of(&values[1]), got[1], 0, name)
	}
	assert.PanicsWithValue(t, `layout: field placed has no axis "Pos"; its float32 and float64 are: `+
		"Turn, Pos.X, Pos.Y, Way[0], Way[1]", func() { f.Axis("Pos") })
	assert.PanicsWithValue(t, "layout: the zero Axis has no field; get one by Field.Axis",
		func() { layout.Axis[placed]{}.Of(&v) })
	assert.PanicsWithValue(t, "layout: the zero Axis has no field; get one by Field.Axis",
		func() { layout.Axis[placed]{}.Read(got, values) })
	assert.PanicsWithValue(t, "layout: Axis.Read of 2 values into 1 numbers; give as many",
		func() { f.Axis("Turn").Read(got[:1], values) })
}
