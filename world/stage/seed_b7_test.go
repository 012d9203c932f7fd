package stage_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
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

func TestSeed_B7_ResetTransform(t *testing.T) {
	s, id := logicState(t, logicTransform)
	for _, f := range []layout.Field[[3]float32]{
		logicPosition, logicScale, logicLastPosition, logicLastScale,
	} {
		s = setLanes(s, id, f, 9, 9, 9)
	}
	s = setLanes(s, id, logicRotation, 9, 9, 9, 9)
	s = setLanes(s, id, logicLastRotation, 9, 9, 9, 9)
	s = world.Must(world.Set(s, id, logicChanged, 1))
	s, _ = world.Must2(world.Reset(s, id, logicTransform))
	assert.Equal(t, []float32{0, 0, 0}, lanes(s, id, logicPosition))
	assert.Equal(t, []float32{0, 0, 0, 1}, lanes(s, id, logicRotation), "identity")
	assert.Equal(t, []float32{1, 1, 1}, lanes(s, id, logicScale))
	assert.Equal(t, []float32{0, 0, 0}, lanes(s, id, logicLastPosition))
	assert.Equal(t, []float32{0, 0, 0, 1}, lanes(s, id, logicLastRotation))
	assert.Equal(t, []float32{1, 1, 1}, lanes(s, id, logicLastScale))
	assert.Zero(t, world.Must(world.Get(s, id, logicChanged)), "false")
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

func TestSeed_B7_MoveNeedsTransformAndMove(t *testing.T) {
	for _, kinds := range [][]layout.AnyKind{{logicMoving}, {logicTransform}, {logicClimb}} {
		s, id := logicState(t, kinds...)
		assert.Zero(t, logicMove.Count(s))
		if world.Has(s, id, logicMoving) {
			s = setLanes(s, id, logicInput, 1)
			s = moveLogic(s, 0.02)
			assert.Equal(t, []float32{0, 0, 0}, lanes(s, id, logicNext))
		}
	}
}

// TestSeed_B7_TheSystemsInOrder runs the logic world with a journal in place of the rules.
func TestSeed_B7_TheSystemsInOrder(t *testing.T) {
	var j []string
	logged := stage.System{Name: logicWorld.Name}
	for _, part := range logicWorld.Parts {
		part.Update = func(s world.State, dt float32) world.State {
			j = append(j, fmt.Sprint(part.Name, " ", dt))
			return s
		}
		logged.Parts = append(logged.Parts, part)
	}
	root := rootOf(t, stage.EnterUpdateLeave, logged)
	s, _ := logicState(t, logicTransform, logicMoving)
	root.Update(s, 0.02)
	want := []string{
		"Transform", "Climb", "Move", "Jump", "ClimbUp", "QTree", "QObjFinding", "Weapon",
		"LogicAni", "Ani",
	}
	require.Len(t, j, len(want))
	for i, name := range want {
		assert.Equal(t, name+" 0.02", j[i])
	}
}

func TestAllocsLogicWorld(t *testing.T) {
	s, id := logicState(t, logicTransform, logicMoving)
	s = setLanes(s, id, logicInput, 1)
	root := rootOf(t, stage.EnterUpdateLeave, logicWorld)
	step := func() { s = root.Update(s, 0.02) }
	step()
	assert.Zero(t, testing.AllocsPerRun(20, step))
}
