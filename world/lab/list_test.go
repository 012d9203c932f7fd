package lab_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/list"
)

var purse = layout.NewList[uint16]("purse")

func TestListsAreMeasured(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 9, Kinds: layout.Kinds(purse),
	}))
	for n := range 4 {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, purse))
		for k := range n {
			s = world.Must(list.Append(s, id, purse, uint16(10*k)))
		}
	}
	length := lab.OfList(purse, func(all []uint16) float64 { return float64(len(all)) })
	p := world.Must(lab.NewPanel(length.Sum("sum"), length.Max("most"), length.Mean("mean")))
	row := make([]float64, 3)
	require.NoError(t, p.Read(row, s))
	assert.Equal(t, []float64{6, 3, 1.5}, row)
	assert.PanicsWithValue(t, "lab: OfList of a nil function; give it one", func() {
		lab.OfList(purse, nil)
	})
}
