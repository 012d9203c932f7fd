package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// A call that an open walk forbids names itself, the query, and what to call instead.
func TestCallsInAWalkAreNamed(t *testing.T) {
	if !worldtest.StatesChecked {
		t.Skip("a release, which is small, names neither")
	}
	k := layout.NewComponent[float32]("walked")
	r := world.NewRecipe("walked", k)
	s, id, _ := world.Spawn(world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{r}})), r)
	for range world.NewQuery(world.Write(k)).In(s) {
		_, disposed := world.Dispose(s, id)
		_, got := world.Get(s, id, k)
		require.EqualError(t, disposed, "flatecs: Dispose while NewQuery(Write(walked)) is walked; "+
			"call Dispose of the batch or of Record(s), then Apply")
		require.EqualError(t, got, "flatecs: Get: walked is written by this walk; use world.Column(b, walked)")
	}
}
