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

func TestSeed_A7_AddReturnsTheOneThereIs(t *testing.T) {
	s, _ := with(worldA(2), aA)
	s, id := with(s)
	s, row := world.Must2(world.Ensure(s, id, aA))
	s, p := world.Must2(world.Edit(s, id, aValue))
	p[0] = 3
	before := slices.Clone(world.Bytes(s))
	for range 3 {
		var again layout.Row
		s, again = world.Must2(world.Ensure(s, id, aA))
		assert.Equal(t, row, again)
	}
	assert.Equal(t, before, world.Bytes(s), "idempotent")
	assert.Equal(t, [2]float32{3, 8}, world.Must(world.Get(s, id, aValue)), "the one it has")
	for range 2 {
		s, row = world.Must2(world.Ensure(s, id, aX))
		assert.Zero(t, row, "tags too")
		assert.True(t, world.Has(s, id, aX))
	}
	refuses(t, s, world.ErrTwice, adding(id, aA),
		"A of game object 1", "Component added to same entity more than once.", "Remove it first")
}

func TestSeed_A7_AddAgainAsNew(t *testing.T) {
	s, id := with(worldA(1), aB)
	s, row := world.Must2(world.Reset(s, id, aA))
	s = world.Must(world.Set(s, id, aValue, [2]float32{1, 2}))
	s, again := world.Must2(world.Reset(s, id, aA))
	assert.Equal(t, row, again, "there is but one row")
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, id, aValue)), "new")
	assert.Equal(t, 1, tool.Mounted(s, aA))

	s, _ = world.Must2(world.Reset(s, id, aX))
	s, _ = world.Must2(world.Reset(s, id, aX))
	assert.Equal(t, []string{"A", "B", "X"}, world.Must(tool.KindsOf(s, id)))

	// What was kept for it is not new.
	s = world.Must(world.Set(s, id, aValue, [2]float32{4, 4}))
	s = world.Must(world.Suspend(s, id, aA))
	s, _ = world.Must2(world.Reset(s, id, aA))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, id, aValue)))
	require.NoError(t, tool.Verify(s))
}

func TestSeed_A7_GetHasRemove(t *testing.T) {
	s, id := with(worldA(2), aA, aX)
	assert.True(t, world.Has(s, id, aA))
	assert.False(t, world.Has(s, id, aB))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, id, aValue)))
	_, err := world.RowOf(s, id, aB)
	require.ErrorIs(t, err, world.ErrAbsent)
	s = world.Must(world.Remove(s, id, aA))
	s = world.Must(world.Remove(s, id, aX))
	assert.Empty(t, world.Must(tool.KindsOf(s, id)))

	for _, k := range []layout.Kind{aA, aX} {
		s = refuses(t, s, world.ErrAbsent, func(s world.State) (world.State, error) {
			return world.Remove(s, id, k)
		}, k.String(), "Removing non-existent component.", "Ask with Has first")
	}
	s = world.Must(world.Dispose(s, id))
	assert.False(t, world.Alive(s, id), "the entity itself")
	refuses(t, s, world.ErrDead, of(id, aA, world.Ensure), "game object 0")
}

func TestSeed_A7_SeveralAtOnce(t *testing.T) {
	s, a := with(worldA(2))
	s = world.Must(addKinds(s, a, aC, aX, aA))
	assert.Equal(t, mask.New(0, 2, 4), world.Must(tool.MaskOf(s, a)))
	s = world.Must(addKinds(s, a))
	s = world.Must(world.Remove(s, a, aX, aC))
	assert.Equal(t, mask.New(0), world.Must(tool.MaskOf(s, a)))

	// A world with one row of B, taken by another object.
	s = world.Must(world.CreateState(world.Counts{GameObjects: 2, Kinds: []layout.Count{
		aA.Count(2), aB.Count(1), aX.Count(0), aY.Count(0), aC.Count(2),
	}}))
	s, a = with(s, aC)
	s, _ = with(s, aB)
	for _, c := range []struct {
		name  string
		err   error
		kinds []layout.Kind
		text  string
	}{
		{"the last is there", world.ErrTwice, []layout.Kind{aA, aX, aC}, "C of game object 0"},
		{"no room for the last", world.ErrFull, []layout.Kind{aA, aX, aB}, "B: all 1 rows in use"},
		{"the last is unknown", world.ErrNoKind, []layout.Kind{aA, aX, aUnknown}, "unknown"},
		{"one twice", world.ErrTwice, []layout.Kind{aA, aX, aA}, "A is given twice in one call"},
		{"a tag twice", world.ErrTwice, []layout.Kind{aX, aX}, "X is given twice in one call"},
	} {
		t.Run("add: "+c.name, func(t *testing.T) {
			s = refuses(t, s, c.err, func(s world.State) (world.State, error) {
				return addKinds(s, a, c.kinds...)
			}, c.text)
		})
	}
	s = world.Must(addKinds(s, a, aA, aX))
	for _, c := range []struct {
		name  string
		err   error
		kinds []layout.Kind
		text  string
	}{
		{"the last is absent", world.ErrAbsent, []layout.Kind{aA, aX, aB}, "B of game object 0"},
		{"the last tag is absent", world.ErrAbsent, []layout.Kind{aA, aY}, "Y of game object 0"},
		{"the last is unknown", world.ErrNoKind, []layout.Kind{aA, aUnknownTag}, "unknown tag"},
		{"one twice", world.ErrAbsent, []layout.Kind{aA, aX, aA}, "A is given twice in one call"},
	} {
		t.Run("remove: "+c.name, func(t *testing.T) {
			s = refuses(t, s, c.err, func(s world.State) (world.State, error) {
				return world.Remove(s, a, c.kinds[0], anyKinds(c.kinds[1:])...)
			}, c.text)
		})
	}
}

