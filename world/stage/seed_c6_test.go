package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	physicsVelocity = layout.NewField[[3]float32]("velocity") // world units per second
	physicsForce    = layout.NewField[[3]float32]("force")    // world units per second, each second
	physicsBody     = layout.NewKind("rigid body", physicsVelocity)
	physicsGravity  = layout.NewKind("gravity", physicsForce)
	physicsQuery    = world.NewQuery(
		world.Write(heroes.Position, physicsVelocity), world.Read(physicsForce))
)

// fallBy lets everything fall for dt seconds: position first, by the velocity it had.
func fallBy(s world.State, dt float32) world.State {
	for b := range physicsQuery.In(s) {
		p := layout.Flat[float32](heroes.Position, world.Column(b, heroes.Position))
		v := layout.Flat[float32](physicsVelocity, world.Column(b, physicsVelocity))
		g := layout.Flat[float32](physicsForce, world.Column(b, physicsForce))
		for i := range p {
			p[i] = float32(v[i]*dt) + p[i]
			v[i] = float32(g[i]*dt) + v[i]
		}
	}
	return s
}

func TestSeed_C6_PositionFirst(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(physicsBody, physicsGravity, heroes.Position),
	}))
	defer func() { world.Close(s) }()
	s, id := world.Must2(world.CreateWith(s, heroes.Position, physicsBody, physicsGravity))
	s = world.Must(world.Set(s, id, physicsForce, [3]float32{0, -8, 0}))
	root := rootOf(t, stage.LeaveEnterUpdate, stage.System{Name: "physics", Update: fallBy})
	for i, want := range []struct{ y, velocity float32 }{
		{0, -4}, {-2, -8}, {-6, -12}, {-12, -16}, // semi-implicit would give -2, -6, -12, -20
	} {
		s = root.Update(s, 0.5)
		assert.Equal(t, [3]float32{0, want.y, 0}, world.Must(world.Get(s, id, heroes.Position)), i)
		v := world.Must(world.Get(s, id, physicsVelocity))
		assert.Equal(t, [3]float32{0, want.velocity, 0}, v, i)
	}
}
