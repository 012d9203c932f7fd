package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

// logicState returns a world with one object of some kinds.
func logicState(kinds ...layout.AnyKind) (world.State, world.GameObject) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 4,
		Kinds: []layout.Count{
			logicTransform.Count(4), logicMoving.Count(4), logicClimb.Count(4),
			logicClimbUp.Count(0),
		},
	}))
	return world.Must2(world.CreateWith(s, kinds...))
}

func TestSeed_B7_Move(t *testing.T) {
	type vector = [3]float32
	forward, before := vector{0, 0, 2}, vector{7, 8, 9}
	direction := vector{3, 4, 5} // fixedForward before the step: where a climb leads
	for _, c := range []struct {
		name             string
		input            vector
		kinds            []layout.AnyKind
		isClimb          uint8
		climbJump        float32
		cur, fixed, next vector
	}{
		{name: "nobody steers", cur: before, fixed: direction, next: before},
		{
			name: "on the ground", input: vector{0, 0, -1},
			cur: forward, fixed: vector{2, 0, 0}, next: vector{8, 8, 9},
		},
		{
			name: "has a Climb, and does not climb", input: vector{0, 0, -1},
			kinds: []layout.AnyKind{logicClimb}, climbJump: 1,
			cur: forward, fixed: vector{2, 0, 0}, next: vector{8, 8, 9},
		},
		{
			name: "climbs", input: vector{1, 0, 0}, kinds: []layout.AnyKind{logicClimb}, isClimb: 1,
			cur: vector{1, 0, 0}, fixed: direction, next: vector{8.5, 10, 11.5},
		},
		{
			name: "leaps in a climb", input: vector{1, 0, 0},
			kinds: []layout.AnyKind{logicClimb}, isClimb: 1, climbJump: 0.25,
			cur: before, fixed: direction, next: before,
		},
		{
			name: "pulls itself up", input: vector{1, 0, 0}, kinds: []layout.AnyKind{logicClimbUp},
			cur: before, fixed: direction, next: before,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, id := logicState(append(c.kinds, logicTransform, logicMoving)...)
			for f, v := range map[layout.Field[vector]]vector{
				logicInput: c.input, logicAhead: forward, logicCur: before, logicFixed: direction,
				logicNext: before,
			} {
				s = world.Must(world.Set(s, id, f, v))
			}
			quarter := [4]float32{0, 0.70710677, 0, 0.70710677} // about y
			s = world.Must(world.Set(s, id, logicUp, quarter))
			s = world.Must(world.Set(s, id, logicSpeed, 0.5))
			s, _ = world.Set(s, id, logicIsClimb, c.isClimb)
			s, _ = world.Set(s, id, logicClimbJump, c.climbJump)
			s = moveLogic(s, 0.02)
			for f, want := range map[layout.Field[vector]]vector{
				logicCur: c.cur, logicFixed: c.fixed, logicNext: c.next,
			} {
				got := world.Must(world.Get(s, id, f))
				assert.InDeltaSlice(t, want[:], got[:], 1e-5, "%v", f)
			}
		})
	}
}

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
