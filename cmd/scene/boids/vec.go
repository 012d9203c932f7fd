package boids

import (
	"math"

	"github.com/flatecs/flatecs/world"
)

// A vec is a vector of three numbers. The compiler keeps structs in registers, but not arrays.
type vec struct{ x, y, z float32 }

// from returns a position as a vector.
func from(p *[3]float32) vec { return vec{p[0], p[1], p[2]} }

func (v vec) plus(w vec) vec { return vec{v.x + w.x, v.y + w.y, v.z + w.z} }

func (v vec) minus(w vec) vec { return vec{v.x - w.x, v.y - w.y, v.z - w.z} }

func (v vec) times(k float32) vec {
	return vec{float32(v.x * k), float32(v.y * k), float32(v.z * k)}
}

// square returns the square of the length of v.
func (v vec) square() float32 {
	return float32(v.x*v.x) + float32(v.y*v.y) + float32(v.z*v.z)
}

func (v vec) length() float32 { return float32(math.Sqrt(float64(v.square()))) }

// within returns a random vector of at most the given length.
func within(r *world.Stream, radius float32) vec {
	for {
		v := vec{r.Range(-radius, radius), r.Range(-radius, radius), r.Range(-radius, radius)}
		if v.square() <= float32(radius*radius) {
			return v
		}
	}
}
