package world_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// flying returns a world of one object at p with a velocity and a maximum, and its rows, all 0.
func flying(p [3]float32, v, limit float32) world.State {
	s := must(world.CreateState(world.Counts{Positions: 1, Velocities: 1, Flies: 1}))
	s, ids := create(s, 1)
	s, _ = made(world.AddPosition(s, ids[0]))
	s, _ = made(world.AddVelocity(s, ids[0]))
	s, _ = made(world.AddFly(s, ids[0]))
	s = world.SetPosition(s, 0, p)
	s = world.SetVelocity(s, 0, v)
	return world.SetMaxVelocity(s, 0, limit)
}

func TestSeed_D11_Formulas(t *testing.T) {
	move := func(s world.State) world.State { return world.Move(s, 0, 0) }
	fly := func(s world.State) world.State { return world.Fly(s, 0, 0, 0) }
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
		{"move all", world.MoveAll, [3]float32{1, 2, 3}, 2.5, 10, [3]float32{3.5, 4.5, 5.5}},
		{"fly by default", fly, [3]float32{}, 1, 10, [3]float32{2, 2, 2}},
		{"fly above the maximum", fly, [3]float32{}, 8, 10, [3]float32{16, 16, 16}},
		{"fly at the maximum", fly, [3]float32{1, 2, 3}, 10, 10, [3]float32{11, 12, 13}},
		{"fly beyond the maximum", fly, [3]float32{1, 2, 3}, 12, 10, [3]float32{11, 12, 13}},
		{"fly back", fly, [3]float32{1, 2, 3}, -2, 10, [3]float32{-3, -2, -1}},
		{"fly all", world.FlyAll, [3]float32{}, 8, 10, [3]float32{16, 16, 16}},
		{"fly all beyond", world.FlyAll, [3]float32{}, 12, 10, [3]float32{10, 10, 10}},
		{"update", world.Update, [3]float32{1, -2, 0.5}, 1, 10, [3]float32{2, -4, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.run(flying(c.p, c.v, c.limit))
			assert.Equal(t, c.want, world.PositionAt(s, 0))
			assert.Equal(t, []float32{c.v}, world.View(s, world.Speed), "velocity is not written")
			assert.Equal(t, []float32{c.limit}, world.View(s, world.MaxVelocity))
		})
	}
}

func TestSeed_D11_OneHeroAtATime(t *testing.T) {
	s := must(world.CreateState(world.Counts{Positions: 3, Velocities: 3, Flies: 3}))
	for range 3 {
		s, _ = made(world.CreatePosition(s))
		s, _ = made(world.CreateVelocity(s))
		s, _ = made(world.CreateFly(s))
	}
	s = world.SetVelocity(s, 2, 4)
	s = world.SetMaxVelocity(s, 0, 3)
	s = world.Move(s, 1, 2)
	assert.Equal(t, []float32{0, 0, 0, 4, 4, 4, 0, 0, 0}, layout.Flat[float32](world.XYZ, world.View(s, world.XYZ)))
	s = world.Fly(s, 0, 2, 0)
	assert.Equal(t, []float32{3, 3, 3, 4, 4, 4, 0, 0, 0}, layout.Flat[float32](world.XYZ, world.View(s, world.XYZ)))
	s = world.Fly(s, 2, 0, 1)
	assert.Equal(t, []float32{3, 3, 3, 4, 4, 4, 2, 2, 2}, layout.Flat[float32](world.XYZ, world.View(s, world.XYZ)))
}

// Systems for all take those that have every kind, wherever their rows are.
func TestSeed_D11_AllHeroesThatHaveTheKinds(t *testing.T) {
	const n = 300
	s := must(world.CreateState(world.Counts{Positions: n, Velocities: n, Flies: n}))
	s, ids := create(s, n)
	for i := range ids {
		id := ids[i*7%n] // scattered
		if i%2 == 0 {
			s, _ = made(world.AddVelocity(s, id))
		}
		if i%5 != 0 {
			s, _ = made(world.AddFly(s, id))
		}
		s, _ = made(world.AddPosition(s, id))
	}
	s = world.FlyAll(world.MoveAll(s))
	for i, id := range ids {
		var want float32
		if world.HasVelocity(s, id) {
			want = 1
			if world.HasFly(s, id) {
				want = 3
			}
		}
		require.Equal(t, [3]float32{want, want, want}, must(world.Get(s, id, world.XYZ)), "object %d", i)
	}
}

func TestSeed_D11_RenderByMark(t *testing.T) {
	s := must(world.CreateState(world.Counts{Positions: 4}))
	s, ids := create(s, 4)
	for _, id := range ids {
		s, _ = made(world.AddPosition(s, id))
	}
	s, _ = made(world.AddInstance(s, ids[1]))
	s, _ = made(world.AddInstance(s, ids[2]))
	r := &recorder{}
	s = world.RenderInstances(world.RenderOneByOne(s, r), r)
	assert.Equal(t, []string{"one 0 1", "one 3 1", "instance 2"}, r.log)
	s = must(world.RemoveInstance(s, ids[1]))
	r = &recorder{}
	s = world.RenderInstances(world.RenderOneByOne(s, r), r)
	assert.Equal(t, []string{"one 0 1", "one 1 1", "one 3 1", "instance 1"}, r.log)
	world.Close(s)
}

