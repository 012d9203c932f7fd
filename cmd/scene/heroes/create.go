package heroes

import (
	"math"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// A seat is the start of a hero, and its orbit.
type seat struct {
	direction [2]float32 // x, z from the axis: of length 1
	home      float32    // distance from the axis
	height    float32    // amplitude of its vertical movement
	speed     float32    // world units per step
	spin      float32    // tangent of half the angle per step
}

// create creates the normal heroes, then the super heroes.
func create(s world.State, normal, supers int) (world.State, error) {
	s, r := world.NextStream(s)
	s, err := world.SpawnN(s, hero, normal, func(b world.Batch) {
		for i := range b.Len() {
			sort := [...]func(*world.Stream) seat{seatInBall, disc, arm, arm, arm}[r.IntN(5)]
			sort(&r).take(b, i, &r)
		}
	})
	if err != nil {
		return s, err
	}
	return world.SpawnN(s, super, supers, func(b world.Batch) {
		for i := range b.Len() {
			lane(&r).take(b, i, &r)
		}
	})
}

// arm returns a seat in one of two spiral arms that turn together.
func arm(r *world.Stream) seat {
	d := r.Float32()
	s := seat{home: 2 + float32((radius-2)*d), spin: .004, speed: r.Range(.01, .03)}
	s.height = 2 + float32(8*float32((1-d)*(1-d)))
	wide := .16 + float32(.3*float32((1-d)*(1-d)))
	s.direction = unit(1, float32((r.Range(-1, 1)+r.Range(-1, 1))*wide))
	wound := rotation(float32(d * 1.8))
	s.direction = rotate(rotate(s.direction, wound), wound)
	if r.IntN(2) == 0 {
		s.direction = [2]float32{-s.direction[0], -s.direction[1]}
	}
	return s
}

// disc returns a seat between the arms.
func disc(r *world.Stream) seat {
	return seat{
		direction: unit(r.Range(-1, 1), r.Range(-1, 1)), home: float32(radius * root(r.Float32())),
		height: 4, spin: .004, speed: r.Range(.01, .03),
	}
}

// seatInBall returns a seat in a ball around the middle; inner seats are faster.
func seatInBall(r *world.Stream) seat {
	x, y, z := r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1)
	far := root(float32(x*x) + float32(y*y) + float32(z*z))
	d := float32(float32(radius*far) * float32(far*far) / 5)
	return seat{
		direction: unit(x, z), home: d, spin: .015 / (1 + float32(d/8)),
		height: 1 + float32(.5*root(max(0, 900-float32(d*d)))), speed: r.Range(.02, .06),
	}
}

// lane returns a seat for a super hero, far above or below the arms.
func lane(r *world.Stream) seat {
	return seat{
		direction: unit(r.Range(-1, 1), r.Range(-1, 1)), home: r.Range(25, radius),
		height: r.Range(15, 45), speed: r.Range(.06, .16), spin: r.Range(.004, .009),
	}
}

// take gives a seat to hero i of a batch, at a random height.
func (s seat) take(b world.Batch, i int, r *world.Stream) {
	if r.IntN(2) == 0 {
		s.speed = -s.speed
	}
	world.Column(b, heroes.Position)[i] = [3]float32{
		float32(s.direction[0] * s.home), r.Range(-s.height, s.height),
		float32(s.direction[1] * s.home),
	}
	world.Column(b, heroes.Velocity)[i] = s.speed
	world.Column(b, home)[i] = s.home
	world.Column(b, height)[i] = s.height
	world.Column(b, turn)[i] = rotation(s.spin)
}

// unit returns the vector of length 1 in a direction.
func unit(x, z float32) [2]float32 {
	far := root(float32(x*x) + float32(z*z))
	if far == 0 {
		return [2]float32{1, 0}
	}
	return [2]float32{x / far, z / far}
}

// rotation returns the cosine and the sine of an angle from the tangent of its half, so that they
// are equal on every machine.
func rotation(half float32) [2]float32 {
	square := float32(half * half)
	return [2]float32{(1 - square) / (1 + square), 2 * half / (1 + square)}
}

func rotate(v, by [2]float32) [2]float32 {
	return [2]float32{
		float32(v[0]*by[0]) - float32(v[1]*by[1]), float32(v[0]*by[1]) + float32(v[1]*by[0]),
	}
}

func root(x float32) float32 { return float32(math.Sqrt(float64(x))) }
