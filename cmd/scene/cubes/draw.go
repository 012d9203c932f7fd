package cubes

import (
	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// turning is the rotation of the view per step, in radians.
const turning = 1.0 / 400

func look() render.Look {
	return render.Look{
		Styles: map[string]render.Style{Cube.String(): {
			Shape: render.Cube, Size: 4, // the size of most cubes
			Colour: render.RGB(0xffc36b), Rim: render.RGB(0x5b6cff),
		}},
		Camera: &render.Orbit{Pitch: .3, Radius: 1.4 * box, Height: box, Zoom: 1.15},
	}
}

// aim looks at the place in front of the camera, from a slowly changing side.
func aim(s world.State, l *render.Look) {
	orbit, ok := l.Camera.(*render.Orbit)
	if !ok {
		return
	}
	orbit.Yaw = float32(float32(world.Tick(s)) * (turning / 2)) // a step has two ticks
	for b := range watching.In(s) {
		orbit.Target[1] = world.Column(b, position)[0][1]
	}
}

// draw draws all cubes in one call, because their rows are contiguous.
func draw(s world.State, c render.Canvas) world.State {
	positions := tool.Buffer(s, Transform) // the first column
	row, n := 0, 0
	for b := range drawn.In(s) {
		for i := range b.Len() {
			at := int(b.Row(i, Transform))
			if at != row+n {
				c.DrawInstances(Cube.String(), stretch(positions, row, n))
				row, n = at, 0
			}
			n++
		}
	}
	c.DrawInstances(Cube.String(), stretch(positions, row, n))
	return s
}

func stretch(positions []byte, row, n int) []byte {
	return positions[row*render.PositionBytes:][:n*render.PositionBytes]
}

// drawVelocities draws the position of every falling object one second ahead.
func drawVelocities(s world.State, g *stage.Gizmos) world.State {
	for b := range speeding.In(s) {
		p, v := world.Column(b, position), world.Column(b, velocity)
		for i := range p {
			g.Line(p[i], [3]float32{p[i][0] + v[i][0], p[i][1] + v[i][1], p[i][2] + v[i][2]})
		}
	}
	return s
}
