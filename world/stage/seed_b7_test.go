package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
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