// heroesScene is the documents' scene: two normal heroes, which are drawn as instances, and two
// super heroes, which fly; each is created, and then mounted. The first of each kind has moved, the
// first super hero has flown.
func heroesScene() (world.State, []world.GameObject) {
	s := must(world.CreateState(world.Counts{Positions: 10, Velocities: 10, Flies: 10}))
	var ids []world.GameObject
	for i := range 4 {
		var id world.GameObject
		s, id = newHero(s, i >= 2)
		if i%2 == 0 {
			s = world.Move(s, must(world.PositionOf(s, id)), must(world.VelocityOf(s, id)))
		}
		ids = append(ids, id)
	}
	s = world.Fly(s, must(world.PositionOf(s, ids[2])), must(world.VelocityOf(s, ids[2])),
		must(world.FlyOf(s, ids[2])))
	return s, ids
}

// newHero creates a hero of the scene: a super hero flies, a normal hero is drawn as an instance.
func newHero(s world.State, super bool) (world.State, world.GameObject) {
	s, id := made(world.CreateGameObject(s))
	s, position := made(world.CreatePosition(s))
	s, velocity := made(world.CreateVelocity(s))
	s = must(world.MountPosition(s, id, position))
	s = must(world.MountVelocity(s, id, velocity))
	if super {
		s, fly := made(world.CreateFly(s))
		return must(world.MountFly(s, id, fly)), id
	}
	s, mark := made(world.CreateInstance(s))
	return must(world.MountInstance(s, id, mark)), id
}

func TestSeed_D12_TheHeroesSceneThroughTheWorld(t *testing.T) {
	s, ids := heroesScene()
	assert.Equal(t, []uint32{0, 1, 2, 3}, indexes(ids))
	r := &recorder{}
	s = world.Init(s, r)
	assert.Equal(t, []string{"init"}, r.log)
	frame := func(s world.State) world.State { return world.Frame(s, r) }
	for k := 1; k <= 10; k++ {
		r.log = nil
		s = world.Loop(s, 1, frame)
		assert.Equal(t, []string{"one 2 1", "one 3 1", "instance 2"}, r.log,
			"super heroes one by one, then the normal ones in one call")
		p := float32(int(1) << k)
		want := slices.Concat(repeat(p, 3), repeat[float32](0, 3), repeat(3*p, 3), repeat[float32](0, 21))
		require.Equal(t, want, layout.Flat[float32](world.XYZ, world.View(s, world.XYZ)), "after frame %d", k)
	}
	assert.Equal(t, repeat[float32](1, 10), world.View(s, world.Speed))
	assert.Equal(t, repeat[float32](10, 10), world.View(s, world.MaxVelocity))
	assert.Equal(t, 4, world.MaxUID(s))
	for kind, want := range map[world.Kind]int{
		world.PositionKind: 4, world.VelocityKind: 4, world.FlyKind: 2, world.InstanceKind: 2,
	} {
		assert.Equal(t, want, world.MaxIndex(s, kind), kind)
		assert.Equal(t, want, world.Mounted(s, kind), kind)
	}
	world.Close(s)
}

func TestSeed_D12_LoopRunsAsManyFramesAsAsked(t *testing.T) {
	for _, frames := range []int{0, 1, 2, 7} {
		t.Run(fmt.Sprint(frames), func(t *testing.T) {
			s, _ := heroesScene()
			r := &recorder{}
			s = world.Loop(s, frames, func(s world.State) world.State { return world.Frame(s, r) })
			assert.Len(t, r.calls, frames)
			p := float32(int(3) << frames)
			assert.Equal(t, [3]float32{p, p, p}, world.PositionAt(s, 2))
		})
	}
}

// The chapter's new behaviour, one system more and nothing else: a jump is up by twice the velocity.
var jumpers = world.NewQuery(world.Write(world.XYZ), world.Read(world.Speed))

func jump(s world.State) world.State {
	for b := range jumpers.In(s) {
		p, v := world.Column(b, world.XYZ), world.Column(b, world.Speed)
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
			s = must(world.RemoveVelocity(s, id))
			continue
		}
		s = world.SetVelocity(s, must(world.VelocityOf(s, id)), float32(i)+0.5)
	}
	want, speed := slices.Clone(layout.Flat[float32](world.XYZ, world.View(s, world.XYZ))), slices.Clone(world.View(s, world.Speed))
	for i, id := range ids {
		if i%7 != 0 && i%3 != 0 { // has both
			want[3*must(world.PositionOf(s, id))+1] += 2 * (float32(i) + 0.5)
		}
	}
	s = jump(s)
	assert.Equal(t, want, layout.Flat[float32](world.XYZ, world.View(s, world.XYZ)), "y of those that have both")
	assert.Equal(t, speed, world.View(s, world.Speed))
	assert.Equal(t, repeat[float32](10, n), world.View(s, world.MaxVelocity))
}
