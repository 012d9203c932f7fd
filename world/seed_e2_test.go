package world_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Two of the document's three indexes; the third goes from names to entities.
func TestSeed_E2_Indexes(t *testing.T) {
	s := worldA(5)
	s, a := with(s, aC, aA, aX)
	s, b := with(s)
	s, c := with(s, aA)
	assert.Equal(t, []string{"A", "X", "C"}, world.Must(tool.KindsOf(s, a)), "entity → components")
	assert.Empty(t, world.Must(tool.KindsOf(s, b)))
	assert.Equal(t, []string{"A"}, world.Must(tool.KindsOf(s, c)))
	assert.Equal(t, mask.New(0, 2, 4), world.Must(tool.MaskOf(s, a)), "by number")

	haveA := world.NewQuery(world.With(aA))
	assert.Equal(t, []world.GameObject{a, c}, matching(t, s, haveA), "component → entities")
	var owners []world.GameObject
	for row := range world.All(s, aA) {
		owner, ok := world.ObjectOf(s, aA, row)
		assert.True(t, ok)
		owners = append(owners, owner)
	}
	assert.Equal(t, []world.GameObject{a, c}, owners, "by row")

	s = world.Must(world.Remove(s, a, aA))
	s = world.Must(addKinds(s, b, aA, aC))
	assert.Equal(t, []string{"X", "C"}, world.Must(tool.KindsOf(s, a)))
	assert.Equal(t, []world.GameObject{b, c}, matching(t, s, haveA))
	s = world.Must(world.DisposeGameObject(s, c))
	assert.Equal(t, []world.GameObject{b}, matching(t, s, haveA))
	_, err := tool.KindsOf(s, c)
	require.ErrorIs(t, err, world.ErrDead)
}

func TestSeed_E3_EntityWithAllItsComponents(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 3, Kinds: []layout.Count{
		aA.Count(3), aB.Count(1), aX.Count(0),
	}}))
	s, a := world.Must2(world.CreateWith(s, aX, aB, aA))
	assert.Equal(t, []string{"A", "B", "X"}, world.Must(tool.KindsOf(s, a)))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, a, aValue)))
	s, b := world.Must2(world.CreateGameObject(s))
	s = world.Must(addKinds(s, b, aA, aX))
	assert.Equal(t, []string{"A", "X"}, world.Must(tool.KindsOf(s, b)), "an entity there is")

	dead := b
	s = world.Must(world.DisposeGameObject(s, b))
	for _, c := range []struct {
		name string
		err  error
		try  func(world.State) (world.State, error)
		text string
	}{
		{"an unknown entity", world.ErrDead, func(s world.State) (world.State, error) {
			return addKinds(s, dead, aA, aX)
		}, "game object 1"},
		{"of another world", world.ErrOutOfRange, func(s world.State) (world.State, error) {
			return addKinds(s, a+9, aA)
		}, "game object 9"},
		{"a second component of a kind", world.ErrTwice, func(s world.State) (world.State, error) {
			return addKinds(s, a, aA)
		}, "A of game object 0"},
		{"the same kind twice", world.ErrTwice, func(s world.State) (world.State, error) {
			s, id, err := world.CreateWith(s, aX, aA, aX)
			assert.Zero(t, id)
			return s, err
		}, "X is given twice in one call; give each kind once"},
		{"no room for one", world.ErrFull, func(s world.State) (world.State, error) {
			s, _, err := world.CreateWith(s, aX, aA, aB)
			return s, err
		}, "B: all 1 rows in use"},
		{"an unknown kind", world.ErrNoKind, func(s world.State) (world.State, error) {
			s, _, err := world.CreateWith(s, aA, aUnknown)
			return s, err
		}, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) { s = refuses(t, s, c.err, c.try, c.text) })
	}
	s, _ = with(s, aA)
	s, _ = with(s, aA)
	refuses(t, s, world.ErrTooMany, func(s world.State) (world.State, error) {
		s, _, err := world.CreateWith(s, aX)
		return s, err
	}, "all 3 in use")
}

// The document's view(types…) is a query and a walk.
func TestSeed_E4_View(t *testing.T) {
	s, ids := everyMix()
	for mix, id := range ids {
		s, _ = world.Set(s, id, aValue, [2]float32{float32(mix), float32(-mix)})
	}
	view := world.NewQuery(world.Read(aValue), world.With(aX, aC))
	var seen []world.GameObject
	for b := range view.In(s) {
		values := world.Column(b, aValue)
		for i := range b.Len() {
			seen = append(seen, b.ID(i))
			mix := slices.Index(ids, b.ID(i))
			want := [2]float32{float32(mix), float32(-mix)}
			assert.Equal(t, want, values[i], "with its components")
		}
	}
	assert.Equal(t, []world.GameObject{ids[21], ids[23], ids[29], ids[31]}, seen,
		"that has all of them")
	assert.Equal(t, seen, matching(t, s, view))
	for range view.Of(s, ids[20]) {
		t.Error("it has X and C, and no A")
	}
}
