package boids

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/space"
)

// How strongly a bird follows each rule, in a step.
const (
	together = .008 // of the way to the middle of its neighbours
	along    = .15  // of the difference to their velocity
	apart    = .08  // of the way away from those at less than half the distance that it sees
	back     = .002 // of the way home, for those that are too far away

	slowest = .25 // world units per step
	fastest = .5
)

// steer turns each bird by what those do that it sees, itself among them.
func (f *flock) steer(s world.State) world.State {
	near := f.cells.In(s)
	points, velocities := near.Points(), space.Column(near, Velocity)
	tooNear := float32(f.sight*f.sight) / 4
	for b := range steering.In(s) {
		p, v := world.Column(b, heroes.Position), world.Column(b, Velocity)
		for i := range p {
			var c company
			at := from(&p[i])
			for e := range near.Near(p[i], float64(f.sight)) {
				c.add(from(&points[e]).minus(at), velocities[e], tooNear)
			}
			v[i] = f.turn(at, v[i], &c)
		}
	}
	return s
}

// company is whom a bird sees: sums over all of them.
type company struct {
	birds    float32
	way      vec // to each of them
	velocity vec
	off      vec // away from those that are near, and more so from the nearest
}

// add adds a bird that is in sight, d away, and avoids it if the square of d is less than tooNear.
func (c *company) add(d, velocity vec, tooNear float32) {
	c.birds++
	c.way, c.velocity = c.way.plus(d), c.velocity.plus(velocity)
	if square := d.square(); square < tooNear {
		c.off = c.off.minus(d.times(1 - square/tooNear))
	}
}

// turn returns the next velocity of a bird.
func (f *flock) turn(at, v vec, c *company) vec {
	v = v.plus(c.way.times(together / c.birds))
	v = v.plus(c.velocity.times(1 / c.birds).minus(v).times(along))
	v = v.plus(c.off.times(apart))
	if far := at.length(); far > f.home {
		v = v.minus(at.times(back * (far - f.home) / far))
	}
	return paced(v)
}

// paced returns a velocity of the same direction that birds can fly at.
func paced(v vec) vec {
	speed := v.length()
	if speed == 0 {
		return vec{x: slowest}
	}
	return v.times(min(max(speed, slowest), fastest) / speed)
}

// move moves every bird by its velocity, and its tail behind it.
func move(s world.State) world.State {
	for b := range moving.In(s) {
		p, v := world.Column(b, heroes.Position), world.Column(b, Velocity)
		tails := world.Column(b, Tail)
		for i := range p {
			to := from(&p[i]).plus(v[i])
			p[i] = [3]float32{to.x, to.y, to.z}
			was := to.minus(v[i].times(behind))
			tails[i] = [3]float32{was.x, was.y, was.z}
		}
	}
	return s
}
