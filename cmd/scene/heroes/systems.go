package heroes

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// bounce reverses the velocity of heroes that are too high or too low.
func bounce(s world.State) world.State {
	for b := range bouncing.In(s) {
		p, v := world.Column(b, heroes.Position), world.Column(b, heroes.Velocity)
		h := world.Column(b, height)
		for i := range p {
			if y := p[i][1]; y > h[i] && v[i] > 0 || y < -h[i] && v[i] < 0 {
				v[i] = -v[i]
			}
		}
	}
	return s
}

// turnAll turns every hero around the axis, and moves it a fraction of the way to its home
// distance.
func turnAll(s world.State) world.State {
	for b := range turning.In(s) {
		p, d, by := world.Column(b, heroes.Position), world.Column(b, home), world.Column(b, turn)
		for i := range p {
			v := rotate([2]float32{p[i][0], p[i][2]}, by[i])
			if far := root(float32(v[0]*v[0]) + float32(v[1]*v[1])); far > 0 {
				k := 1 + float32((d[i]/far-1)*pull)
				v = [2]float32{float32(v[0] * k), float32(v[1] * k)}
			}
			p[i][0], p[i][2] = v[0], v[1]
		}
	}
	return s
}

// turnBack reverses the rotation of all heroes.
func turnBack(s world.State) world.State {
	for b := range turns.In(s) {
		by := world.Column(b, turn)
		for i := range by {
			by[i][1] = -by[i][1]
		}
	}
	return s
}
