package heroes_test

import (
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repeat returns n times v.
func repeat[T any](v T, n int) []T { return slices.Repeat([]T{v}, n) }

// mixedMounts returns a world of n objects and rows in which object i has position n-1-i, every
// third one none, and its velocity in order; every position is i+1 along each axis.
func mixedMounts(n int) (world.State, []world.GameObject) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(n), heroes.Velocity.Count(n), heroes.MaxVelocity.Count(n),
		heroes.Instance.Count(n),
	)}))
	s, ids := worldtest.Create(s, n)
	rows := make([]layout.Row, n)
	for i := range rows {
		s, rows[i] = world.Must2(world.CreateComponent(s, heroes.Position))
		v := float32(i + 1)
		s = world.SetRow(s, heroes.Position, rows[i], [3]float32{v, v, v})
	}
	for i, id := range ids {
		if i%3 != 0 {
			s = world.Must(world.Mount(s, id, heroes.Position, rows[n-1-i]))
		}
		s = world.Must(world.Add(s, id, heroes.Velocity))
		s = world.Must(world.Add(s, id, heroes.MaxVelocity))
	}
	return s, ids
}

func TestSeed_D6_UnmountedComponentsAreLeftAlone(t *testing.T) {
	const n = 200
	for name, run := range map[string]struct {
		system func(world.State) world.State
		want   func(float32) float32
	}{
		"Update":  {heroes.Update, func(p float32) float32 { return p * 2 }},
		"MoveAll": {heroes.MoveAll, func(p float32) float32 { return p + 1 }},
		"FlyAll":  {heroes.FlyAll, func(p float32) float32 { return p + 2 }},
	} {
		t.Run(name, func(t *testing.T) {
			s, ids := mixedMounts(n)
			var mounted []layout.Row
			for i := range ids {
				if row := layout.Row(n - 1 - i); i%3 != 0 {
					mounted = append(mounted, row)
				}
			}
			slices.Sort(mounted)
			assert.Equal(t, mounted, slices.Collect(world.All(s, heroes.Position)),
				"all components are the mounted ones, ascending")
			assert.Len(t, mounted, tool.Mounted(s, heroes.Position.Kind()))
			assert.Equal(t, n, tool.MaxIndex(s, heroes.Position.Kind()))

			s = run.system(s)
			for i, got := range layout.Flat[float32](heroes.Position, world.View(s, heroes.Position)) {
				want := float32(i/3 + 1)
				if slices.Contains(mounted, layout.Row(i/3)) {
					want = run.want(want)
				}
				require.Equal(t, want, got, "row %d", i/3)
			}
		})
	}
}

func TestSeed_D6_UnmountedComponentsAreNotDrawn(t *testing.T) {
	s, ids := mixedMounts(10)
	s, mark := world.Must2(world.CreateComponent(s, heroes.Instance))
	r := &worldtest.Recorder{}
	s = heroes.RenderOneByOne(s, r)
	assert.Equal(t, []uint32{1, 2, 4, 5, 7, 8}, r.Ones)
	s = world.Must(world.Mount(s, ids[4], heroes.Instance, mark))
	r = &worldtest.Recorder{}
	s = heroes.RenderOneByOne(s, r)
	assert.Equal(t, []uint32{1, 2, 5, 7, 8}, r.Ones)
	s = heroes.RenderInstances(s, r)
	assert.Equal(t, "instance 1", r.Log[len(r.Log)-1])
	world.Close(s)
}

func TestSeed_D7_GetAndSetOfHeroes(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(3), heroes.Velocity.Count(3), heroes.MaxVelocity.Count(3),
	)}))
	for range 3 {
		s, _ = world.Must2(world.CreateComponent(s, heroes.Position))
		s, _ = world.Must2(world.CreateComponent(s, heroes.Velocity))
		s, _ = world.Must2(world.CreateComponent(s, heroes.MaxVelocity))
	}
	s = world.SetRow(s, heroes.Position, 1, [3]float32{7, 8, 9})
	s = world.SetRow(s, heroes.Velocity, 1, 5)
	s = world.SetRow(s, heroes.MaxVelocity, 1, 6)
	assert.Equal(t, [][3]float32{{}, {7, 8, 9}, {}}, world.View(s, heroes.Position))
	assert.Equal(t, []float32{1, 5, 1}, world.View(s, heroes.Velocity))
	assert.Equal(t, []float32{10, 6, 10}, world.View(s, heroes.MaxVelocity))
	assert.Equal(t, [3]float32{7, 8, 9}, world.GetRow(s, heroes.Position, 1))
	assert.Equal(t, [3]float32{}, world.GetRow(s, heroes.Position, 2))
	assert.Equal(t, []float32{5, 1}, []float32{world.GetRow(s, heroes.Velocity, 1), world.GetRow(s, heroes.Velocity, 2)})
	assert.Equal(t, []float32{6, 10}, []float32{world.GetRow(s, heroes.MaxVelocity, 1), world.GetRow(s, heroes.MaxVelocity, 2)})
}

