package systems

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

func TestShapeOf(t *testing.T) {
	speed := layout.NewField[float32]("speed", 4)
	cart, idle := layout.NewKind("cart", speed), layout.NewMark("idle")
	note := layout.NewValues("note", "none")
	recipe := NewRecipe("cart", cart)
	counts := Counts{
		GameObjects: 90, InOrder: true, Recipes: []Recipe{recipe},
		Kinds: []layout.Count{{Kind: cart, Rows: 70, Packed: true}, idle.Count(0), note.Count(3)},
		Watchers: []Watcher{
			NewWatcher(NewQuery(Without(idle), With(cart), Any(note.Kind(), cart))),
			NewWatcher(NewQuery()), NewWatcher(NewQuery(Only())),
		},
	}
	s, err := CreateState(counts)
	require.NoError(t, err)
	shape := ShapeOf(s)
	assert.Equal(t, 90, shape.Objects)
	assert.True(t, shape.InOrder)
	assert.Equal(t, []string{
		`all of "cart"; any of "cart", "note"; none of "idle"`, "everybody", "only of ",
	}, shape.Watchers)
	assert.Equal(t, []Recipe{recipe}, shape.Recipes)
	assert.Equal(t, counts.Kinds, shape.Kinds[:3])
	counted, err := CountedKinds(counts)
	require.NoError(t, err)
	assert.Equal(t, counted, shape.Kinds)
	assert.Equal(t, 90, CountedObjects(counts))
	assert.Equal(t, 70, CountedObjects(Counts{Kinds: counts.Kinds}))
	assert.Equal(t, counts, CountsOf(s))

	column, used := ValueColumn(s, note.Kind())
	assert.Len(t, column.(*layout.Column[string]).Rows, 3)
	assert.Zero(t, used)
	column, _ = ValueColumn(s, cart)
	assert.Nil(t, column)
}

func TestSettled(t *testing.T) {
	s, err := CreateState(Counts{Positions: 9})
	require.NoError(t, err)
	require.NoError(t, Settled(s))
	Record(s).Create()
	require.ErrorIs(t, Settled(s), ErrUnapplied)
	s, err = Apply(s)
	require.NoError(t, err)
	for range NewQuery(Write(XYZ)).In(s) {
		require.ErrorIs(t, Settled(s), ErrWalking)
	}
	require.NoError(t, Settled(s))
}

func TestResetIdle(t *testing.T) {
	speed := layout.NewField[float32]("speed", 4)
	cart := layout.NewKind("cart", speed)
	s, err := CreateState(Counts{Kinds: []layout.Count{cart.Count(9)}})
	require.NoError(t, err)
	var ids []GameObject
	for range 3 {
		var id GameObject
		s, id, err = CreateGameObject(s)
		require.NoError(t, err)
		s, _, err = Add(s, id, cart)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	s, err = DisposeGameObject(s, ids[1])
	require.NoError(t, err)
	copy(View(s, speed), []float32{1, 2, 3})
	s = ResetIdle(s, cart)
	assert.Equal(t, []float32{1, 4, 3}, View(s, speed)[:3])
	s, err = Rebuild(s)
	require.NoError(t, err)
	Buffer(s, cart)[4]++
	_, err = Rebuild(s)
	require.ErrorContains(t, err, "row 1 is free and does not hold the defaults")
}
