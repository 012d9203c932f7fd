package world_test

import (
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The listing's add has three forms: Ensure, Reset, and Add.
func TestSeed_A7_AddReturnsTheOneThereIs(t *testing.T) {
	s, id := with(worldA(2), aX)
	s, row := world.Must2(world.Ensure(s, id, aA))
	s = world.Must(world.Set(s, id, aValue, [2]float32{3, 8}))
	before := slices.Clone(world.Bytes(s))
	s, again := world.Must2(world.Ensure(s, id, aA))
	assert.Equal(t, row, again)
	assert.Equal(t, before, world.Bytes(s), "idempotent")
	assert.Equal(t, [2]float32{3, 8}, world.Must(world.Get(s, id, aValue)), "the one it has")
	s, again = world.Must2(world.Reset(s, id, aA))
	assert.Equal(t, row, again, "there is but one row")
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, id, aValue)), "as new")

	for text, kinds := range map[string][]layout.Kind{
		"A of game object 0: Component added to same entity more than once. Remove it first": {aB, aA},
		"B is given twice in one call": {aB, aC, aB}, "Y is given twice in one call": {aY, aY},
	} {
		s = refuses(t, s, world.ErrTwice, func(s world.State) (world.State, error) {
			return addKinds(s, id, kinds...)
		}, text)
	}
	for text, kinds := range map[string][]layout.Kind{
		"B of game object 0: Removing non-existent component. Ask with Has first": {aA, aB},
		"A is given twice in one call":                                            {aA, aX, aA},
	} {
		s = refuses(t, s, world.ErrAbsent, func(s world.State) (world.State, error) {
			return world.Remove(s, id, kinds[0], anyKinds(kinds[1:])...)
		}, text)
	}
	s = world.Must(world.Remove(s, id, aX, aA))
	assert.Equal(t, mask.New(), world.Must(tool.MaskOf(s, id)))
}

func TestSeed_A8_RemoveKeepingTheData(t *testing.T) {
	s, id := with(worldA(1), aA)
	s = world.Must(world.Set(s, id, aValue, [2]float32{1, 2}))
	s = world.Must(world.Suspend(s, id, aA))
	assert.False(t, world.Has(s, id, aA))
	_, err := world.Get(s, id, aValue)
	require.ErrorIs(t, err, world.ErrAbsent)
	s = world.Must(world.Add(s, id, aA)) // the kind is full
	assert.Equal(t, [2]float32{1, 2}, world.Must(world.Get(s, id, aValue)),
		"the next add has the old value")
	s = world.Must(world.Suspend(s, id, aA))
	s, _ = world.Must2(world.Reset(s, id, aA))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, id, aValue)), "renewed, it is new")

	s = world.Must(world.Set(s, id, aValue, [2]float32{3, 4}))
	s = world.Must(world.Dispose(world.Must(world.Suspend(s, id, aA)), id))
	s, next := world.Must2(world.CreateWith(s, aA))
	assert.Equal(t, id.Index(), next.Index(), "the next owner of that id")
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, next, aValue)), "sees defaults")
	require.NoError(t, tool.Verify(s))
}

func TestSeed_A9_EntityPool(t *testing.T) {
	s, ids := worldtest.Create(worldA(4), 4)
	assert.Equal(t, []uint32{0, 1, 2, 3}, indexes(ids), "the first is 0")
	for _, i := range []int{1, 3, 0} {
		s = world.Must(world.Dispose(s, ids[i]))
	}
	assert.Equal(t, 1, world.Len(s))
	s, again := worldtest.Create(s, 3)
	assert.Equal(t, []uint32{0, 3, 1}, indexes(again), "the last removed first")
	assert.Equal(t, 4, world.Len(s))
	for _, id := range again {
		assert.NotContains(t, ids, id, "a new id of an old index")
		assert.Equal(t, id, world.Must(tool.GameObjectAt(s, id.Index())), "look up by id")
	}
	// The listings pool an entity twice when it is removed twice, and one id then has two owners.
	refuses(t, s, world.ErrDead, func(s world.State) (world.State, error) {
		return world.Dispose(s, ids[0])
	}, "game object 0")
}

var d9Names = layout.NewValues("d9 name", "nobody")

func TestSeed_D9_OtherComponents(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{d9Names.Count(3)}}))
	s, ids := worldtest.Create(s, 2)
	_, err := world.ValueOf(s, ids[0], d9Names)
	require.ErrorIs(t, err, world.ErrAbsent)
	for want, id := range ids {
		var uid layout.Row
		s, uid = world.Must2(world.Ensure(s, id, d9Names))
		assert.Equal(t, layout.Row(want), uid)
		assert.Equal(t, "nobody", world.Must(world.ValueOf(s, id, d9Names)))
	}
	copied := world.Must(world.Clone(s))
	copied = world.Must(world.SetValue(copied, ids[1], d9Names, "copy"))
	s = world.Must(world.SetValue(s, ids[0], d9Names, "original"))
	for i, want := range [][2]string{{"original", "nobody"}, {"nobody", "copy"}} {
		got := [2]string{
			world.Must(world.ValueOf(s, ids[i], d9Names)), world.Must(world.ValueOf(copied, ids[i], d9Names)),
		}
		assert.Equal(t, want, got, "each world has its own")
	}
	s = world.Must(world.Remove(s, ids[0], d9Names))
	s, uid := world.Must2(world.Ensure(s, ids[0], d9Names))
	assert.Zero(t, uid)
	assert.Equal(t, "nobody", world.Must(world.ValueOf(s, ids[0], d9Names)), "back to the default")
}
