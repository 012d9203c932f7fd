package cubes

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/scenetest"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

func optionsOf(count int, variant string) scene.Options {
	return scene.Options{Count: count, Seed: 7, Variant: variant}
}

var everyCube = world.NewQuery(
	world.Read(Transform, RigidBody, Gravity), world.With(Cube))

func TestSeed_C7_TheCubesAreDrawnAsTheDocumentSays(t *testing.T) {
	_, s := scenetest.Open(t, Scene, optionsOf(Scene.Defaults.Count, ""))
	assert.Equal(t, 10_000, everyCube.Count(s))
	size := float32(0)
	type span struct{ lo, hi float32 }
	var pulls, places, turns span
	see := func(s *span, x float32) { s.lo, s.hi = min(s.lo, x), max(s.hi, x) }
	pulls.hi = -10
	turns.lo = 3
	for b := range everyCube.In(s) {
		for i := range b.Len() {
			force := world.Column(b, force)[i]
			see(&pulls, force[1])
			require.Equal(t, [3]float32{0, force[1], 0}, force)
			for axis := range 3 {
				see(&places, world.Column(b, position)[i][axis])
				see(&turns, world.Column(b, rotation)[i][axis])
			}
			scale := world.Column(b, scale)[i]
			if size == 0 {
				size = scale[0]
			}
			require.Equal(t, [3]float32{size, size, size}, scale, "one scale for all")
			require.Zero(t, world.Column(b, velocity)[i])
			require.Zero(t, world.Column(b, acceleration)[i])
		}
	}
	assert.True(t, size >= 3 && size < 5, size)
	for _, c := range []struct {
		got    span
		lo, hi float32
	}{{pulls, -10, -1}, {places, -100, 100}, {turns, 0, 3}} {
		assert.GreaterOrEqual(t, c.got.lo, c.lo)
		assert.Less(t, c.got.hi, c.hi)
		assert.InDelta(t, c.lo, c.got.lo, 0.1)
		assert.InDelta(t, c.hi, c.got.hi, 0.1)
	}
}

// drawCubes is what the document's random numbers are, in its order.
func drawCubes(t *testing.T, s world.State, n int) (forces, places, turns [][3]float32) {
	t.Helper()
	s = world.Must(world.Clone(s))
	_, r := world.NextStream(systems.SetSeed(s, 7))
	r.Range(3, 5)
	for range n {
		forces = append(forces, [3]float32{0, r.Range(-10, -1), 0})
		places = append(places, [3]float32{
			r.Range(-100, 100), r.Range(-100, 100), r.Range(-100, 100),
		})
		turns = append(turns, [3]float32{r.Range(0, 3), r.Range(0, 3), r.Range(0, 3)})
	}
	return forces, places, turns
}

func TestSeed_C7_EveryCubeFallsByItsGravity(t *testing.T) {
	const n, steps = 300, 600
	p, s := scenetest.Open(t, Scene, optionsOf(n, ""))
	forces, places, turns := drawCubes(t, s, n)
	var speeds [n][3]float32
	for step := range steps {
		dt := scene.StepSeconds
		if step == 0 {
			dt = 0
		}
		for i := range n {
			for axis := range 3 {
				places[i][axis] += float32(speeds[i][axis] * dt)
				speeds[i][axis] += float32(forces[i][axis] * dt)
			}
		}
		s = p.Step(s, 0)
	}
	left := map[[3]float32]int{} // cubes by their places: they lie in the order of their ids
	for i, at := range places {
		left[at] = i
	}
	require.Len(t, left, n)
	for b := range everyCube.In(s) {
		for k := range b.Len() {
			i, ok := left[world.Column(b, position)[k]]
			require.True(t, ok, "no cube falls to %v", world.Column(b, position)[k])
			delete(left, places[i])
			require.Equal(t, speeds[i], world.Column(b, velocity)[k], "cube %d", i)
			require.Equal(t, turns[i], world.Column(b, rotation)[k], "cube %d", i)
		}
	}
	assert.Empty(t, left)
}

func TestSeed_C7_TheFirstStepTakesNoTime(t *testing.T) {
	p, s := scenetest.Open(t, Scene, optionsOf(10, ""))
	places := bytes.Clone(tool.Buffer(s, Transform))
	speeds := bytes.Clone(tool.Buffer(s, RigidBody))
	s = p.Step(s, 0)
	assert.Equal(t, places, tool.Buffer(s, Transform))
	assert.Equal(t, speeds, tool.Buffer(s, RigidBody))
	s = p.Step(s, 0)
	assert.Equal(t, places, tool.Buffer(s, Transform), "position first, by a velocity of 0")
	assert.NotEqual(t, speeds, tool.Buffer(s, RigidBody))
	s = p.Step(s, 0)
	assert.NotEqual(t, places, tool.Buffer(s, Transform))
}

