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

var d14Kind = layout.NewKind("d14", layout.NewField[uint16]("value"))

func TestSeed_D14_BuffersNeverGrow(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 5, Kinds: layout.Kinds(
			d14Kind.Count(4), heroes.Position.Count(2), heroes.Velocity.Count(3),
			heroes.MaxVelocity.Count(1), heroes.Instance.Count(2),
		),
	}))
	s, ids := worldtest.Create(s, 5)
	size := len(world.Bytes(s))
	for _, c := range []struct {
		kind layout.Kind
		rows int
		cure string
	}{
		{heroes.Position.Kind(), 2, "flatecs: position: all 2 rows in use; raise its Count in Counts.Kinds"},
		{heroes.Velocity.Kind(), 3, "flatecs: velocity: all 3 rows in use; raise its Count in Counts.Kinds"},
		{heroes.MaxVelocity.Kind(), 1, "flatecs: fly: all 1 rows in use; raise its Count in Counts.Kinds"},
		{heroes.Instance, 2, "flatecs: instance: all 2 rows in use; raise its Count in Counts.Kinds"},
		{d14Kind, 4, "raise its Count in Counts.Kinds at creation"},
	} {
		t.Run(c.kind.String(), func(t *testing.T) {
			for i := range c.rows {
				s = world.Must(world.Add(s, ids[i], c.kind))
			}
			before, at := bytes.Clone(world.Bytes(s)), address(tool.Buffer(s, c.kind))
			var err error
			for id, full := range map[world.GameObject]func() error{
				ids[4]: func() error { s, err = world.Add(s, ids[4], c.kind); return err },
				0:      func() error { s, _, err = world.CreateComponent(s, c.kind); return err },
			} {
				require.ErrorIs(t, full(), world.ErrFull)
				assert.Contains(t, err.Error(), c.cure)
				var named *world.Error
				require.ErrorAs(t, err, &named)
				assert.Equal(t, world.Error{
					Err: named.Err, Kind: c.kind.String(), ID: id, Count: c.rows,
				}, *named)
				assert.Equal(t, before, world.Bytes(s), "it left the world as it was")
			}
			assert.Equal(t, at, address(tool.Buffer(s, c.kind)))
			assert.Equal(t, c.rows, tool.Cap(s, c.kind))
			s = world.Must(world.Remove(s, ids[0], c.kind))
			s = world.Must(world.Add(s, ids[4], c.kind))
		})
	}
	assert.Len(t, world.Bytes(s), size)
}

// d15Kinds are the kinds whose rows D15 is proven on, with a field to look at.
var d15Kinds = []struct {
	kind  layout.Kind
	view  func(world.State) []float32
	value float32
	lanes int
}{
	{heroes.Position.Kind(), flatView(heroes.Position), 0, 3},
	{heroes.Velocity.Kind(), flatView(heroes.Velocity), 1, 1},
	{heroes.MaxVelocity.Kind(), flatView(heroes.MaxVelocity), 10, 1},
}

// flatView returns what views a field as its elements.
func flatView[T any](f layout.Field[T]) func(world.State) []float32 {
	return func(s world.State) []float32 { return layout.Flat[float32](f, world.View(s, f)) }
}

// d15World returns a world with room for 8 rows of each kind and 8 objects, the first n of which
// have all kinds in lockstep, every value 99.
func d15World(n int) (world.State, []world.GameObject) {
	const room = 8
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(room), heroes.Velocity.Count(room), heroes.MaxVelocity.Count(room),
	)}))
	s, ids := worldtest.Create(s, room)
	for _, c := range d15Kinds {
		for _, id := range ids[:n] {
			s = world.Must(world.Add(s, id, c.kind))
		}
		v := c.view(s)
		copy(v, repeat[float32](99, len(v)))
		s = tool.Touch(s, c.kind, 0, room)
	}
	return s, ids
}

func TestSeed_D15_DisposeSetsBackToTheDefaults(t *testing.T) {
	for _, c := range d15Kinds {
		t.Run(c.kind.String(), func(t *testing.T) {
			s, ids := d15World(5)
			lanes := c.lanes
			want := repeat[float32](99, 8*lanes)
			reset := func(row layout.Row) { copy(want[int(row)*lanes:], repeat(c.value, lanes)) }

			s = world.Must(world.Remove(s, ids[1], c.kind))
			reset(1)
			assert.Equal(t, want, c.view(s), "by object")
			assert.False(t, world.Has(s, ids[1], c.kind))
			s = world.DisposeComponent(s, c.kind, 3)
			reset(3)
			assert.Equal(t, want, c.view(s), "by row")
			assert.False(t, world.Has(s, ids[3], c.kind))
			s = world.Must(world.Dispose(s, ids[0]))
			reset(0)
			assert.Equal(t, want, c.view(s), "with the object")
			assert.Equal(t, 5, tool.MaxIndex(s, c.kind), "unchanged")
			assert.Equal(t, 2, tool.Mounted(s, c.kind))

			s, row := world.Must2(world.CreateComponent(s, c.kind))
			s = world.DisposeComponent(s, c.kind, row)
			assert.Equal(t, want, c.view(s), "unmounted")
			_, ok := world.ObjectOf(s, c.kind, 2)
			assert.True(t, ok, "the others stay")
		})
	}
}

