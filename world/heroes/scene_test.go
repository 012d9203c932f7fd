package heroes_test

import (
	"bytes"
	"fmt"
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

// flying returns a world of one object at p with a velocity and a maximum, and its rows, all 0.
func flying(p [3]float32, v, limit float32) world.State {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(1), heroes.Velocity.Count(1), heroes.MaxVelocity.Count(1),
	)}))
	s, ids := worldtest.Create(s, 1)
	s = world.Must(world.Add(s, ids[0], heroes.Position))
	s = world.Must(world.Add(s, ids[0], heroes.Velocity))
	s = world.Must(world.Add(s, ids[0], heroes.MaxVelocity))
	s = world.SetRow(s, heroes.Position, 0, p)
	s = world.SetRow(s, heroes.Velocity, 0, v)
	return world.SetRow(s, heroes.MaxVelocity, 0, limit)
}

func TestSeed_D11_Formulas(t *testing.T) {
	move := func(s world.State) world.State { return heroes.Move(s, 0, 0) }
	fly := func(s world.State) world.State { return heroes.Fly(s, 0, 0, 0) }
	for _, c := range []struct {
		name     string
		run      func(world.State) world.State
		p        [3]float32
		v, limit float32
		want     [3]float32
	}{
		{"move by default", move, [3]float32{}, 1, 10, [3]float32{1, 1, 1}},
		{"move", move, [3]float32{1, 2, 3}, 2.5, 10, [3]float32{3.5, 4.5, 5.5}},
		{"move back", move, [3]float32{1, 2, 3}, -4, 10, [3]float32{-3, -2, -1}},
		{"move all", heroes.MoveAll, [3]float32{1, 2, 3}, 2.5, 10, [3]float32{3.5, 4.5, 5.5}},
		{"fly by default", fly, [3]float32{}, 1, 10, [3]float32{2, 2, 2}},
		{"fly above the maximum", fly, [3]float32{}, 8, 10, [3]float32{16, 16, 16}},
		{"fly at the maximum", fly, [3]float32{1, 2, 3}, 10, 10, [3]float32{11, 12, 13}},
		{"fly beyond the maximum", fly, [3]float32{1, 2, 3}, 12, 10, [3]float32{11, 12, 13}},
		{"fly back", fly, [3]float32{1, 2, 3}, -2, 10, [3]float32{-3, -2, -1}},
		{"fly all", heroes.FlyAll, [3]float32{}, 8, 10, [3]float32{16, 16, 16}},
		{"fly all beyond", heroes.FlyAll, [3]float32{}, 12, 10, [3]float32{10, 10, 10}},
		{"update", heroes.Update, [3]float32{1, -2, 0.5}, 1, 10, [3]float32{2, -4, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.run(flying(c.p, c.v, c.limit))
			assert.Equal(t, c.want, world.GetRow(s, heroes.Position, 0))
			assert.Equal(t, []float32{c.v}, world.View(s, heroes.Velocity), "velocity is not written")
			assert.Equal(t, []float32{c.limit}, world.View(s, heroes.MaxVelocity))
		})
	}
}

// threeOfEach returns a world with three positions, velocities and flies, on no object.
func threeOfEach() world.State {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(3), heroes.Velocity.Count(3), heroes.MaxVelocity.Count(3),
	)}))
	for range 3 {
		s, _ = world.Must2(world.CreateComponent(s, heroes.Position))
		s, _ = world.Must2(world.CreateComponent(s, heroes.Velocity))
		s, _ = world.Must2(world.CreateComponent(s, heroes.MaxVelocity))
	}
	return s
}

func TestSeed_D11_OneHeroAtATime(t *testing.T) {
	s := threeOfEach()
	s = world.SetRow(s, heroes.Velocity, 2, 4)
	s = world.SetRow(s, heroes.MaxVelocity, 0, 3)
	s = heroes.Move(s, 1, 2)
	assert.Equal(t, []float32{0, 0, 0, 4, 4, 4, 0, 0, 0}, layout.Flat[float32](heroes.Position, world.View(s, heroes.Position)))
	s = heroes.Fly(s, 0, 2, 0)
	assert.Equal(t, []float32{3, 3, 3, 4, 4, 4, 0, 0, 0}, layout.Flat[float32](heroes.Position, world.View(s, heroes.Position)))
	s = heroes.Fly(s, 2, 0, 1)
	assert.Equal(t, []float32{3, 3, 3, 4, 4, 4, 2, 2, 2}, layout.Flat[float32](heroes.Position, world.View(s, heroes.Position)))
}

