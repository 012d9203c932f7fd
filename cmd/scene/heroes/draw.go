package heroes

import (
	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

func look() render.Look {
	return render.Look{
		Styles: map[string]render.Style{heroes.Instance.String(): {
			Colour: render.RGB(0xffe2b0), Rim: render.RGB(0x4a7dff),
		}},
		Single: render.Style{Colour: render.RGB(0xffa01e)},
		Camera: &render.Orbit{
			Pitch: .5, Radius: radius, Height: 10, Zoom: 1.1, Target: [3]float32{0, -14, 0},
		},
	}
}

// draw draws the super heroes one by one, and the normal ones in one call.
func draw(s world.State, c render.Canvas) world.State {
	s = heroes.RenderOneByOne(s, c)
	return heroes.RenderInstances(s, c)
}

// drawHeadings draws the movement of the super heroes in the next half second.
func drawHeadings(s world.State, g *stage.Gizmos) world.State {
	const steps = 30
	for b := range heading.In(s) {
		p, v := world.Column(b, heroes.Position), world.Column(b, heroes.Velocity)
		by := world.Column(b, turn)
		for i := range p {
			on := rotate([2]float32{p[i][0], p[i][2]}, by[i])
			rise := float32(v[i] * 3) // v for Move and 2v for Fly
			g.Line(p[i], [3]float32{
				p[i][0] + float32((on[0]-p[i][0]+rise)*steps), p[i][1] + float32(rise*steps),
				p[i][2] + float32((on[1]-p[i][2]+rise)*steps),
			})
		}
	}
	return s
}
