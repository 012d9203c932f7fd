package act3_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/acts/act3"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

func counted(objects, positions, velocities, flies, instances int) world.Counts {
	return world.Counts{GameObjects: objects, Kinds: layout.Kinds(
		heroes.Position.Count(positions), heroes.Velocity.Count(velocities),
		heroes.MaxVelocity.Count(flies), heroes.Instance.Count(instances),
	)}
}

func TestOnlyTheFirstOfEachKindMovesBeforeTheFirstFrame(t *testing.T) {
	state := world.Must(act3.NewScene(counted(0, 90, 90, 20, 90), 70, 20))
	defer world.Close(state)
	for i, value := range world.View(state, heroes.Position) {
		want := map[int]float32{0: 1, 70: 3}[i]
		assert.Equal(t, [3]float32{want, want, want}, value, "value %d", i)
	}
}

func TestAKindOutOfRowsIsReported(t *testing.T) {
	for kind, counts := range map[string]world.Counts{
		"game object": counted(3, 9, 9, 9, 9),
		"position":    counted(0, 3, 9, 9, 9),
		"velocity":    counted(0, 9, 3, 9, 9),
		"fly":         counted(0, 9, 9, 1, 9),
		"instance":    counted(0, 9, 9, 9, 1),
	} {
		_, err := act3.NewScene(counts, 2, 2)
		var full *world.Error
		require.ErrorAs(t, err, &full)
		assert.Equal(t, kind, full.Kind)
	}
}