func TestSeed_A8_RemoveKeepingTheData(t *testing.T) {
	s, ids := worldtest.Create(worldA(3), 3)
	a, b := ids[0], ids[1]
	for _, id := range ids {
		s = world.Must(world.Add(s, id, aA))
	}
	s = world.Must(world.Set(s, a, aValue, [2]float32{1, 2}))
	s = world.Must(world.Suspend(s, a, aA))
	assert.False(t, world.Has(s, a, aA))
	_, err := world.Get(s, a, aValue)
	require.ErrorIs(t, err, world.ErrAbsent)
	assert.Equal(t, ids[1:], matching(t, s, world.NewQuery(world.With(aA))))
	s = refuses(t, s, world.ErrAbsent, func(s world.State) (world.State, error) {
		return world.Suspend(s, a, aA)
	}, "A of game object 0")
	s = world.Must(world.Add(s, a, aA))
	assert.Equal(t, [2]float32{1, 2}, world.Must(world.Get(s, a, aValue)),
		"the next add has the old value")
	s = world.Must(world.Suspend(s, a, aA))
	s = world.Must(addKinds(s, a, aB, aA)) // in a full kind, too
	assert.Equal(t, [2]float32{1, 2}, world.Must(world.Get(s, a, aValue)))
	s = world.Must(world.Remove(s, a, aA))
	s, _ = world.Must2(world.Ensure(s, a, aA))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, a, aValue)), "removed, it is new")

	// With the entity the data go.
	s = world.Must(world.Set(s, b, aValue, [2]float32{3, 4}))
	s = world.Must(world.Suspend(s, b, aA))
	s = world.Must(world.Dispose(s, b))
	s, next := world.Must2(world.Create(s))
	assert.Equal(t, b.Index(), next.Index(), "the next owner of that id")
	s = world.Must(world.Add(s, next, aA))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, next, aValue)), "sees defaults")
	require.NoError(t, tool.Verify(s))
}

func TestSeed_A9_EntityPool(t *testing.T) {
	s := worldA(4)
	s, ids := worldtest.Create(s, 4)
	assert.Equal(t, []uint32{0, 1, 2, 3}, indexes(ids), "the first is 0")
	assert.Equal(t, 4, world.Len(s))
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
		assert.True(t, world.Alive(s, id))
	}
	assert.False(t, world.Alive(s, ids[0]))

	// The listings pool an entity twice when it is removed twice, and one id then has two owners.
	for _, c := range []struct {
		name string
		id   world.GameObject
		err  error
	}{
		{"dead", ids[0], world.ErrDead},
		{"dead for long", ids[3], world.ErrDead},
		{"nobody", 0, world.ErrDead},
		{"unknown", again[0] + 4, world.ErrOutOfRange},
	} {
		t.Run(c.name, func(t *testing.T) {
			s = refuses(t, s, c.err, func(s world.State) (world.State, error) {
				return world.Dispose(s, c.id)
			}, "game object ")
		})
	}
	s = world.Must(world.Dispose(s, again[0]))
	s = refuses(t, s, world.ErrDead, func(s world.State) (world.State, error) {
		return world.Dispose(s, again[0])
	})
	s, last := world.Must2(world.Create(s))
	assert.Equal(t, again[0].Index(), last.Index())
	refuses(t, s, world.ErrTooMany, func(s world.State) (world.State, error) {
		s, _, err := world.Create(s)
		return s, err
	}, "All 4 are in use")
}

var (
	d7XYZ    = layout.NewField("xyz", [3]float32{1, 2, 3})
	d7Team   = layout.NewField[uint8]("team", 4)
	d7Score  = layout.NewField("score", [2]uint16{5, 6})
	d7Kind   = layout.NewKind("d7", d7XYZ, d7Team, d7Score)
	d9Names  = layout.NewValues("d9 name", "nobody")
	d9Silent = layout.NewValues[[]int]("d9 silent", nil)
)

