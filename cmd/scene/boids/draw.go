package boids

import (
	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

func look() render.Look {
	return render.Look{
		Styles: map[string]render.Style{
			heroes.Instance.String(): {
				Size: 1, Colour: render.RGB(0xffd9a0), Rim: render.RGB(0x3f86ff),
			},
			"tail": {Size: .8, Colour: render.RGB(0x8a5a30), Rim: render.RGB(0x20448a)},
		},
		Camera: &render.Orbit{Pitch: .3, Fit: true, Zoom: 1.5},
	}
}

// draw draws all birds in one call, and a tail behind each.
func draw(s world.State, c render.Canvas) world.State {
	s = heroes.RenderInstances(s, c)
	c.DrawInstances("tail", tool.Buffer(s, Tail.Kind())[:world.Len(s)*render.PositionBytes])
	return s
}

// drawVelocities draws the position of each bird half a second ahead, at its current velocity.
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
