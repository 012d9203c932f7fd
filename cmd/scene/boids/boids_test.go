package boids

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/scenetest"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

// byTheBook is how a bird turns when it looks at all others.
func byTheBook(f *flock, i int, points [][3]float32, velocities []vec) vec {
	var c company
	for k := range points {
		if d := from(&points[k]).minus(from(&points[i])); d.square() <= f.sight*f.sight {
			c.add(d, velocities[k], f.sight*f.sight/4)
		}
	}
	return f.turn(from(&points[i]), velocities[i], &c)
}

// Cells change nothing but the order in which a bird sees the others.
func TestBirdsSeeWhoIsNear(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 400, Seed: 3})
	f := &flock{sight: 4, home: homeOf(400)}
	for range 20 {
		points := append([][3]float32(nil), world.View(s, heroes.Position)...)
		velocities := append([]vec(nil), world.View(s, Velocity)...)
		s = p.Step(s, 0)
		for i, v := range world.View(s, Velocity) {
			want := byTheBook(f, i, points, velocities)
			require.InDelta(t, 0, v.minus(want).length(), 1e-4, "bird %d", i)
		}
	}
}

// The birds flock: neighbours align, no bird gets lost, and no bird stops.
func TestBirdsFlock(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 1000, Seed: 1})
	assert.Equal(t, world.View(s, heroes.Position), world.View(s, Tail), "tails before the first step")
	before := agreement(s)
	for range 600 {
		s = p.Step(s, 0)
	}
	assert.Greater(t, before, float32(.2), "they begin in flocks, some of which meet")
	assert.Greater(t, agreement(s), float32(.8))
	for i, at := range world.View(s, heroes.Position) {
		v := world.View(s, Velocity)[i]
		require.Less(t, from(&at).length(), 2*homeOf(1000))
		require.InDelta(t, (slowest+fastest)/2, v.length(), (fastest-slowest)/2+1e-4)
	}
}

// agreement is how much the birds near each other fly the same way, from -1 to 1.
func agreement(s world.State) float32 {
	points, velocities := world.View(s, heroes.Position), world.View(s, Velocity)
	sum, n := float32(0), float32(0)
	for i := range points {
		for k := range points[:i] {
			if from(&points[i]).minus(from(&points[k])).length() < 4 {
				v, w := velocities[i], velocities[k]
				sum += (v.plus(w).square() - v.square() - w.square()) / (2 * v.length() * w.length())
				n++
			}
		}
	}
	return sum / n
}

func TestDrawing(t *testing.T) {
	p, s := scenetest.Open(t, Scene, scene.Options{Count: 500, Seed: 1})
	s = p.Step(s, 0)
	c := &render.Ledger{}
	c.Begin()
	s = p.Scene.Draw(s, c)
	report := world.Must(c.End())
	assert.Equal(t, render.Report{DrawCalls: 2, Batches: 2, Instances: 2 * 500, Bytes: 2 * 500 * 12}, report, "each with a tail")
	assert.Contains(t, look().Styles, heroes.Instance.String())
	g := stage.NewGizmos(500)
	s = p.Scene.DrawGizmos(s, g)
	assert.Equal(t, 500, g.Len())
	l := p.Scene.Look()
	p.Scene.Aim(s, &l)
	assert.Positive(t, l.Camera.(*render.Orbit).Yaw)
}
