package world_test

import (
	"math"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSeed_D1_MaxUIDCountsUp(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 200}))
	assert.Zero(t, tool.MaxUID(s))
	assert.Empty(t, slices.Collect(world.GameObjects(s)))
	var ids []world.GameObject
	for want := range uint32(150) {
		before := tool.MaxUID(s)
		var id world.GameObject
		s, id = world.Must2(world.Create(s))
		assert.Equal(t, want, id.Index(), "0, 1, 2, …")
		assert.Equal(t, before, int(id.Index()), "the old maxUID")
		assert.Equal(t, int(want)+1, tool.MaxUID(s))
		ids = append(ids, id)
	}
	assert.Equal(t, ids, slices.Collect(world.GameObjects(s)))

	for _, i := range []int{0, 3, 64, 65, 149} {
		s = world.Must(world.Dispose(s, ids[i]))
	}
	assert.Equal(t, 145, world.Len(s))
	assert.Equal(t, 150, tool.MaxUID(s), "disposing leaves it")
	s, again := worldtest.Create(s, 2)
	assert.Equal(t, []uint32{149, 65}, indexes(again), "the last disposed first")
	want := slices.DeleteFunc(slices.Clone(ids), func(id world.GameObject) bool {
		return !world.Alive(s, id)
	})
	want = append(want, again...)
	slices.SortFunc(want, func(a, b world.GameObject) int { return int(a.Index()) - int(b.Index()) })
	assert.Equal(t, want, slices.Collect(world.GameObjects(s)), "every live one, ascending")
	for _, id := range want {
		assert.Equal(t, id, world.Must(tool.GameObjectAt(s, id.Index())))
	}
}

func TestSeed_D2_CountsSizeEveryManagerOnce(t *testing.T) {
	counts := world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(10), heroes.Velocity.Count(7), heroes.MaxVelocity.Count(3),
		heroes.Instance.Count(10),
	)}
	s := world.Must(world.CreateState(counts))
	kinds := map[layout.Kind]struct{ rows, bytes int }{
		heroes.Position.Kind(): {10, 120}, heroes.Velocity.Kind(): {7, 28}, heroes.MaxVelocity.Kind(): {3, 12},
		heroes.Instance: {10, 0},
	}
	size, start, buffers := len(world.Bytes(s)), address(world.Bytes(s)), map[layout.Kind]uintptr{}
	for k, want := range kinds {
		assert.Equal(t, want.rows, tool.Cap(s, k), k)
		assert.Len(t, tool.Buffer(s, k), want.bytes, k)
		assert.Zero(t, tool.MaxIndex(s, k), k)
		assert.Zero(t, tool.Mounted(s, k), k)
		buffers[k] = address(tool.Buffer(s, k))
	}
	assert.Len(t, world.Bytes(s), size)
	for k, want := range kinds { // all of it is used
		for row := range want.rows {
			var got layout.Row
			s, got = world.Must2(world.CreateComponent(s, k))
			assert.Equal(t, layout.Row(row), got)
		}
		_, _, err := world.CreateComponent(s, k)
		require.ErrorIs(t, err, world.ErrFull)
	}
	s, ids := worldtest.Create(s, 10)
	assert.Len(t, ids, 10, "as many objects as the largest of the other counts")
	assert.Len(t, world.Bytes(s), size)
	assert.Equal(t, start, address(world.Bytes(s)), "nothing was allocated again")
	for k, want := range kinds {
		assert.Len(t, tool.Buffer(s, k), want.bytes, k)
		assert.Equal(t, buffers[k], address(tool.Buffer(s, k)), k)
	}
}

