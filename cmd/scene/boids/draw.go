package boids

import (
	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

// viewTurns is how far the view turns in a step, in radians.
const viewTurns = 1.0 / 1500

func look() render.Look {
	return render.Look{
		Styles: map[string]render.Style{heroes.Instance.String(): {
			Colour: render.RGB(0xffd9a0), Rim: render.RGB(0x3f86ff),
		}},
		Camera: &render.Orbit{Pitch: .3, Fit: true, Zoom: 1.1},
	}
}

// aim goes around the flock, slowly.
func aim(s world.State, l *render.Look) {
	if orbit, ok := l.Camera.(*render.Orbit); ok {
		orbit.Yaw = float32(float32(world.Tick(s)) * viewTurns)
	}
}

// draw draws all birds at once.
func draw(s world.State, c render.Canvas) world.State { return heroes.RenderInstances(s, c) }

// drawVelocities draws where each bird is in half a second, if it flies straight on.
func drawVelocities(s world.State, g *stage.Gizmos) world.State {
	for b := range moving.In(s) {
		p, v := world.Column(b, heroes.Position), world.Column(b, Velocity)
		for i := range p {
			to := from(&p[i]).plus(v[i].times(30))
			g.Line(p[i], [3]float32{to.x, to.y, to.z})
		}
	}
	return s
}
