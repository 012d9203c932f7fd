package world_test

import (
	"bytes"
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
	s := world.Must(world.CreateState(world.Counts{GameObjects: 100}))
	assert.Zero(t, tool.MaxUID(s))
	s, ids := worldtest.Create(s, 80)
	for want, id := range ids {
		assert.Equal(t, uint32(want), id.Index(), "0, 1, 2, …")
	}
	assert.Equal(t, 80, tool.MaxUID(s))
	assert.Equal(t, ids, slices.Collect(world.GameObjects(s)))
	s = world.Must(world.Dispose(s, ids[0], ids[64], ids[79]))
	assert.Equal(t, slices.Concat(ids[1:64], ids[65:79]), slices.Collect(world.GameObjects(s)),
		"every live one, ascending")
	assert.Equal(t, 80, tool.MaxUID(s), "disposing leaves it")
}

func TestSeed_D2_CountsSizeEveryManagerOnce(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(10), heroes.Velocity.Count(7), heroes.Instance.Count(8),
	)}))
	size, start := len(world.Bytes(s)), address(world.Bytes(s))
	for _, c := range []struct {
		kind        layout.Kind
		rows, bytes int
	}{{heroes.Position.Kind(), 10, 120}, {heroes.Velocity.Kind(), 7, 28}, {heroes.Instance, 8, 0}} {
		assert.Equal(t, c.rows, tool.Cap(s, c.kind), c.kind)
		assert.Len(t, tool.Buffer(s, c.kind), c.bytes, c.kind)
		for row := range c.rows { // all of it is used
			var got layout.Row
			s, got = world.Must2(world.CreateComponent(s, c.kind))
			assert.Equal(t, layout.Row(row), got)
		}
		_, _, err := world.CreateComponent(s, c.kind)
		require.ErrorIs(t, err, world.ErrFull)
	}
	s, _ = worldtest.Create(s, 10) // as many objects as the largest of the other counts
	assert.Len(t, world.Bytes(s), size)
	assert.Equal(t, start, address(world.Bytes(s)), "nothing was allocated again")
}

func TestSeed_D4_CreateComponentCountsUpAndAllocatesNothing(t *testing.T) {
	const rows = 200
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(rows), heroes.Instance.Count(rows),
	)}))
	var next layout.Row
	assert.Zero(t, testing.AllocsPerRun(rows-2, func() {
		var p, i layout.Row
		s, p = world.Must2(world.CreateComponent(s, heroes.Position))
		s, i = world.Must2(world.CreateComponent(s, heroes.Instance))
		if next++; p+1 != next || i+1 != next || tool.MaxIndex(s, heroes.Position.Kind()) != int(next) {
			t.Fail()
		}
	}))
	assert.Equal(t, layout.Row(rows-1), next)
}

func TestSeed_D5_MountHasGet(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(4), heroes.Instance.Count(4),
	)}))
	s, ids := worldtest.Create(s, 2)
	for _, k := range []layout.Kind{heroes.Position.Kind(), heroes.Instance} {
		t.Run(k.String(), func(t *testing.T) {
			var first, second layout.Row
			s, first = world.Must2(world.CreateComponent(s, k))
			s, second = world.Must2(world.CreateComponent(s, k))
			assert.False(t, world.Has(s, ids[0], k), "created, not mounted")
			_, err := world.RowOf(s, ids[0], k)
			require.ErrorIs(t, err, world.ErrAbsent)

			s = world.Must(world.Mount(s, ids[0], k, second))
			assert.True(t, world.Has(s, ids[0], k))
			s, err = world.Mount(s, ids[0], k, first)
			require.ErrorIs(t, err, world.ErrTwice, "at most one of a kind per object")
			s, err = world.Mount(s, ids[1], k, second)
			require.ErrorIs(t, err, world.ErrTwice, "at most one object per component")
			assert.Equal(t, second, world.Must(world.RowOf(s, ids[0], k)))
			assert.False(t, world.Has(s, ids[1], k))
		})
	}
}

func TestSeed_D14_BuffersNeverGrow(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 5, Kinds: layout.Kinds(heroes.Position.Count(2), heroes.Instance.Count(2)),
	}))
	s, ids := worldtest.Create(s, 5)
	for _, k := range []layout.Kind{heroes.Position.Kind(), heroes.Instance} {
		for i := range 2 {
			s = world.Must(world.Add(s, ids[i], k))
		}
		before := bytes.Clone(world.Bytes(s))
		var err error
		for id, full := range map[world.GameObject]func() error{
			ids[4]: func() error { s, err = world.Add(s, ids[4], k); return err },
			0:      func() error { s, _, err = world.CreateComponent(s, k); return err },
		} {
			require.ErrorIs(t, full(), world.ErrFull)
			require.ErrorContains(t, err,
				"flatecs: "+k.String()+": all 2 rows in use; raise its Count in Counts.Kinds at creation")
			var named *world.Error
			require.ErrorAs(t, err, &named)
			assert.Equal(t, world.Error{Err: named.Err, Kind: k.String(), ID: id, Count: 2}, *named)
			assert.Equal(t, before, world.Bytes(s), "it left the world as it was")
		}
	}
}
