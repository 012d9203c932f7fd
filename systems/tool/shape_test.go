package tool

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/heroes"
)

func TestShapeOf(t *testing.T) {
	speed := layout.NewField[float32]("speed", 4)
	cart, idle := layout.NewKind("cart", speed), layout.NewMark("idle")
	note := layout.NewValues("note", "none")
	recipe := systems.NewRecipe("cart", cart)
	counts := systems.Counts{
		GameObjects: 90, InOrder: true, Recipes: []systems.Recipe{recipe},
		Kinds: []layout.Count{{Kind: cart, Rows: 70, Packed: true}, idle.Count(0), note.Count(3)},
		Watchers: []systems.Watcher{
			systems.NewWatcher(systems.NewQuery()), systems.NewWatcher(systems.NewQuery(systems.Only())),
			systems.NewWatcher(systems.NewQuery(systems.Without(idle), systems.With(cart), systems.Any(note.Kind(), cart))),
		},
	}
	s := systems.Must(systems.CreateState(counts))
	shape := ShapeOf(s)
	assert.Equal(t, 90, shape.Objects)
	assert.True(t, shape.InOrder)
	assert.Equal(t, []string{
		"everybody", "only of ", `all of "cart"; any of "cart", "note"; none of "idle"`,
	}, shape.Watchers)
	assert.Equal(t, []systems.Recipe{recipe}, shape.Recipes)
	assert.Equal(t, counts.Kinds, shape.Kinds[:3])
	objects, counted := systems.Must2(counts.Room())
	assert.Equal(t, counted, shape.Kinds)
	assert.Equal(t, 90, objects)
	objects, _, _ = systems.Counts{Kinds: counts.Kinds}.Room()
	assert.Equal(t, 70, objects)
	assert.Equal(t, counts, systems.CountsOf(s))

	column, used := ValueColumn(s, note.Kind())
	assert.Len(t, column.(*layout.ValueSlice[string]).Rows, 3)
	assert.Zero(t, used)
	column, _ = ValueColumn(s, cart)
	assert.Nil(t, column)
}

func TestSettled(t *testing.T) {
	s, err := systems.CreateState(systems.Counts{Kinds: layout.Kinds(heroes.Position.Count(9))})
	require.NoError(t, err)
	require.NoError(t, Settled(s))
	systems.Record(s).Create()
	require.ErrorIs(t, Settled(s), ErrUnapplied)
	s = systems.Must(systems.Apply(s))
	for range systems.NewQuery(systems.Write(heroes.Position)).In(s) {
		require.ErrorIs(t, Settled(s), systems.ErrWalking)
	}
	require.NoError(t, Settled(s))
}

func TestResetIdle(t *testing.T) {
	speed := layout.NewField[float32]("speed", 4)
	cart := layout.NewKind("cart", speed)
	s := systems.Must(systems.CreateState(systems.Counts{Kinds: []layout.Count{cart.Count(9)}}))
	var ids []systems.GameObject
	for range 3 {
		var id systems.GameObject
		s, id = systems.Must2(systems.Create(s))
		s = systems.Must(systems.Add(s, id, cart))
		ids = append(ids, id)
	}
	s = systems.Must(systems.Dispose(s, ids[1]))
	copy(systems.View(s, speed), []float32{1, 2, 3})
	s = ResetIdle(s, cart)
	assert.Equal(t, []float32{1, 4, 3}, systems.View(s, speed)[:3])
	s = systems.Must(Rebuild(s))
	Buffer(s, cart)[4]++
	_, err := Rebuild(s)
	require.ErrorContains(t, err, "row 1 is free and does not hold the defaults")
}

// TestAscend compares with a stable sort, for indexes of every number of digits.
func TestAscend(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var spare []uint64
	for _, most := range []uint64{1, 200, 300, 70_000, 1 << 25, 1<<32 - 1} {
		for n := range 100 {
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = r.Uint64N(most)<<32 | uint64(i)
			}
			if n%10 == 0 {
				slices.Sort(keys)
			}
			want := slices.Clone(keys)
			slices.SortStableFunc(want, func(a, b uint64) int { return cmp.Compare(a>>32, b>>32) })
			keys, spare = ascend(keys, spare)
			require.Equal(t, want, keys)
		}
	}
}
