package neighbours

import "math/rand/v2"

// A Vec is a place, a velocity, or what a point is to change about it.
type Vec struct{ X, Y float32 }

const (
	side   = 1000 // of the plane, world units
	radius = 4
)

// points returns places and velocities.
func points(n int) (places, velocities []Vec) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		places = append(places, Vec{r.Float32() * side, r.Float32() * side})
		velocities = append(velocities, Vec{r.Float32() - .5, r.Float32() - .5})
	}
	return places, velocities
}

// A crowd is the sums over the neighbours of a point.
type crowd struct{ n, x, y, vx, vy float32 }

// add adds those of some points that are near.
func (c *crowd) add(at Vec, places, velocities []Vec) {
	n, x, y, vx, vy := c.n, c.x, c.y, c.vx, c.vy
	velocities = velocities[:len(places)]
	for i, p := range places {
		dx, dy := p.X-at.X, p.Y-at.Y
		if float32(dx*dx)+float32(dy*dy) < radius*radius {
			x, y, vx, vy = x+dx, y+dy, vx+velocities[i].X, vy+velocities[i].Y
			n++
		}
	}
	*c = crowd{n, x, y, vx, vy}
}

// turn returns what the crowd makes of a velocity.
func (c *crowd) turn(v Vec) Vec {
	return Vec{
		float32(c.x/c.n*.01) + float32((c.vx/c.n-v.X)*.1),
		float32(c.y/c.n*.01) + float32((c.vy/c.n-v.Y)*.1),
	}
}
