package tool_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

func TestAMomentEndsWhenTheKindIsWritten(t *testing.T) {
	place := layout.NewComponent[[2]float32]("moment place")
	other := layout.NewComponent[float32]("moment other")
	s, err := world.CreateState(world.Counts{Kinds: layout.Kinds(place.Count(5), other.Count(5))})
	require.NoError(t, err)
	s, id := world.Must2(world.CreateWith(s, place, other))
	now := tool.MomentOf(s, place.Kind())
	same := func() {
		t.Helper()
		assert.Equal(t, now, tool.MomentOf(s, place.Kind()))
	}
	over := func() {
		t.Helper()
		assert.NotEqual(t, now, tool.MomentOf(s, place.Kind()))
		now = tool.MomentOf(s, place.Kind())
	}
	assert.NotEqual(t, tool.Moment{}, now)
	s = world.Must(world.Set(s, id, other, 3))
	same()
	s = world.Advance(s)
	same()
	s = world.Must(world.Set(s, id, place, [2]float32{1, 1}))
	over()
	for range world.NewQuery(world.Read(place)).In(s) {
		continue
	}
	same()
	for range world.NewQuery(world.Write(place)).In(s) {
		continue
	}
	over()
	s = world.Must(world.Suspend(s, id, place))
	over()
	twin := world.Must(world.Clone(s))
	assert.NotEqual(t, now, tool.MomentOf(twin, place.Kind()))
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	same()
	s = world.Must(world.Restore(s, p))
	over()
}
