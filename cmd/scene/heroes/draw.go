package heroes

import (
	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/world"
)

// viewTurns is how far the view turns in a step, in radians.
const viewTurns = 1.0 / 900

func look() render.Look {
	return render.Look{
		Styles: map[string]render.Style{world.InstanceKind.String(): {
			Colour: render.RGB(0xffe2b0), Rim: render.RGB(0x4a7dff),
		}},
		Single: render.Style{Colour: render.RGB(0xffa01e)},
		Camera: &render.Orbit{
			Pitch: .5, Radius: radius, Height: 10, Zoom: 1.1, Target: [3]float32{0, -14, 0},
		},
	}
}

// aim goes around the swarm, slowly.
func aim(s world.State, l *render.Look) {
	if orbit, ok := l.Camera.(*render.Orbit); ok {
		orbit.Yaw = float32(float32(world.Tick(s)) * viewTurns)
	}
}

// draw draws the super heroes one by one, and the normal ones at once.
func draw(s world.State, c render.Canvas) world.State {
	s = world.RenderOneByOne(s, c)
	return world.RenderInstances(s, c)
}
