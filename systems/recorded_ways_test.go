package systems_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// Recorded commands name kinds, and not their places in one world.
func TestRecordedCommandsInAWorldOfOtherKinds(t *testing.T) {
	for _, free := range []bool{true, false} {
		s := must(systems.CreateState(bubbles(free)))
		s, old, err := systems.Spawn(s, bubble)
		require.NoError(t, err)
		r := systems.Record(s)
		made := r.Spawn(bubble, drift.Value([3]float32{1, 2, 3}), follows.Value(old))
		r.Add(old, iced)
		r.Remove(old, drift.Kind())
		systems.Put(r, old, friend, made)
		systems.Put(r, old, spot, [3]float32{7, 8, 9})

		other := bubbles(free)
		k := other.Kinds
		other.Kinds = []layout.Count{k[4], k[3], k[2], k[1], k[0]}
		resized := must(systems.Resized(s, other))
		resized = must(systems.Apply(resized))
		s = must(systems.Apply(s))
		for _, s := range []systems.State{s, resized} {
			made := must(systems.Get(s, old, friend))
			require.Equal(t, [3]float32{1, 2, 3}, must(systems.Get(s, made, drift)))
			require.Equal(t, old, must(systems.Get(s, made, follows)))
			require.True(t, systems.Has(s, old, iced))
			require.False(t, systems.Has(s, old, drift))
			require.Equal(t, [3]float32{7, 8, 9}, must(systems.Get(s, old, spot)))
		}
	}
}

func restoredFrom(e *arrival, s systems.State) systems.State {
	return must(systems.RestoreFrom(s, e.a))
}

func clonedIn(_ *arrival, s systems.State) systems.State {
	return must(systems.CloneIn(s, tool.Bytes(len(systems.Bytes(s)))))
}
