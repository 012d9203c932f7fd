package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// logicState returns a world with one object of some kinds.
func logicState(tb testing.TB, kinds ...layout.AnyKind) (world.State, world.GameObject) {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 4,
		Kinds: []layout.Count{
			logicTransform.Count(4), logicMoving.Count(4), logicClimb.Count(4),
			logicClimbUp.Count(0),
		},
	}))
	return world.Must2(world.CreateWith(s, kinds...))
}

// lanes returns a copy of a field as its elements.
func lanes[T any](s world.State, id world.GameObject, f layout.Field[T]) []float32 {
	return layout.Flat[float32](f, []T{world.Must(world.Get(s, id, f))})
}

// setLanes sets a field to its elements.
func setLanes[T any](
	s world.State, id world.GameObject, f layout.Field[T], v ...float32,
) world.State {
	value := make([]T, 1)
	copy(layout.Flat[float32](f, value), v)
	return world.Must(world.Set(s, id, f, value[0]))
}

func TestSeed_B7_Move(t *testing.T) {
	type vector = []float32
	var (
		still     = vector{0, 0, 0}
		forward   = vector{0, 0, 2}
		before    = vector{7, 8, 9}
		direction = vector{3, 4, 5}                      // fixedForward before the step: where a climb leads
		quarter   = vector{0, 0.70710677, 0, 0.70710677} // about y
	)
	const speed = 0.5
	for _, c := range []struct {
		name             string
		input            vector
		climb            bool // has a Climb
		isClimb          uint8
		climbJump        float32
		climbUp          bool
		cur, fixed, next vector
	}{
		{
			name: "nobody steers", input: still,
			cur: before, fixed: direction, next: before,
		},
		{
			name: "on the ground", input: vector{0, 0, -1},
			cur: forward, fixed: vector{2, 0, 0}, next: vector{8, 8, 9},
		},
		{
			name: "has a Climb, and does not climb", input: vector{0, 0, -1}, climb: true, climbJump: 1,
			cur: forward, fixed: vector{2, 0, 0}, next: vector{8, 8, 9},
		},
		{
			name: "climbs", input: vector{1, 0, 0}, climb: true, isClimb: 1,
			cur: vector{1, 0, 0}, fixed: direction, next: vector{8.5, 10, 11.5},
		},
		{
			name: "leaps in a climb", input: vector{1, 0, 0}, climb: true, isClimb: 1, climbJump: 0.25,
			cur: before, fixed: direction, next: before,
		},
		{
			name: "pulls itself up", input: vector{1, 0, 0}, climbUp: true,
			cur: before, fixed: direction, next: before,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, id := logicState(t, logicTransform, logicMoving)
			s = setLanes(s, id, logicInput, c.input...)
			s = setLanes(s, id, logicAhead, forward...)
			s = setLanes(s, id, logicUp, quarter...)
			s = setLanes(s, id, logicSpeed, speed)
			s = setLanes(s, id, logicCur, before...)
			s = setLanes(s, id, logicFixed, direction...)
			s = setLanes(s, id, logicNext, before...)
			if c.climb {
				s = world.Must(world.Add(s, id, logicClimb))
				s = world.Must(world.Set(s, id, logicIsClimb, c.isClimb))
				s = setLanes(s, id, logicClimbJump, c.climbJump)
			}
			if c.climbUp {
				s = world.Must(world.Add(s, id, logicClimbUp))
			}
			s = moveLogic(s, 0.02)
			assert.InDeltaSlice(t, c.cur, lanes(s, id, logicCur), 1e-6)
			assert.InDeltaSlice(t, c.fixed, lanes(s, id, logicFixed), 1e-6)
			assert.InDeltaSlice(t, c.next, lanes(s, id, logicNext), 1e-5)
		})
	}
}
