package world_test

import (
	"bytes"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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

// The last disposed row is used first; nothing is allocated or freed.
func TestSeed_D15_DisposeSetsBackToTheDefaults(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.MaxVelocity.Count(8))}))
	s, ids := worldtest.Create(s, 6)
	for _, id := range ids {
		s = world.Must(world.Add(s, id, heroes.MaxVelocity))
		s = world.Must(world.Set(s, id, heroes.MaxVelocity, 99))
	}
	at := address(world.Bytes(s))
	view := func() []float32 { return world.View(s, heroes.MaxVelocity)[:6] }
	s = world.Must(world.Remove(s, ids[4], heroes.MaxVelocity))
	assert.Equal(t, []float32{99, 99, 99, 99, 10, 99}, view(), "by object")
	s = world.DisposeComponent(s, heroes.MaxVelocity, 0)
	assert.Equal(t, []float32{10, 99, 99, 99, 10, 99}, view(), "by row")
	assert.False(t, world.Has(s, ids[0], heroes.MaxVelocity))
	s = world.Must(world.Dispose(s, ids[2]))
	assert.Equal(t, []float32{10, 99, 10, 99, 10, 99}, view(), "with the object")
	assert.Equal(t, 3, tool.Mounted(s, heroes.MaxVelocity.Kind()))

	var got []layout.Row
	for range 5 {
		var row layout.Row
		s, row = world.Must2(world.CreateComponent(s, heroes.MaxVelocity))
		got = append(got, row)
	}
	assert.Equal(t, []layout.Row{2, 0, 4, 6, 7}, got, "the last disposed first, then new ones")
	assert.Equal(t, at, address(world.Bytes(s)))
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		s = world.Must(world.Remove(s, ids[3], heroes.MaxVelocity))
		s, _ = world.Must2(world.CreateComponent(s, heroes.MaxVelocity))
		s = world.Must(world.Mount(s, ids[3], heroes.MaxVelocity, 3))
	}))
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
