package boids

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/space"
)

// The strength of each rule, per step.
const (
	together = .008 // fraction of the way to the middle of its neighbours
	along    = .15  // fraction of the difference to their velocity
	apart    = .08  // fraction of the way away from those at less than half the range of vision
	back     = .002 // fraction of the way home, for birds that are too far away

	slowest = .25 // world units per step
	fastest = .5
)

// steer changes each bird's velocity by the birds that it sees, itself included.
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

// A company is the birds that a bird sees, as sums.
type company struct {
	birds    float32
	way      vec // to each of them
	velocity vec
	off      vec // away from near ones, weighted by nearness
}

// add adds a visible bird at offset d, and avoids it if the square of d is less than tooNear.
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

// paced limits the speed of a velocity to what birds can fly.
func paced(v vec) vec {
	speed := v.length()
	if speed == 0 {
		return vec{x: slowest}
	}
	return v.times(min(max(speed, slowest), fastest) / speed)
}

// move moves every bird by its velocity, with its tail.
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
