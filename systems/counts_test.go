package systems

import (
	"strings"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/walk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMustPanicsWithTheError(t *testing.T) {
	s := Must(CreateState(Counts{GameObjects: 1}))
	s, id := made(CreateGameObject(s))
	s = Must(DisposeGameObject(s, id))
	assert.Zero(t, Live(s))

	_, err := DisposeGameObject(s, id)
	require.ErrorIs(t, err, ErrDead)
	want := "flatecs: Must: " + strings.TrimPrefix(err.Error(), "flatecs: ") + "; where that can happen, take the error instead"
	assert.PanicsWithError(t, want, func() { Must(DisposeGameObject(s, id)) })
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
