package scene

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// opened opens a scene and closes it when the test is over.
func opened(tb testing.TB, s *Scene, o Options) (*Play, world.State) {
	tb.Helper()
	p, err := s.Open(o)
	require.NoError(tb, err)
	tb.Cleanup(p.Schedule.Close)
	return p, p.First
}

func cubesOf(count int, variant string) Options {
	return Options{Count: count, Seed: 7, Variant: variant}
}

var everyCube = world.NewQuery(
	world.Read(cubeTransform, cubeBody, cubeGravity), world.With(cubeMark))

func TestSeed_C7_TheCubesAreDrawnAsTheDocumentSays(t *testing.T) {
	_, s := opened(t, Cubes, cubesOf(Cubes.Defaults.Count, ""))
	assert.Equal(t, 10_000, everyCube.Count(s))
	size := float32(0)
	type span struct{ lo, hi float32 }
	var pulls, places, turns span
	see := func(s *span, x float32) { s.lo, s.hi = min(s.lo, x), max(s.hi, x) }
	pulls.hi = -10
	turns.lo = 3
	for b := range everyCube.In(s) {
		for i := range b.Len() {
			force := world.Column3(b, cubeForce)[i]
			see(&pulls, force[1])
			require.Equal(t, [3]float32{0, force[1], 0}, force)
			for axis := range 3 {
				see(&places, world.Column3(b, cubePosition)[i][axis])
				see(&turns, world.Column3(b, cubeRotation)[i][axis])
			}
			scale := world.Column3(b, cubeScale)[i]
			if size == 0 {
				size = scale[0]
			}
			require.Equal(t, [3]float32{size, size, size}, scale, "one scale for all")
			require.Zero(t, world.Column3(b, cubeVelocity)[i])
			require.Zero(t, world.Column3(b, cubeAcceleration)[i])
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
func drawCubes(t *testing.T, s world.State, n int) (force, position, rotation [][3]float32) {
	t.Helper()
	s, err := world.Clone(s)
	require.NoError(t, err)
	_, r := world.NextStream(world.SetSeed(s, 7))
	r.Range(3, 5)
	for range n {
		force = append(force, [3]float32{0, r.Range(-10, -1), 0})
		position = append(position, [3]float32{
			r.Range(-100, 100), r.Range(-100, 100), r.Range(-100, 100),
		})
		rotation = append(rotation, [3]float32{r.Range(0, 3), r.Range(0, 3), r.Range(0, 3)})
	}
	return force, position, rotation
}

func TestSeed_C7_EveryCubeFallsByItsGravity(t *testing.T) {
	const n, steps = 300, 600
	p, s := opened(t, Cubes, cubesOf(n, ""))
	force, position, rotation := drawCubes(t, s, n)
	var velocity [n][3]float32
	for step := range steps {
		dt := stepSeconds
		if step == 0 {
			dt = 0
		}
		for i := range n {
			for axis := range 3 {
				position[i][axis] += float32(velocity[i][axis] * dt)
				velocity[i][axis] += float32(force[i][axis] * dt)
			}
		}
		s = p.Step(s, 0)
	}
	i := 0
	for b := range everyCube.In(s) {
		for k := range b.Len() {
			require.Equal(t, position[i], world.Column3(b, cubePosition)[k], "cube %d", i)
			require.Equal(t, velocity[i], world.Column3(b, cubeVelocity)[k], "cube %d", i)
			require.Equal(t, rotation[i], world.Column3(b, cubeRotation)[k], "cube %d", i)
			i++
		}
	}
	assert.Equal(t, n, i)
}

func TestSeed_C7_TheFirstStepTakesNoTime(t *testing.T) {
	p, s := opened(t, Cubes, cubesOf(10, ""))
	places := bytes.Clone(world.Buffer(s, cubeTransform))
	speeds := bytes.Clone(world.Buffer(s, cubeBody))
	s = p.Step(s, 0)
	assert.Equal(t, places, world.Buffer(s, cubeTransform))
	assert.Equal(t, speeds, world.Buffer(s, cubeBody))
	s = p.Step(s, 0)
	assert.Equal(t, places, world.Buffer(s, cubeTransform), "position first, by a velocity of 0")
	assert.NotEqual(t, speeds, world.Buffer(s, cubeBody))
	s = p.Step(s, 0)
	assert.NotEqual(t, places, world.Buffer(s, cubeTransform))
}

func TestSeed_C7_TheCameraFallsAndTheCubesStand(t *testing.T) {
	p, s := opened(t, Cubes, cubesOf(100, CubesCamera))
	camera := only(t, s, cubeEye)
	at := func() []float32 {
		xyz, err := world.Values(s, camera, cubePosition)
		require.NoError(t, err)
		return xyz
	}
	cubes := func() (all [][3]float32) {
		for b := range world.NewQuery(world.Read(cubePosition), world.With(cubeMark)).In(s) {
			all = append(all, world.Column3(b, cubePosition)...)
		}
		return all
	}
	_, want, _ := drawCubes(t, s, 100)
	for range 60 {
		s = p.Step(s, 0)
	}
	assert.Equal(t, want, cubes(), "the cubes of the other variant, where they began")
	assert.Less(t, at()[1], float32(-0.4))
	assert.Equal(t, []float32{0, cubeDistance}, []float32{at()[0], at()[2]})

	p, s = opened(t, Cubes, cubesOf(100, ""))
	camera = only(t, s, cubeEye)
	for range 60 {
		s = p.Step(s, 0)
	}
	assert.Equal(t, []float32{0, 0, cubeDistance}, at(), "it stands where the cubes fall")
}

// only returns the one object that has a kind.
func only(t *testing.T, s world.State, k layout.Kind) world.GameObject {
	t.Helper()
	require.Equal(t, 1, world.Mounted(s, k))
	for id := range world.NewQuery(world.With(k)).Objects(s) {
		return id
	}
	return 0
}

func TestRainStaysInTheBox(t *testing.T) {
	p, s := opened(t, Cubes, cubesOf(200, CubesRain))
	top := 0
	for range 3000 {
		s = p.Step(s, 0)
		for _, y := range heights(s) {
			require.True(t, y >= -cubeBox && y <= cubeBox)
			if y == cubeBox {
				top++
			}
		}
	}
	assert.Greater(t, top, 400)
}

func heights(s world.State) (all []float32) {
	for b := range everyCube.In(s) {
		for _, p := range world.Column3(b, cubePosition) {
			all = append(all, p[1])
		}
	}
	return all
}