func TestSeed_D7_GetAndSetPerField(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{d7Kind.Count(3)}}))
	s, ids := worldtest.Create(s, 3)
	for _, id := range ids {
		s = world.Must(world.Add(s, id, d7Kind))
	}
	s, p := world.Must2(world.Edit(s, ids[1], d7XYZ))
	p[2] = 30
	assert.Equal(t, [][3]float32{{1, 2, 3}, {1, 2, 30}, {1, 2, 3}}, world.View(s, d7XYZ))
	assert.Equal(t, []uint8{4, 4, 4}, world.View(s, d7Team), "the other fields stay")
	s = world.SetRow(s, d7Score, 2, [2]uint16{50, 60})
	s = world.Must(world.Set(s, ids[0], d7Team, 40))
	assert.Equal(t, [][2]uint16{{5, 6}, {5, 6}, {50, 60}}, world.View(s, d7Score))
	assert.Equal(t, []uint8{40, 4, 4}, world.View(s, d7Team))
	assert.Equal(t, [][3]float32{{1, 2, 3}, {1, 2, 30}, {1, 2, 3}}, world.View(s, d7XYZ))

	assert.Equal(t, [3]float32{1, 2, 30}, world.Must(world.Get(s, ids[1], d7XYZ)))
	assert.Equal(t, [3]float32{1, 2, 30}, world.GetRow(s, d7XYZ, 1))
	assert.Equal(t, uint8(40), world.Must(world.Get(s, ids[0], d7Team)))
	assert.Equal(t, [2]uint16{50, 60}, world.Must(world.Get(s, ids[2], d7Score)))
	reader := world.ReaderOf(s, d7Score)
	score, ok := reader.Get(ids[2])
	assert.True(t, ok)
	assert.Equal(t, [2]uint16{50, 60}, score)
}

func TestSeed_D8_OtherComponentsHaveABatchToo(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{d9Names.Count(4)}}))
	s, ids := worldtest.Create(s, 3)
	for _, id := range []world.GameObject{ids[2], ids[0]} {
		s = world.Must(world.Add(s, id, d9Names))
	}
	s, loose := world.Must2(world.CreateComponent(s, d9Names))
	assert.Equal(t, []layout.Row{0, 1}, slices.Collect(world.All(s, d9Names)))
	s = world.Must(world.SetValue(s, ids[2], d9Names, "c"))
	s = world.Must(world.SetValue(s, ids[0], d9Names, "nobody!"))
	assert.Equal(t, "c", world.Must(world.ValueOf(s, ids[2], d9Names)))
	assert.Equal(t, "nobody!", world.Must(world.ValueOf(s, ids[0], d9Names)))
	s = world.Must(world.Mount(s, ids[1], d9Names, loose))
	assert.Equal(t, "nobody", world.Must(world.ValueOf(s, ids[1], d9Names)), "it was on no object")
}

func TestSeed_D9_OtherComponents(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		Kinds: []layout.Count{d9Names.Count(3), d9Silent.Count(1)},
	}))
	s, ids := worldtest.Create(s, 3)
	_, err := world.ValueOf(s, ids[0], d9Names)
	require.ErrorIs(t, err, world.ErrAbsent)
	s, err = world.SetValue(s, ids[0], d9Names, "a")
	require.ErrorIs(t, err, world.ErrAbsent)

	for want, id := range ids {
		var uid layout.Row
		s, uid = world.Must2(world.Ensure(s, id, d9Names))
		assert.Equal(t, layout.Row(want), uid)
		assert.Equal(t, "nobody", world.Must(world.ValueOf(s, id, d9Names)))
	}
	s = world.Must(world.SetValue(s, ids[1], d9Names, "b"))

	copied := world.Must(world.Clone(s))
	assert.Equal(t, "b", world.Must(world.ValueOf(copied, ids[1], d9Names)), "copied with the world")
	copied = world.Must(world.SetValue(copied, ids[1], d9Names, "copy"))
	copied = world.Must(world.SetValue(copied, ids[2], d9Names, "copy"))
	for i, want := range []string{"nobody", "b", "nobody"} {
		assert.Equal(t, want, world.Must(world.ValueOf(s, ids[i], d9Names)), "the original's")
	}
	s = world.Must(world.SetValue(s, ids[0], d9Names, "original"))
	for i, want := range []string{"nobody", "copy", "copy"} {
		assert.Equal(t, want, world.Must(world.ValueOf(copied, ids[i], d9Names)), "the copy's")
	}

	s = world.Must(world.Remove(s, ids[1], d9Names))
	_, err = world.ValueOf(s, ids[1], d9Names)
	require.ErrorIs(t, err, world.ErrAbsent)
	s, uid := world.Must2(world.Ensure(s, ids[1], d9Names))
	assert.Equal(t, layout.Row(1), uid)
	assert.Equal(t, "nobody", world.Must(world.ValueOf(s, ids[1], d9Names)), "back to the default")

	s = world.Must(world.Add(s, ids[1], d9Silent))
	assert.Nil(t, world.Must(world.ValueOf(s, ids[1], d9Silent)))
}
