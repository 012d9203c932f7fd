package heroes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/scenetest"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

// D10, D11 with real drawing: one call for all instances, one for each super hero.
func TestSeed_D11_TheSwarmIsDrawnInOneCallAndTheSupersOneByOne(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 20_000, Supers: 30, Seed: 2})
	c := scenetest.NewCanvas()
	for range 3 {
		s = p.Step(s, 0)
		c.Begin()
		s = p.Scene.Draw(s, c)
		report := world.Must(c.End())
		assert.Equal(t, render.Report{
			DrawCalls: 31, Batches: 1, Instances: 20_000, Singles: 30, Bytes: 20_030 * 12,
		}, report)
	}
	assert.Contains(t, look().Styles, c.Batches[0].Kind)
	for _, object := range c.Objects {
		id := world.Must(tool.GameObjectAt(s, object))
		assert.True(t, world.Has(s, id, heroes.MaxVelocity))
		assert.False(t, world.Has(s, id, heroes.Instance))
	}
}

// Move adds the velocity, and Fly twice of it, as in the story.
func TestSeed_D11_MoveAndFly(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 1, Supers: 1, Seed: 1})
	xyz, v := layout.Flat[float32](heroes.Position, world.View(s, heroes.Position)), world.View(s, heroes.Velocity)
	want := []float32{xyz[1] + v[0], xyz[4] + v[1]}
	want[1] += 2 * v[1]
	_ = p.Step(s, 0)
	assert.Equal(t, want, []float32{xyz[1], xyz[4]}, "a normal hero moves, a super hero flies too")
}

func TestHeroesTurnAtTheBound(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Supers: 20, Seed: 8})
	turns, before := 0, make([]float32, 20)
	for range 2000 {
		copy(before, world.View(s, heroes.Velocity))
		s = p.Step(s, 0)
		for i, v := range world.View(s, heroes.Velocity) {
			if v != before[i] {
				require.InDelta(t, -before[i], v, 0)
				turns++
			}
		}
	}
	assert.Greater(t, turns, 100)
}

func TestRotation(t *testing.T) {
	for _, angle := range []float64{0, .01, .5, 1.5, 3} {
		by := rotation(float32(math.Tan(angle / 2)))
		assert.InDelta(t, math.Cos(angle), by[0], 1e-6)
		assert.InDelta(t, math.Sin(angle), by[1], 1e-6)
		v := rotate([2]float32{1, 0}, by)
		assert.InDelta(t, 1, math.Hypot(float64(v[0]), float64(v[1])), 1e-6)
	}
	assert.Equal(t, [2]float32{1, 0}, unit(0, 0))
}

func TestTheViewGoesAround(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 10})
	look := p.Scene.Look()
	p.Scene.Aim(s, &look)
	before := look.Camera.(*render.Orbit).Yaw
	for range 60 {
		s = p.Step(s, 0)
	}
	p.Scene.Aim(s, &look)
	assert.Greater(t, look.Camera.(*render.Orbit).Yaw, before)
	look.Camera = render.Flat{}
	p.Scene.Aim(s, &look) // another camera is left alone
}

// A line ends where the hero is after half a second, but for the bends of the way.
func TestSeed_B6_LinesFromTheSuperHeroes(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 100, Supers: 20, Seed: 3})
	s = p.Step(s, 0)
	g := stage.NewGizmos(20)
	s = p.Scene.DrawGizmos(s, g)
	require.Equal(t, 20, g.Len())
	lines := append([]byte(nil), g.Bytes()...)
	for range 30 {
		s = p.Step(s, 0)
	}
	i, near := 0, 0
	for b := range heading.In(s) {
		for _, at := range world.Column(b, heroes.Position) {
			far := float32(0)
			for axis, x := range render.PositionAt(lines, 2*i+1) {
				far = max(far, x-at[axis], at[axis]-x)
			}
			if far < 12 {
				near++
			}
			i++
		}
	}
	assert.Equal(t, 20, i)
	assert.Greater(t, near, 14, "some have turned at a bound")
}
