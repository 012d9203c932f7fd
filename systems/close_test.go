package systems

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// closedLater closes a world when its test is over, whatever has become of the State.
func closedLater(tb testing.TB, s State) State {
	tb.Helper()
	tb.Cleanup(func() {
		if s.job != nil && s.job.guard.Turn != ended {
			s.job.end()
		}
	})
	return s
}

// TestClosedSnapshotsPanic: a snapshot has memory of its own, and its handles know when that is gone.
func TestClosedSnapshotsPanic(t *testing.T) {
	s, id := made(CreateWith(sure(CreateState(Counts{Kinds: layout.Kinds(kindA)})), kindA))
	p := taken(s)
	past := ReaderOf(p.State(), fieldA)
	Close(s)
	value, ok := past.Get(id)
	assert.True(t, ok)
	assert.Equal(t, [3]float32{1, 2, 3}, value)
	p.Close()
	p.Close()
	assert.PanicsWithValue(t, noReader, func() { past.Get(id) })
	assert.PanicsWithValue(t, noSnapshot, func() { p.Digest() })
	assert.PanicsWithValue(t, noSnapshot, func() { p.State() })
	assert.Panics(t, func() { _ = p.Take(sure(CreateState(Counts{Kinds: layout.Kinds(kindA)}))) })
}

// TestWhatDoesNotFitNamesTheRoom: who did not count kinds is told how many objects they stand for.
func TestWhatDoesNotFitNamesTheRoom(t *testing.T) {
	kinds := make([]layout.Countable, 8)
	for i := range kinds {
		kinds[i] = layout.NewKind("huge", layout.NewField[[8191]uint64]("value"))
		if i > 0 {
			kinds[i] = layout.NewKind(string(rune('a'+i)), layout.NewField[[8191]uint64]("value"))
		}
	}
	_, err := CreateState(Counts{GameObjects: manager.MaxRows, Kinds: layout.Kinds(kinds...)})
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorContains(t, err, "room for 1073741760 game objects in each of ")
	require.ErrorContains(t, err, "set Counts.GameObjects, or count the kinds")
}

func TestMustPanicsWithTheError(t *testing.T) {
	s := Must(CreateState(Counts{GameObjects: 1}))
	s, id := made(Create(s))
	s = Must(Dispose(s, id))
	assert.Zero(t, Len(s))

	_, err := Dispose(s, id)
	require.ErrorIs(t, err, ErrDead)
	want := "flatecs: Must: " + strings.TrimPrefix(err.Error(), "flatecs: ") + "; where that can happen, take the error instead"
	assert.PanicsWithError(t, want, func() { Must(Dispose(s, id)) })
}

// TestCountsThatCannotBe: each is refused by the name of what was counted.
func TestCountsThatCannotBe(t *testing.T) {
	_, err := CreateState(Counts{Kinds: layout.Kinds(kindA.Count(1 << 30))})
	require.ErrorIs(t, err, ErrCount)
	require.ErrorContains(t, err, "flatecs: A: ")
	_, err = CreateState(Counts{GameObjects: 1, Walks: walk.Max + 1})
	require.ErrorIs(t, err, ErrCount)

	objects, _, err := Counts{Kinds: layout.Kinds(kindA.Count(3_000_000), kindB)}.Room()
	require.NoError(t, err)
	assert.Equal(t, 3_000_000, objects, "the largest count, beside room without one")
	objects, _, err = Counts{Kinds: layout.Kinds(kindA.Count(3), kindB)}.Room()
	require.NoError(t, err)
	assert.Equal(t, 1<<20, objects)
}