func TestSeed_D3_BuffersViewsMapsAndDefaults(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(10), heroes.Velocity.Count(10), heroes.MaxVelocity.Count(10),
	)}))
	for _, c := range []struct {
		kind  layout.Kind
		view  func(world.State) []float32
		value float32
		lanes int
	}{
		{heroes.Position.Kind(), flatView(heroes.Position), 0, 3},
		{heroes.Velocity.Kind(), flatView(heroes.Velocity), 1, 1},
		{heroes.MaxVelocity.Kind(), flatView(heroes.MaxVelocity), 10, 1},
	} {
		t.Run(c.kind.String(), func(t *testing.T) {
			buffer, view := tool.Buffer(s, c.kind), c.view(s)
			assert.Equal(t, repeat(c.value, 10*c.lanes), view, "the whole buffer, before any create")
			assert.Len(t, buffer, 4*len(view))
			assert.Equal(t, address(buffer), address(view), "a view of the buffer")

			var row layout.Row
			for want := range layout.Row(4) {
				assert.Equal(t, int(want), tool.MaxIndex(s, c.kind))
				s, row = world.Must2(world.CreateComponent(s, c.kind))
				assert.Equal(t, want, row)
			}
			var ids []world.GameObject
			s, ids = worldtest.Create(s, 3)
			s = world.Must(world.Mount(s, ids[2], c.kind, 1))
			s = world.Must(world.Mount(s, ids[0], c.kind, 3))
			for id, want := range map[world.GameObject]layout.Row{ids[2]: 1, ids[0]: 3} {
				assert.Equal(t, want, world.Must(world.RowOf(s, id, c.kind)), "game object to component")
				owner, ok := world.ObjectOf(s, c.kind, want)
				assert.True(t, ok)
				assert.Equal(t, id, owner, "component to game object")
			}
			_, ok := world.ObjectOf(s, c.kind, 0)
			assert.False(t, ok, "mounted nowhere")
		})
	}
}

func TestSeed_D4_CreateComponentCountsUpAndAllocatesNothing(t *testing.T) {
	const rows = 2000
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(rows), heroes.Velocity.Count(rows), heroes.MaxVelocity.Count(rows),
		heroes.Instance.Count(rows),
	)}))
	size, start := len(world.Bytes(s)), address(world.Bytes(s))
	var next layout.Row
	perRun := testing.AllocsPerRun(rows-2, func() {
		var p, v, f, i layout.Row
		s, p = world.Must2(world.CreateComponent(s, heroes.Position))
		s, v = world.Must2(world.CreateComponent(s, heroes.Velocity))
		s, f = world.Must2(world.CreateComponent(s, heroes.MaxVelocity))
		s, i = world.Must2(world.CreateComponent(s, heroes.Instance))
		if p != next || v != next || f != next || i != next {
			t.Fail()
		}
		next++
		if tool.MaxIndex(s, heroes.Position.Kind()) != int(next) {
			t.Fail()
		}
	})
	assert.Zero(t, perRun)
	assert.Equal(t, layout.Row(rows-1), next)
	assert.Len(t, world.Bytes(s), size)
	assert.Equal(t, start, address(world.Bytes(s)))
}

func TestSeed_D5_MountHasGet(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(4), heroes.Velocity.Count(4), heroes.MaxVelocity.Count(4),
		heroes.Instance.Count(4),
	)}))
	s, ids := worldtest.Create(s, 2)
	a, b := ids[0], ids[1]
	for _, k := range []layout.Kind{
		heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance,
	} {
		t.Run(k.String(), func(t *testing.T) {
			var first, second layout.Row
			s, first = world.Must2(world.CreateComponent(s, k))
			s, second = world.Must2(world.CreateComponent(s, k))
			assert.False(t, world.Has(s, a, k), "created, not mounted")
			_, err := world.RowOf(s, a, k)
			require.ErrorIs(t, err, world.ErrAbsent)

			s = world.Must(world.Mount(s, a, k, second))
			assert.True(t, world.Has(s, a, k))
			assert.False(t, world.Has(s, b, k))
			assert.Equal(t, second, world.Must(world.RowOf(s, a, k)))

			s, err = world.Mount(s, a, k, first)
			require.ErrorIs(t, err, world.ErrTwice, "at most one of a kind per object")
			s, err = world.Mount(s, b, k, second)
			require.ErrorIs(t, err, world.ErrTwice, "at most one object per component")
			assert.Equal(t, second, world.Must(world.RowOf(s, a, k)))
			assert.False(t, world.Has(s, b, k))
			s = world.Must(world.Mount(s, b, k, first))
			assert.Equal(t, first, world.Must(world.RowOf(s, b, k)))
			_, err = world.RowOf(s, world.GameObject(math.MaxUint64), k)
			require.ErrorIs(t, err, world.ErrOutOfRange)
		})
	}
}
