package systems

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
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
