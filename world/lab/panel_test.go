package lab_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

func TestAPanelReadsAll(t *testing.T) {
	s := crowd(t, 4, 1, 2, -1, 0)
	p := world.Must(lab.NewPanel(all...))
	names := p.Columns()
	require.Len(t, names, len(all))
	assert.Equal(t, []string{"h_0", "h_1"}, names[6])
	want, n := row(t, s, all...), 0
	dst := make([]float64, len(want)-1)
	require.NoError(t, p.Read(dst, s))
	for _, columns := range names {
		for _, name := range columns {
			assert.Equal(t, want[name], number(dst[n]), name)
			n++
		}
	}
	assert.Zero(t, testing.AllocsPerRun(20, func() { require.NoError(t, p.Read(dst, s)) }))
}

// What fails is named, and finds nothing; the walk that it broke off is closed, so that the copy
// that it looked at can be taken anew.
func TestAPanelReadsOnAfterAFault(t *testing.T) {
	s := crowd(t, 1, 2)
	p := world.Must(world.NewSnapshot(s))
	defer p.Close()
	require.NoError(t, p.Take(s))
	panel, err := lab.NewPanel(
		lab.OfFunc(place, func(float64) float64 { panic("no number") }).Sum("broken"),
		lab.OfFunc(place, func(float64) float64 { return math.Inf(1) }).Histogram("far", 0, 1, 2),
		lab.Of(place).Sum("sum"),
	)
	require.NoError(t, err)
	dst := make([]float64, 4)
	for range 3 {
		err = panel.Read(dst, p.State())
		require.EqualError(t, err, "lab: reporter broken panicked: no number\n"+
			"lab: reporter far_0 found NaN or infinite")
		for _, x := range dst[:3] {
			assert.True(t, math.IsNaN(x))
		}
		assert.InDelta(t, 3, dst[3], 0)
		require.NoError(t, p.Take(s))
	}
}

func TestPanelsThatCannotBe(t *testing.T) {
	_, err := lab.NewPanel(lab.Reporter{})
	require.ErrorContains(t, err, "a zero Reporter reports nothing")
	var none *lab.Panel
	assert.PanicsWithValue(t, "lab: this Panel is nil or was not made; make one by NewPanel",
		func() { none.Columns() })
	p := world.Must(lab.NewPanel(all...))
	assert.PanicsWithValue(t, "lab: Read into 0 numbers; give it 13, one a column",
		func() { _ = p.Read(nil, crowd(t)) })
}

// number prints a number as a table does.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
