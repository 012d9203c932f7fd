package stage_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// The components of a logic world: people who walk, climb, jump and fight. Vectors are x, y, z;
// rotations are quaternions x, y, z, w.
var (
	logicPosition     = layout.NewField[[3]float32]("position")
	logicRotation     = layout.NewField("rotation", [4]float32{0, 0, 0, 1})
	logicScale        = layout.NewField("scale", [3]float32{1, 1, 1})
	logicLastPosition = layout.NewField[[3]float32]("lastPosition")
	logicLastRotation = layout.NewField("lastRotation", [4]float32{0, 0, 0, 1})
	logicLastScale    = layout.NewField("lastScale", [3]float32{1, 1, 1})
	logicChanged      = layout.NewField[uint8]("changed")
	logicTransform    = layout.NewKind("Transform", logicPosition, logicRotation, logicScale,
		logicLastPosition, logicLastRotation, logicLastScale, logicChanged)

	logicInput  = layout.NewField[[3]float32]("inputForward")     // where the player steers
	logicAhead  = layout.NewField("forward", [3]float32{0, 0, 1}) // where the body faces
	logicUp     = layout.NewField("up", [4]float32{0, 0, 0, 1})   // from level ground to the slope
	logicSpeed  = layout.NewField[float32]("speed", 1)            // world units per step
	logicCur    = layout.NewField[[3]float32]("curForward")       // where it is going to face
	logicFixed  = layout.NewField[[3]float32]("fixedForward")     // where it goes
	logicNext   = layout.NewField[[3]float32]("nextPosition")     // where that takes it
	logicMoving = layout.NewKind("Move", logicInput, logicAhead, logicUp, logicSpeed, logicCur,
		logicFixed, logicNext)

	logicIsClimb   = layout.NewField[uint8]("isClimb")
	logicClimbJump = layout.NewField[float32]("climbJump") // seconds that a leap still takes
	logicClimb     = layout.NewKind("Climb", logicIsClimb, logicClimbJump)
	logicClimbUp   = layout.NewMark("ClimbUp") // pulling itself over an edge

	// logicMove matches all objects that have a Transform and a Move and are not pulling themselves
	// up. Objects without Climb do not climb.
	logicMove = world.NewQuery(
		world.With(logicTransform), world.Without(logicClimbUp),
		world.Read(logicInput, logicAhead, logicUp, logicSpeed),
		world.Write(logicCur, logicFixed, logicNext),
		world.Optional(logicIsClimb, logicClimbJump))
)

// moveLogic moves all steered objects forward: along the slope, or, while climbing, in the
// direction of the climb.
func moveLogic(s world.State, _ float32) world.State {
	for b := range logicMove.In(s) {
		input, cur := world.Column(b, logicInput), world.Column(b, logicCur)
		ahead, up := world.Column(b, logicAhead), world.Column(b, logicUp)
		fixed, next := world.Column(b, logicFixed), world.Column(b, logicNext)
		speed := world.Column(b, logicSpeed)
		climbs, leap := world.Column(b, logicIsClimb), world.Column(b, logicClimbJump)
		for i := range input {
			isClimb := i < len(climbs) && climbs[i] != 0
			if input[i] == [3]float32{} || isClimb && leap[i] != 0 {
				continue
			}
			if isClimb {
				cur[i] = input[i]
			} else {
				cur[i] = ahead[i]
				fixed[i] = turned(up[i], ahead[i])
			}
			for axis := range next[i] {
				next[i][axis] += float32(fixed[i][axis] * speed[i])
			}
		}
	}
	return s
}

// turned is v, turned by a quaternion of length 1: v + 2w(q×v) + 2q×(q×v).
func turned(q [4]float32, v [3]float32) [3]float32 {
	axis := [3]float32{q[0], q[1], q[2]}
	once := cross(axis, v)
	twice := cross(axis, once)
	for i := range v {
		v[i] += float32(2 * float32(q[3]*once[i]))
		v[i] += float32(2 * twice[i])
	}
	return v
}

func cross(a, b [3]float32) (c [3]float32) {
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = float32(a[j]*b[k]) - float32(a[k]*b[j])
	}
	return c
}

// logicWorld is the systems of the logic world, in order. Only Move has rules here; the others are
// placeholders.
var logicWorld = stage.System{Name: "logic", Parts: []stage.System{
	{Name: "Transform"},
	{Name: "Climb"},
	{Name: "Move", Update: moveLogic},
	{Name: "Jump"},
	{Name: "ClimbUp"},
	{Name: "QTree"},
	{Name: "QObjFinding"},
	{Name: "Weapon"},
	{Name: "LogicAni"},
	{Name: "Ani"},
}}

// The systems of a logic world, one of them with rules: a person walks up a slope of 30°.
func Example_logicWorld() {
	state, err := world.CreateState(world.Counts{
		GameObjects: 10,
		Kinds: []layout.Count{
			logicTransform.Count(10), logicMoving.Count(10), logicClimb.Count(10),
			logicClimbUp.Count(0),
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	root := stage.Root{Order: stage.EnterUpdateLeave}
	if err := root.Add(logicWorld); err != nil {
		fmt.Println(err)
		return
	}
	state, walker, _ := world.CreateWith(state, logicTransform, logicMoving)
	slope := [4]float32{-0.25881904, 0, 0, 0.9659258} // about x, by half of 30°
	state, _ = world.Set(state, walker, logicInput, [3]float32{0, 0, 1})
	state, _ = world.Set(state, walker, logicUp, slope)

	for range 2 {
		state = root.Update(state, 0.02)
		next, _ := world.Get(state, walker, logicNext)
		fmt.Printf("%.3f\n", next)
	}
	// Output:
	// [0.000 0.500 0.866]
	// [0.000 1.000 1.732]
}