func TestSeed_D8_TheSystemCallsTheManagersBatch(t *testing.T) {
	const n = 150
	s, _ := mixedMounts(n)
	alone := manager.PositionsOf(&world.Must(manager.NewArena(manager.Sizes{
		Objects: n, Kinds: layout.Kinds(manager.Position.Count(n)),
	})).Managers[0])
	copy(alone.XYZ(), layout.Flat[float32](heroes.Position, world.View(s, heroes.Position)))
	for range n {
		world.Must(alone.Create())
	}
	for row := range world.All(s, heroes.Position) {
		id, ok := world.ObjectOf(s, heroes.Position, row)
		require.True(t, ok)
		require.NoError(t, alone.Mount(id.Index(), row))
	}
	alone.Update()
	s = heroes.Update(s)
	assert.Equal(t, alone.Buffer(), tool.Buffer(s, heroes.Position.Kind()))
	assert.Equal(t, repeat[float32](1, n), world.View(s, heroes.Velocity), "other kinds stay")
	assert.Equal(t, repeat[float32](10, n), world.View(s, heroes.MaxVelocity))
}

func TestSeed_D10_InstanceMarksHaveUIDs(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(4), heroes.Instance.Count(4),
	)}))
	s, ids := worldtest.Create(s, 4)
	for want := range layout.Row(3) {
		var uid layout.Row
		s, uid = world.Must2(world.CreateComponent(s, heroes.Instance))
		assert.Equal(t, want, uid, "0, 1, 2, …")
	}
	for _, id := range ids {
		s = world.Must(world.Add(s, id, heroes.Position))
	}
	s = world.Must(world.Mount(s, ids[3], heroes.Instance, 1))
	s = world.Must(world.Mount(s, ids[1], heroes.Instance, 2))
	for id, uid := range map[world.GameObject]layout.Row{ids[3]: 1, ids[1]: 2} {
		assert.Equal(t, uid, world.Must(world.RowOf(s, id, heroes.Instance)))
		owner, ok := world.ObjectOf(s, heroes.Instance, uid)
		assert.True(t, ok)
		assert.Equal(t, id, owner)
	}
	_, ok := world.ObjectOf(s, heroes.Instance, 0)
	assert.False(t, ok)
	assert.Equal(t, []layout.Row{1, 2}, slices.Collect(world.All(s, heroes.Instance)))
	assert.Empty(t, tool.Buffer(s, heroes.Instance), "no data")

	r := &worldtest.Recorder{}
	s = heroes.RenderOneByOne(s, r)
	assert.Equal(t, []uint32{0, 2}, r.Ones)
	s = heroes.RenderInstances(s, r)
	total := 0
	for _, call := range r.Calls {
		total += len(call) / 12
	}
	assert.Equal(t, 2, total, "objects with the mark are drawn in the batch")
	world.Close(s)
}

func TestSeed_D13_JumpIsOneNewSystem(t *testing.T) {
	const n = 150
	s, ids := mixedMounts(n)
	for i, id := range ids {
		if i%7 == 0 {
			s = world.Must(world.Remove(s, id, heroes.Velocity))
			continue
		}
		s = world.SetRow(s, heroes.Velocity, world.Must(world.RowOf(s, id, heroes.Velocity)), float32(i)+0.5)
	}
	want, speed := slices.Clone(layout.Flat[float32](heroes.Position, world.View(s, heroes.Position))), slices.Clone(world.View(s, heroes.Velocity))
	for i, id := range ids {
		if i%7 != 0 && i%3 != 0 { // has both
			want[3*world.Must(world.RowOf(s, id, heroes.Position))+1] += 2 * (float32(i) + 0.5)
		}
	}
	s = worldtest.Jump(s)
	assert.Equal(t, want, layout.Flat[float32](heroes.Position, world.View(s, heroes.Position)), "y of those that have both")
	assert.Equal(t, speed, world.View(s, heroes.Velocity))
	assert.Equal(t, repeat[float32](10, n), world.View(s, heroes.MaxVelocity))
}