// Systems for all objects process the objects that have every kind, wherever their rows are.
func TestSeed_D11_AllHeroesThatHaveTheKinds(t *testing.T) {
	const n = 300
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(n), heroes.Velocity.Count(n), heroes.MaxVelocity.Count(n),
	)}))
	s, ids := worldtest.Create(s, n)
	for i := range ids {
		id := ids[i*7%n] // scattered
		if i%2 == 0 {
			s = world.Must(world.Add(s, id, heroes.Velocity))
		}
		if i%5 != 0 {
			s = world.Must(world.Add(s, id, heroes.MaxVelocity))
		}
		s = world.Must(world.Add(s, id, heroes.Position))
	}
	s = heroes.FlyAll(heroes.MoveAll(s))
	for i, id := range ids {
		var want float32
		if world.Has(s, id, heroes.Velocity) {
			want = 1
			if world.Has(s, id, heroes.MaxVelocity) {
				want = 3
			}
		}
		require.Equal(t, [3]float32{want, want, want}, world.Must(world.Get(s, id, heroes.Position)), "object %d", i)
	}
}

func TestSeed_D11_RenderByMark(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(4), heroes.Instance.Count(4))}))
	s, ids := worldtest.Create(s, 4)
	for _, id := range ids {
		s = world.Must(world.Add(s, id, heroes.Position))
	}
	s = world.Must(world.Add(s, ids[1], heroes.Instance))
	s = world.Must(world.Add(s, ids[2], heroes.Instance))
	r := &worldtest.Recorder{}
	s = heroes.RenderInstances(heroes.RenderOneByOne(s, r), r)
	assert.Equal(t, []string{"one 0 1", "one 3 1", "instance 2"}, r.Log)
	s = world.Must(world.Remove(s, ids[1], heroes.Instance))
	r = &worldtest.Recorder{}
	s = heroes.RenderInstances(heroes.RenderOneByOne(s, r), r)
	assert.Equal(t, []string{"one 0 1", "one 1 1", "one 3 1", "instance 1"}, r.Log)
	world.Close(s)
}

// heroesScene is the documents' scene: two normal heroes, which are drawn as instances, and two
// super heroes, which fly; each is created, and then mounted. The first of each kind has moved, the
// first super hero has flown.
func heroesScene() (world.State, []world.GameObject) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(10), heroes.Velocity.Count(10), heroes.MaxVelocity.Count(10),
		heroes.Instance.Count(10),
	)}))
	var ids []world.GameObject
	for i := range 4 {
		var id world.GameObject
		s, id = newHero(s, i >= 2)
		if i%2 == 0 {
			s = heroes.Move(s, world.Must(world.RowOf(s, id, heroes.Position)), world.Must(world.RowOf(s, id, heroes.Velocity)))
		}
		ids = append(ids, id)
	}
	s = heroes.Fly(s, world.Must(world.RowOf(s, ids[2], heroes.Position)), world.Must(world.RowOf(s, ids[2], heroes.Velocity)),
		world.Must(world.RowOf(s, ids[2], heroes.MaxVelocity)))
	return s, ids
}

// newHero creates a hero of the scene: a super hero flies, a normal hero is drawn as an instance.
func newHero(s world.State, super bool) (world.State, world.GameObject) {
	s, id := world.Must2(world.Create(s))
	s, position := world.Must2(world.CreateComponent(s, heroes.Position))
	s, velocity := world.Must2(world.CreateComponent(s, heroes.Velocity))
	s = world.Must(world.Mount(s, id, heroes.Position, position))
	s = world.Must(world.Mount(s, id, heroes.Velocity, velocity))
	if super {
		s, fly := world.Must2(world.CreateComponent(s, heroes.MaxVelocity))
		return world.Must(world.Mount(s, id, heroes.MaxVelocity, fly)), id
	}
	s, mark := world.Must2(world.CreateComponent(s, heroes.Instance))
	return world.Must(world.Mount(s, id, heroes.Instance, mark)), id
}

