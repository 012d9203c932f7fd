package tool_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A whole column may be touched: the bytes are those of a world where only its used rows were.
func TestTouchLeavesOutRowsNeverUsed(t *testing.T) {
	place := layout.NewComponent[[2]float32]("touch place")
	touched := func(used, row, n int) []byte {
		s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(place.Count(1000))}))
		for range used {
			s, _ = world.Must2(world.CreateWith(s, place))
		}
		s = world.Advance(s)
		s = tool.Touch(s, place.Kind(), layout.Row(row), n)
		defer world.Close(s)
		return append([]byte{}, world.Bytes(s)...)
	}
	for _, used := range []int{1, 64, 65, 1000} {
		assert.Equal(t, touched(used, 0, used), touched(used, 0, 1000), "%d rows used", used)
		assert.Equal(t, touched(used, 0, 0), touched(used, used, 1000-used), "%d rows used", used)
	}
}
