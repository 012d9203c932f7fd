package save_test

import (
	"bytes"
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
	s = world.Must(world.DisposeGameObject(s, ids[40]))
	s = world.Must(world.Suspend(s, ids[41], b.kind))
	return s, ids
}

// TestFieldsAreKeptAndComeBack: version 1 has a hull of two parts and a crew; version 2 neither
// crew nor width; version 3 another type of length; and then version 1 again.
func TestFieldsAreKeptAndComeBack(t *testing.T) {
	defer closeOpened()
	counted(t, func(t *testing.T, counted bool) {
		t.Helper()
		keep := save.Options{KeepFields: true}
		v1 := shipyard(counted)
		s, ids := v1.launch(t)
		short := layout.NewField("hull", long{9})
		v2 := countsOf(counted, layout.NewKind("ship", short))
		s, report := world.Must2(read(saved(t, s, save.Options{}), v2, keep))
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"ship.hull.Width", "ship.crew"}, report.Aside)
		assert.Empty(t, report.Dropped)
		assert.Empty(t, report.Kept)
		s, young := world.Must2(world.CreateWith(s, short.Kind()))
		s = world.Must(world.DisposeGameObject(s, ids[50]))
		s = world.Must(world.Set(s, ids[3], short, long{333}))

		wide := layout.NewField("hull", hulk{1.5})
		v3 := countsOf(counted, layout.NewKind("ship", wide))
		s, report = world.Must2(read(saved(t, s, save.Options{}), v3, keep))
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"ship.hull"}, report.Aside)
		assert.Equal(t, []string{"ship.hull"}, report.New)
		assert.Empty(t, report.Kept, "each is named once")
		got := world.Must(world.Get(s, ids[3], wide))
		assert.Equal(t, hulk{1.5}, got)

		v1 = shipyard(counted)
		s, report = world.Must2(read(saved(t, s, save.Options{}), v1.counts, keep))
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"ship.hull", "ship.crew"}, report.Returned)
		assert.Equal(t, []string{"ship.hull"}, report.Aside, "of version 3")
		s = world.Must(world.Add(s, ids[41], v1.kind))
		for i, id := range ids {
			if i == 40 || i == 50 {
				assert.False(t, world.Alive(s, id))
				continue
			}
			want := hull{float32(i), float32(-i)}
			if i == 3 {
				want.Length = 333
			}
			got := world.Must(world.Get(s, id, v1.hull))
			assert.Equal(t, want, got, i)
			crew := world.Must(world.Get(s, id, v1.crew))
			assert.Equal(t, uint16(100+i), crew)
		}
		for range 3 {
			got := world.Must(world.Get(s, young, v1.hull))
			assert.Equal(t, hull{9, 2}, got)
			crew := world.Must(world.Get(s, young, v1.crew))
			assert.Equal(t, uint16(7), crew)
			s, young = world.Must2(world.CreateWith(s, v1.kind))
			s = world.Must(world.Set(s, young, v1.hull, hull{9, 2}))
		}
	})
}

// TestFieldsAreKeptInASpareWorld: by the counts of the first loading; values of rows that are on no
// object come back by their rows.
func TestFieldsAreKeptInASpareWorld(t *testing.T) {
	defer closeOpened()
	counted(t, func(t *testing.T, counted bool) {
		t.Helper()
		keep := save.Options{KeepFields: true}
		v1 := shipyard(counted)
		s, err := create(v1.counts)
		require.NoError(t, err)
		var loose layout.Row
		for range 10 {
			s, _ = world.Must2(world.CreateWith(s, v1.kind))
			s, loose = world.Must2(world.CreateComponent(s, v1.kind))
			s = world.SetRow(s, v1.crew, loose, uint16(loose))
		}
		file := saved(t, s, save.Options{})
		short := layout.NewField("hull", hull{9, 9})
		first, report, err := read(file, countsOf(counted, layout.NewKind("ship", short)), keep)
		require.NoError(t, err)
		s, _ = world.Must2(world.CreateWith(s, v1.kind))
		spare, err := create(report.Counts)
		require.NoError(t, err)
		larger := saved(t, s, save.Options{})
		_, _, err = save.Reread(bytes.NewReader(larger), int64(len(larger)), spare, keep)
		require.ErrorContains(t, err, "the spare world has not all of its kinds")
		s, _ = world.Must2(read(file, v1.counts, save.Options{}))

		for range 2 { // into a new one, and into one that was used
			spare, err := create(report.Counts)
			require.NoError(t, err)
			second, again, err := save.Reread(bytes.NewReader(file), int64(len(file)), spare, keep)
			require.NoError(t, err)
			require.NoError(t, tool.Verify(second))
			assert.Equal(t, report.Aside, again.Aside)
			assert.Equal(t, world.Digest(first), world.Digest(second))
			kept := saved(t, second, save.Options{})
			second, again, err = save.Reread(bytes.NewReader(kept), int64(len(kept)), second, keep)
			require.NoError(t, err)
			assert.Empty(t, again.Aside)
			assert.Equal(t, kept, saved(t, second, save.Options{}))
			back, _, err := read(kept, v1.counts, save.Options{})
			require.NoError(t, err)
			require.NoError(t, tool.Verify(back))
			assert.Equal(t, uint16(loose), world.View(back, v1.crew)[loose])
			assert.Equal(t, world.Digest(s), world.Digest(back))
		}
	})
}