func TestSeed_D12_TheHeroesSceneThroughTheWorld(t *testing.T) {
	s, ids := heroesScene()
	for i, id := range ids {
		assert.EqualValues(t, i, id.Index())
	}
	r := &worldtest.Recorder{}
	s = heroes.Init(s, r)
	assert.Equal(t, []string{"init"}, r.Log)
	frame := func(s world.State) world.State { return worldtest.Frame(s, r) }
	for k := 1; k <= 10; k++ {
		r.Log = nil
		s = heroes.Loop(s, 1, frame)
		assert.Equal(t, []string{"one 2 1", "one 3 1", "instance 2"}, r.Log,
			"super heroes one by one, then the normal ones in one call")
		p := float32(int(1) << k)
		want := slices.Concat(repeat(p, 3), repeat[float32](0, 3), repeat(3*p, 3), repeat[float32](0, 21))
		require.Equal(t, want, layout.Flat[float32](heroes.Position, world.View(s, heroes.Position)), "after frame %d", k)
	}
	assert.Equal(t, repeat[float32](1, 10), world.View(s, heroes.Velocity))
	assert.Equal(t, repeat[float32](10, 10), world.View(s, heroes.MaxVelocity))
	assert.Equal(t, 4, tool.MaxUID(s))
	for kind, want := range map[layout.Kind]int{
		heroes.Position.Kind(): 4, heroes.Velocity.Kind(): 4, heroes.MaxVelocity.Kind(): 2, heroes.Instance: 2,
	} {
		assert.Equal(t, want, tool.MaxIndex(s, kind), kind)
		assert.Equal(t, want, tool.Mounted(s, kind), kind)
	}
	world.Close(s)
}

func TestSeed_D12_LoopRunsAsManyFramesAsAsked(t *testing.T) {
	for _, frames := range []int{0, 1, 2, 7} {
		t.Run(fmt.Sprint(frames), func(t *testing.T) {
			s, _ := heroesScene()
			r := &worldtest.Recorder{}
			s = heroes.Loop(s, frames, func(s world.State) world.State { return worldtest.Frame(s, r) })
			assert.Len(t, r.Calls, frames)
			p := float32(int(3) << frames)
			assert.Equal(t, [3]float32{p, p, p}, world.GetRow(s, heroes.Position, 2))
		})
	}
}

func TestSeed_D_Fault_MaxVelocityIsTen(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.MaxVelocity.Count(3))}))
	assert.Equal(t, []float32{10, 10, 10}, world.View(s, heroes.MaxVelocity), "not 1")
}

// A state in the listing looks immutable, and shares its buffer with the one it was made from.
func TestSeed_D_Fault_ACopyIsACopy(t *testing.T) {
	s, ids := heroesScene()
	copied := world.Must(world.Clone(s))
	assert.Equal(t, world.Bytes(s), world.Bytes(copied))
	for _, kind := range []layout.Kind{heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind()} {
		assert.NotSame(t, &tool.Buffer(s, kind)[0], &tool.Buffer(copied, kind)[0])
	}
	before := bytes.Clone(world.Bytes(s))
	copied = heroes.FlyAll(heroes.MoveAll(heroes.Update(copied)))
	copied = world.Must(world.Dispose(copied, ids[0]))
	copied = world.Must(world.Add(copied, ids[1], heroes.MaxVelocity))
	copied = world.SetRow(copied, heroes.Velocity, 1, 5)
	assert.Equal(t, before, world.Bytes(s), "the original stays as it was")
	world.Close(copied)
	assert.Equal(t, before, world.Bytes(s), "also when the copy ends")
	world.Close(s)
}

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
	s := threeOfEach()
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
	assert.Equal(t, alone.Data.Buffer(), tool.Buffer(s, heroes.Position.Kind()))
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

var jumpers = world.NewQuery(world.Write(heroes.Position), world.Read(heroes.Velocity))

// jump is the chapter's new behaviour, one system more and nothing else: a jump is up by twice the
// velocity.
func jump(s world.State) world.State {
	for b := range jumpers.In(s) {
		p, v := world.Column(b, heroes.Position), world.Column(b, heroes.Velocity)
		for i := range p {
			p[i][1] += v[i] * 2
		}
	}
	return s
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
	s = jump(s)
	assert.Equal(t, want, layout.Flat[float32](heroes.Position, world.View(s, heroes.Position)), "y of those that have both")
	assert.Equal(t, speed, world.View(s, heroes.Velocity))
	assert.Equal(t, repeat[float32](10, n), world.View(s, heroes.MaxVelocity))
}
