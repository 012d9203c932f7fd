package world_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// logicState returns a world with one object of some kinds.
func logicState(tb testing.TB, kinds ...world.Kind) (world.State, world.GameObject) {
	tb.Helper()
	s := must(world.CreateState(world.Counts{
		GameObjects: 4,
		Kinds: []layout.Count{
			logicTransform.Count(4), logicMoving.Count(4), logicClimb.Count(4), logicClimbUp.Count(0),
		},
	}))
	return made(world.CreateWith(s, kinds...))
}

// lanes returns a copy of the lanes of a field.
func lanes[T layout.Element](
	s world.State, id world.GameObject, f layout.Field[T],
) []T {
	return slices.Clone(must(world.Values(s, id, f)))
}

func TestSeed_B7_ResetTransform(t *testing.T) {
	s, id := logicState(t, logicTransform)
	for _, f := range []layout.Field[float32]{
		logicPosition, logicRotation, logicScale, logicLastPosition, logicLastRotation,
		logicLastScale,
	} {
		for i := range must(world.Values(s, id, f)) {
			must(world.Values(s, id, f))[i] = 9
		}
	}
	must(world.Values(s, id, logicChanged))[0] = 1
	s, _ = made(world.Renew(s, id, logicTransform))
	assert.Equal(t, []float32{0, 0, 0}, lanes(s, id, logicPosition))
	assert.Equal(t, []float32{0, 0, 0, 1}, lanes(s, id, logicRotation), "identity")
	assert.Equal(t, []float32{1, 1, 1}, lanes(s, id, logicScale))
	assert.Equal(t, []float32{0, 0, 0}, lanes(s, id, logicLastPosition))
	assert.Equal(t, []float32{0, 0, 0, 1}, lanes(s, id, logicLastRotation))
	assert.Equal(t, []float32{1, 1, 1}, lanes(s, id, logicLastScale))
	assert.Equal(t, []uint8{0}, lanes(s, id, logicChanged), "false")
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
			set := func(f layout.Field[float32], v vector) { copy(must(world.Values(s, id, f)), v) }
			set(logicInput, c.input)
			set(logicAhead, forward)
			set(logicUp, quarter)
			set(logicSpeed, vector{speed})
			set(logicCur, before)
			set(logicFixed, direction)
			set(logicNext, before)
			if c.climb {
				s, _ = made(world.Add(s, id, logicClimb))
				must(world.Values(s, id, logicIsClimb))[0] = c.isClimb
				set(logicClimbJump, vector{c.climbJump})
			}
			if c.climbUp {
				s, _ = made(world.Add(s, id, logicClimbUp))
			}
			s = moveLogic(s, 0.02)
			assert.InDeltaSlice(t, c.cur, lanes(s, id, logicCur), 1e-6)
			assert.InDeltaSlice(t, c.fixed, lanes(s, id, logicFixed), 1e-6)
			assert.InDeltaSlice(t, c.next, lanes(s, id, logicNext), 1e-5)
		})
	}
}

func TestSeed_B7_MoveNeedsTransformAndMove(t *testing.T) {
	for _, kinds := range [][]world.Kind{{logicMoving}, {logicTransform}, {logicClimb}} {
		s, id := logicState(t, kinds...)
		assert.Zero(t, logicMove.Count(s))
		if world.Has(s, id, logicMoving) {
			must(world.Values(s, id, logicInput))[0] = 1
			s = moveLogic(s, 0.02)
			assert.Equal(t, []float32{0, 0, 0}, lanes(s, id, logicNext))
		}
	}
}

// TestSeed_B7_TheSystemsInOrder runs the logic world with a journal in place of the rules.
func TestSeed_B7_TheSystemsInOrder(t *testing.T) {
	var j journal
	logged := world.Hooks{Name: logicWorld.Name}
	for _, part := range logicWorld.Parts {
		part.Update = j.fixed(part.Name)
		logged.Parts = append(logged.Parts, part)
	}
	root := rootOf(t, world.EnterUpdateLeave, logged)
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
	must(world.Values(s, id, logicInput))[0] = 1
	root := rootOf(t, world.EnterUpdateLeave, logicWorld)
	step := func() { s = root.Update(s, 0.02) }
	step()
	assert.Zero(t, testing.AllocsPerRun(20, step))
}
