package stage_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func physicsWorld(n int) (s world.State, ids []world.GameObject) {
	s = world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(physicsBody.Count(n), physicsGravity.Count(n), heroes.Position.Count(n)),
	}))
	ids = make([]world.GameObject, n)
	for i := range ids {
		s, ids[i] = world.Must2(world.CreateWith(s, heroes.Position, physicsBody, physicsGravity))
	}
	return s, ids
}

func TestSeed_C6_PositionFirst(t *testing.T) {
	s, ids := physicsWorld(1)
	s = world.Must(world.Set(s, ids[0], physicsForce, [3]float32{0, -8, 0}))
	root := rootOf(t, stage.LeaveEnterUpdate, stage.System{Name: "physics", Update: fallBy})
	for i, want := range []struct{ y, velocity float32 }{
		{0, -4}, {-2, -8}, {-6, -12}, {-12, -16}, // semi-implicit would give -2, -6, -12, -20
	} {
		s = root.Update(s, 0.5)
		assert.Equal(t, [3]float32{0, want.y, 0}, world.Must(world.Get(s, ids[0], heroes.Position)), i)
		v := world.Must(world.Get(s, ids[0], physicsVelocity))
		assert.Equal(t, [3]float32{0, want.velocity, 0}, v, i)
	}
}

// TestSeed_C6_ToTheBit: every product is rounded before it is added, so that no compiler fuses the
// two; the same numbers come out of plain variables.
func TestSeed_C6_ToTheBit(t *testing.T) {
	const n, dt = 300, float32(1) / 60
	s, ids := physicsWorld(n)
	r := rand.New(rand.NewPCG(1, 2))
	var p, v, g [n][3]float32
	for i, id := range ids {
		for axis := range 3 {
			p[i][axis], v[i][axis] = r.Float32()*200-100, r.Float32()*20-10
		}
		g[i][1] = -1 - 9*r.Float32()
		s = world.Must(world.Set(s, id, heroes.Position, p[i]))
		s = world.Must(world.Set(s, id, physicsVelocity, v[i]))
		s = world.Must(world.Set(s, id, physicsForce, g[i]))
	}
	for range 100 {
		s = fallBy(s, dt)
		for i := range n {
			for axis := range 3 {
				moved, gained := v[i][axis]*dt, g[i][axis]*dt
				p[i][axis] = float32(moved) + p[i][axis]
				v[i][axis] = float32(gained) + v[i][axis]
			}
		}
	}
	for i, id := range ids {
		require.Equal(t, p[i], world.Must(world.Get(s, id, heroes.Position)), i)
		require.Equal(t, v[i], world.Must(world.Get(s, id, physicsVelocity)), i)
	}
}