func TestSeed_D15_ReuseThroughCreate(t *testing.T) {
	for _, c := range d15Kinds {
		t.Run(c.kind.String(), func(t *testing.T) {
			s, ids := d15World(6)
			s = world.Must(world.Remove(s, ids[4], c.kind))
			s = world.DisposeComponent(s, c.kind, 0)
			s = world.Must(world.Remove(s, ids[2], c.kind))
			var got []layout.Row
			for range 5 {
				var row layout.Row
				s, row = world.Must2(world.CreateComponent(s, c.kind))
				got = append(got, row)
			}
			assert.Equal(t, []layout.Row{2, 0, 4, 6, 7}, got, "the last disposed first, then new ones")
			_, _, err := world.CreateComponent(s, c.kind)
			require.ErrorIs(t, err, world.ErrFull)
		})
	}
}

func TestSeed_D15_ReuseThroughAdd(t *testing.T) {
	for _, c := range d15Kinds {
		t.Run(c.kind.String(), func(t *testing.T) {
			s, ids := d15World(6)
			for _, i := range []int{4, 1, 3, 0} {
				s = world.Must(world.Remove(s, ids[i], c.kind))
			}
			rows := map[int]layout.Row{}
			for _, i := range []int{1, 7, 6, 4} {
				s = world.Must(world.Add(s, ids[i], c.kind))
				rows[i] = world.Must(world.RowOf(s, ids[i], c.kind))
			}
			assert.Equal(t, map[int]layout.Row{
				1: 1, // its own row of before, though 3 and 0 were disposed later
				7: 0, // the last disposed
				6: 3, // the last disposed of those that are left
				4: 4,
			}, rows)
			assert.Equal(t, 6, tool.MaxIndex(s, c.kind), "unchanged")
			for _, row := range rows {
				got := c.view(s)[int(row)*c.lanes:][:c.lanes]
				assert.Equal(t, repeat(c.value, c.lanes), got, "the defaults")
			}
		})
	}
}

func TestSeed_D15_NothingIsAllocatedOrFreed(t *testing.T) {
	s, ids := d15World(8)
	size, at := len(world.Bytes(s)), address(world.Bytes(s))
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		for _, c := range d15Kinds {
			s = world.Must(world.Remove(s, ids[3], c.kind))
			s = world.DisposeComponent(s, c.kind, 5)
			s, _ = world.Must2(world.CreateComponent(s, c.kind))
			s = world.Must(world.Add(s, ids[3], c.kind))
			s = world.Must(world.Mount(s, ids[5], c.kind, world.Must(looseRow(s, c.kind))))
		}
	}))
	assert.Len(t, world.Bytes(s), size)
	assert.Equal(t, at, address(world.Bytes(s)))
	assert.Len(t, slices.Collect(world.All(s, heroes.Position)), 8)
}

// looseRow returns a row that is in use, and on no object.
func looseRow(s world.State, k layout.Kind) (layout.Row, error) {
	for row := range layout.Row(tool.MaxIndex(s, k)) {
		if _, mounted := world.ObjectOf(s, k, row); !mounted {
			return row, nil
		}
	}
	return 0, world.ErrAbsent
}

// A worker steps a world of its own and leaves each result in a snapshot; the main side goes on
// with the world that it shows, and takes the result over at a sync point.
func TestSeed_D21_AWorkerWritesAResultBuffer(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(100), heroes.Velocity.Count(100),
	)}))
	s, ids := worldtest.Create(s, 100)
	for _, id := range ids {
		s = world.Must(world.Add(s, id, heroes.Position))
		s = world.Must(world.Add(s, id, heroes.Velocity))
	}
	results := [2]*world.Snapshot{world.Must(world.NewSnapshot(s)), world.Must(world.NewSnapshot(s))}
	free, done := make(chan *world.Snapshot, 2), make(chan *world.Snapshot, 2)
	free <- results[0]
	free <- results[1]
	const steps = 50
	go func(own world.State) {
		defer close(done)
		for range steps {
			own = heroes.MoveAll(own)
			result := <-free
			if result.Take(own) != nil {
				return
			}
			done <- result
		}
	}(world.Must(world.Clone(s)))

	synced := 0
	for result := range done {
		before := world.Digest(s)
		assert.Equal(t, before, world.Digest(s), "the main side is in nobody's way")
		s = world.Must(world.Restore(s, result))
		assert.NotEqual(t, before, world.Digest(s))
		synced++
		free <- result
	}
	require.Equal(t, steps, synced)
	position, err := world.Get(s, ids[7], heroes.Position)
	require.NoError(t, err)
	assert.InDelta(t, steps, position[0], 0, "moved %d times by 1", steps)
}
