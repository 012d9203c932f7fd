package save_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

type (
	hull  struct{ Length, Width float32 }
	long  struct{ Length float32 }
	hulk  struct{ Length float64 }
	built struct {
		counts world.Counts
		hull   layout.Field[hull]
		crew   layout.Field[uint16]
		kind   layout.Kind
	}
)

// shipyard declares a program whose ships have a hull and a crew.
func shipyard(counted bool) built {
	b := built{hull: layout.NewField("hull", hull{4, 2}), crew: layout.NewField[uint16]("crew", 7)}
	b.kind = layout.NewKind("ship", b.hull, b.crew)
	b.counts = countsOf(counted, b.kind)
	return b
}

func countsOf(counted bool, kinds ...layout.Kind) world.Counts {
	c := world.Counts{}
	for _, k := range kinds {
		if counted {
			c.GameObjects = 3000
			c.Kinds = append(c.Kinds, k.Count(2000))
		} else {
			c.Kinds = append(c.Kinds, k.Counted())
		}
	}
	return c
}

func counted(t *testing.T, test func(t *testing.T, counted bool)) {
	t.Helper()
	t.Run("free", func(t *testing.T) { test(t, false) })
	t.Run("counted", func(t *testing.T) { test(t, true) })
}

// TestFieldsAreKeptAndComeBack: version 1 has a hull of two parts and a crew; version 2 neither
// crew nor width; version 3 another type of length; and then version 1 again.
func TestFieldsAreKeptAndComeBack(t *testing.T) {
	counted(t, func(t *testing.T, counted bool) {
		keep := save.Options{KeepFields: true}
		v1 := shipyard(counted)
		s, err := world.CreateState(v1.counts)
		require.NoError(t, err)
		var ids []world.GameObject
		for i := range 100 {
			var id world.GameObject
			s, id, err = world.CreateWith(s, v1.kind)
			require.NoError(t, err)
			s, err = world.Set(s, id, v1.hull, hull{float32(i), float32(-i)})
			require.NoError(t, err)
			s, err = world.Set(s, id, v1.crew, uint16(100+i))
			require.NoError(t, err)
			ids = append(ids, id)
		}
		s, err = world.DisposeGameObject(s, ids[40])
		require.NoError(t, err)
		s, err = world.Suspend(s, ids[41], v1.kind)
		require.NoError(t, err)

		short := layout.NewField("hull", long{9})
		v2 := countsOf(counted, layout.NewKind("ship", short))
		s, report, err := read(saved(t, s, save.Options{}), v2, keep)
		require.NoError(t, err)
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"ship.hull.Width", "ship.crew"}, report.Aside)
		assert.Empty(t, report.Dropped)
		assert.Empty(t, report.Kept)
		s, young, err := world.CreateWith(s, short.Kind())
		require.NoError(t, err)
		s, err = world.DisposeGameObject(s, ids[50])
		require.NoError(t, err)
		s, err = world.Set(s, ids[3], short, long{333})
		require.NoError(t, err)

		wide := layout.NewField("hull", hulk{1.5})
		v3 := countsOf(counted, layout.NewKind("ship", wide))
		s, report, err = read(saved(t, s, save.Options{}), v3, keep)
		require.NoError(t, err)
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"ship.hull"}, report.Aside)
		assert.Equal(t, []string{"ship.hull"}, report.New)
		assert.Empty(t, report.Kept, "each is named once")
		got, err := world.Get(s, ids[3], wide)
		require.NoError(t, err)
		assert.Equal(t, hulk{1.5}, got)

		v1 = shipyard(counted)
		s, report, err = read(saved(t, s, save.Options{}), v1.counts, keep)
		require.NoError(t, err)
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"ship.hull", "ship.crew"}, report.Returned)
		assert.Equal(t, []string{"ship.hull"}, report.Aside, "of version 3")
		s, _, err = world.Add(s, ids[41], v1.kind)
		require.NoError(t, err)
		for i, id := range ids {
			if i == 40 || i == 50 {
				assert.False(t, world.Alive(s, id))
				continue
			}
			want := hull{float32(i), float32(-i)}
			if i == 3 {
				want.Length = 333
			}
			got, err := world.Get(s, id, v1.hull)
			require.NoError(t, err)
			assert.Equal(t, want, got, i)
			crew, err := world.Get(s, id, v1.crew)
			require.NoError(t, err)
			assert.Equal(t, uint16(100+i), crew)
		}
		for range 3 {
			got, err := world.Get(s, young, v1.hull)
			require.NoError(t, err)
			assert.Equal(t, hull{9, 2}, got)
			crew, err := world.Get(s, young, v1.crew)
			require.NoError(t, err)
			assert.Equal(t, uint16(7), crew)
			s, young, err = world.CreateWith(s, v1.kind)
			require.NoError(t, err)
			s, err = world.Set(s, young, v1.hull, hull{9, 2})
			require.NoError(t, err)
		}
	})
}
