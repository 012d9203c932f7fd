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
	for name, counted := range map[string]bool{"free": false, "counted": true} {
		t.Run(name, func(t *testing.T) {
			defer closeOpened()
			test(t, counted)
		})
	}
}

// launch returns the world of 100 ships, ship i with i in its fields; 40 is disposed, 41 suspended.
func (b *built) launch(t *testing.T) (world.State, []world.GameObject) {
	t.Helper()
	s := world.Must(create(b.counts))
	var ids []world.GameObject
	for i := range 100 {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, b.kind))
		s = world.Must(world.Set(s, id, b.hull, hull{float32(i), float32(-i)}))
		s = world.Must(world.Set(s, id, b.crew, uint16(100+i)))
		ids = append(ids, id)
	}
	s = world.Must(world.Dispose(s, ids[40]))
	s = world.Must(world.Suspend(s, ids[41], b.kind))
	return s, ids
}

// TestFieldsAreDropped: version 1 has a hull of two parts and a crew; version 2 neither crew nor
// width; version 3 another type of length, which begins anew.
func TestFieldsAreDropped(t *testing.T) {
	defer closeOpened()
	counted(t, func(t *testing.T, counted bool) {
		t.Helper()
		drop := save.Options{DropFields: true}
		v1 := shipyard(counted)
		s, ids := v1.launch(t)
		file := saved(t, s, save.Options{})
		short := layout.NewField("hull", long{9})
		v2 := countsOf(counted, layout.NewKind("ship", short))
		_, _, err := read(file, v2, save.Options{})
		require.ErrorIs(t, err, save.ErrMigration)
		s, report := world.Must2(read(file, v2, drop))
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"ship.hull.Width", "ship.crew"}, report.Dropped)
		assert.Equal(t, long{3}, world.Must(world.Get(s, ids[3], short)))

		wide := layout.NewField("hull", hulk{1.5})
		v3 := countsOf(counted, layout.NewKind("ship", wide))
		s, report = world.Must2(read(saved(t, s, save.Options{}), v3, drop))
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"ship.hull"}, report.Dropped)
		assert.Equal(t, []string{"ship.hull"}, report.New)
		assert.Empty(t, report.Kept)
		for i, id := range ids {
			if i != 40 && i != 41 {
				assert.Equal(t, hulk{1.5}, world.Must(world.Get(s, id, wide)))
			}
		}
	})
}