func TestSeed_C7_TheCameraFallsAndTheCubesStand(t *testing.T) {
	p, s := scenetest.Open(t, Scene, optionsOf(100, FallingCamera))
	camera := only(t, s, Camera)
	at := func() [3]float32 {
		return world.Must(world.Get(s, camera, position))
	}
	cubes := func() (all [][3]float32) {
		for b := range world.NewQuery(world.Read(position), world.With(Cube)).In(s) {
			all = append(all, world.Column(b, position)...)
		}
		return all
	}
	_, want, _ := drawCubes(t, s, 100)
	for range 60 {
		s = p.Step(s, 0)
	}
	assert.Equal(t, want, cubes(), "the cubes of the other variant, where they began")
	assert.Less(t, at()[1], float32(-0.4))
	assert.Equal(t, []float32{0, distance}, []float32{at()[0], at()[2]})

	p, s = scenetest.Open(t, Scene, optionsOf(100, ""))
	camera = only(t, s, Camera)
	for range 60 {
		s = p.Step(s, 0)
	}
	assert.Equal(t, [3]float32{0, 0, distance}, at(), "it stands where the cubes fall")
}

// only returns the one object that has a kind.
func only(t *testing.T, s world.State, k layout.Kind) world.GameObject {
	t.Helper()
	require.Equal(t, 1, tool.Mounted(s, k))
	for id := range world.NewQuery(world.With(k)).Objects(s) {
		return id
	}
	return 0
}

func TestSeed_C7_AllCubesAreDrawnInOneCall(t *testing.T) {
	for _, variant := range []string{"", FallingCamera, Rain} {
		p, s := scenetest.Open(t, Scene, optionsOf(10_000, variant))
		look, c := p.Scene.Look(), scenetest.NewCanvas()
		for range 60 {
			s = p.Step(s, 0)
		}
		c.Begin()
		s = p.Scene.Draw(s, c)
		report := world.Must(c.End())
		assert.Equal(t, render.Report{
			DrawCalls: 1, Batches: 1, Instances: 10_000, Bytes: 120_000,
		}, report)
		batch := c.Batches[0]
		assert.Contains(t, look.Styles, batch.Kind)
		i := 0
		for b := range drawn.In(s) {
			for _, want := range world.Column(b, position) {
				require.Equal(t, want, render.PositionAt(batch.Positions, i))
				i++
			}
		}
	}
}

func TestRowsOutOfOrderAreDrawnInStretches(t *testing.T) {
	_, s := scenetest.Open(t, Scene, optionsOf(100, FallingCamera))
	for i, id := range slices.Collect(drawn.Objects(s)) {
		if i%10 == 5 {
			s = world.Must(world.Dispose(s, id))
		}
	}
	c := scenetest.NewCanvas()
	c.Begin()
	s = draw(s, c)
	report, _ := c.End()
	assert.Equal(t, 11, report.Batches)
	assert.Equal(t, 90, report.Instances)
	s = world.Must(drawn.DisposeAll(s))
	c.Begin()
	draw(s, c)
	assert.Len(t, c.Batches, 1, "told of, though there is none")
}

func TestTheViewFollowsTheCamera(t *testing.T) {
	p, s := scenetest.Open(t, Scene, optionsOf(10, FallingCamera))
	look := p.Scene.Look()
	orbit := look.Camera.(*render.Orbit)
	aim(s, &look)
	yaw := orbit.Yaw
	for range 120 {
		s = p.Step(s, 0)
	}
	aim(s, &look)
	assert.Less(t, orbit.Target[1], float32(-1))
	assert.InDelta(t, 120*turning, orbit.Yaw-yaw, 1e-5)
	look.Camera = render.Flat{}
	aim(s, &look) // another camera is left alone
}

func TestSeed_B6_LinesFromTheCubes(t *testing.T) {
	p, s := scenetest.Open(t, Scene, optionsOf(100, ""))
	for range 60 {
		s = p.Step(s, 0)
	}
	c, g := scenetest.NewCanvas(), stage.NewGizmos(100)
	c.Begin()
	s = p.Scene.DrawGizmos(s, g)
	require.NoError(t, g.Draw(c))
	report, _ := c.End()
	assert.Equal(t, 100, report.Lines)
	lines, i := c.Lines, 0
	for b := range speeding.In(s) {
		for k, from := range world.Column(b, position) {
			to := from
			to[1] += world.Column(b, velocity)[k][1]
			require.Equal(t, from, render.PositionAt(lines, 2*i))
			require.Equal(t, to, render.PositionAt(lines, 2*i+1))
			i++
		}
	}
}

// When the last cube is out of sight, all fall again, and the world goes on.
func TestTheCubesBeginAgain(t *testing.T) {
	p, s := scenetest.Open(t, Scene, optionsOf(20, ""))
	highest := func() float32 {
		top := ground - 1
		for b := range everyCube.In(s) {
			for _, p := range world.Column(b, position) {
				top = max(top, p[1])
			}
		}
		return top
	}
	for again := range 3 {
		steps := 0
		for last := highest(); ; steps++ {
			s = p.Step(s, 0)
			top := highest()
			if top > last {
				assert.Less(t, last, ground+fastest)
				break
			}
			require.Less(t, steps, 3000, "they fall for ever")
			last = top
		}
		assert.Greater(t, steps, 500, again)
		for b := range everyCube.In(s) {
			for i, p := range world.Column(b, position) {
				require.True(t, p[1] >= -box && p[1] < box, p)
				require.Zero(t, world.Column(b, velocity)[i])
			}
		}
	}
}
