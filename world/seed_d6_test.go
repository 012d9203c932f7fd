package world_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

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
	reader := world.Open(s, d7Score)
	score, ok := reader.At(ids[2])
	assert.True(t, ok)
	assert.Equal(t, [2]uint16{50, 60}, score)
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
	alone := manager.PositionsOf(world.Must(manager.New(manager.Position.Kind(), n, n)))
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

func TestSeed_D8_OtherComponentsHaveABatchToo(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{d9Names.Count(4)}}))
	s, ids := worldtest.Create(s, 3)
	for _, id := range []world.GameObject{ids[2], ids[0]} {
		s = world.Must(world.Add(s, id, d9Names))
	}
	s, loose := world.Must2(world.CreateComponent(s, d9Names))
	assert.Equal(t, []layout.Row{0, 1}, slices.Collect(world.All(s, d9Names)))
	s = world.Must(world.SetValue(s, ids[2], d9Names, "c"))
	s = world.UpdateValues(s, d9Names, func(name string) string { return name + "!" })
	assert.Equal(t, "c!", world.Must(world.ValueOf(s, ids[2], d9Names)))
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
