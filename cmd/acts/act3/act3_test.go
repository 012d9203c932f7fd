package act3_test

import (
	"errors"
	"testing"

	"github.com/flatecs/flatecs/cmd/acts/act3"
	"github.com/flatecs/flatecs/world"
)

func TestOnlyTheFirstOfEachKindMovesBeforeTheFirstFrame(t *testing.T) {
	counts := world.Counts{Positions: 90, Velocities: 90, Flies: 20}
	state, err := act3.NewScene(counts, 70, 20)
	if err != nil {
		t.Fatal(err)
	}
	defer world.Close(state)
	for i, value := range world.View(state, world.XYZ) {
		want := map[int]float32{0: 1, 70: 3}[i]
		if value != [3]float32{want, want, want} {
			t.Errorf("value %d: got %v, want %v", i, value, want)
		}
	}
}

func TestAKindOutOfRowsIsReported(t *testing.T) {
	for kind, counts := range map[string]world.Counts{
		"game object": {GameObjects: 3, Positions: 9, Velocities: 9, Flies: 9},
		"position":    {Positions: 3, Velocities: 9, Flies: 9},
		"velocity":    {Positions: 9, Velocities: 3, Flies: 9},
		"fly":         {Positions: 9, Velocities: 9, Flies: 1},
		"instance":    {Positions: 9, Velocities: 9, Flies: 9, Instances: 1},
	} {
		_, err := act3.NewScene(counts, 2, 2)
		if full, ok := errors.AsType[*world.Error](err); !ok || full.Kind != kind {
			t.Errorf("%s: got %v", kind, err)
		}
	}
}
