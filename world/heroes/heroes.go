package heroes

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// Position is the position of an object: x, y, z in world units, 0 by default.
var Position = heroes.Position

// Velocity is the velocity of an object: world units per step along each axis, 1 by default.
var Velocity = heroes.Velocity

// MaxVelocity is the velocity at which the speed of a flying object is capped: world units per step
// along each axis, 10 by default. Its kind is named fly.
var MaxVelocity = heroes.MaxVelocity

// Instance is the kind of the objects that are drawn in one batch. It has no data, but its row
// serves as a uid.
var Instance = heroes.Instance

// A Renderer draws. It gets bytes and numbers, and does not depend on worlds. The bytes are valid
// until the call returns. Package systems/heroes describes its methods.
type Renderer = heroes.Renderer

// CreateState allocates a world with room for the given numbers of positions, velocities and flies,
// and for as many instances as positions, and sets their columns to the defaults. It returns the
// errors of [world.CreateState].
func CreateState(positions, velocities, flies int) (world.State, error) {
	return world.CreateState(heroes.Counts(positions, velocities, flies))
}

// CreateGameObject creates a game object. It is [world.Create].
func CreateGameObject(s world.State) (world.State, world.GameObject, error) {
	return world.Create(s)
}

// CreatePosition creates a position that is not mounted yet. It returns the errors of
// [world.CreateComponent].
func CreatePosition(s world.State) (world.State, layout.Row, error) {
	return world.CreateComponent(s, Position)
}

// CreateVelocity creates a velocity, like [CreatePosition].
func CreateVelocity(s world.State) (world.State, layout.Row, error) {
	return world.CreateComponent(s, Velocity)
}

// CreateFly creates a fly, whose value is a maximum velocity, like [CreatePosition].
func CreateFly(s world.State) (world.State, layout.Row, error) {
	return world.CreateComponent(s, MaxVelocity)
}

// CreateInstance creates an instance mark, like [CreatePosition].
func CreateInstance(s world.State) (world.State, layout.Row, error) {
	return world.CreateComponent(s, Instance)
}

// SetComponent mounts a component on a game object. It is [world.Mount].
func SetComponent(
	s world.State, id world.GameObject, k layout.Kind, row layout.Row,
) (world.State, error) {
	return world.Mount(s, id, k, row)
}

// GetPosition returns a position by its row. It panics like [world.GetRow].
func GetPosition(s world.State, position layout.Row) [3]float32 {
	return world.GetRow(s, Position, position)
}

// SetPosition sets a position by its row. It panics like [world.SetRow].
func SetPosition(s world.State, position layout.Row, xyz [3]float32) world.State {
	return world.SetRow(s, Position, position, xyz)
}

// GetVelocity returns a velocity by its row. It panics like [world.GetRow].
func GetVelocity(s world.State, velocity layout.Row) float32 {
	return world.GetRow(s, Velocity, velocity)
}

// SetVelocity sets a velocity by its row. It panics like [world.SetRow].
func SetVelocity(s world.State, velocity layout.Row, value float32) world.State {
	return world.SetRow(s, Velocity, velocity, value)
}

// GetMaxVelocity returns the maximum velocity of a fly by its row. It panics like [world.GetRow].
func GetMaxVelocity(s world.State, fly layout.Row) float32 {
	return world.GetRow(s, MaxVelocity, fly)
}

// SetMaxVelocity sets the maximum velocity of a fly by its row. It panics like [world.SetRow].
func SetMaxVelocity(s world.State, fly layout.Row, value float32) world.State {
	return world.SetRow(s, MaxVelocity, fly, value)
}

// Move adds a velocity to each lane of a position: p += v. It panics if a row is not in use, or if
// the world lacks one of the kinds.
func Move(s world.State, position, velocity layout.Row) world.State {
	return heroes.Move(s, position, velocity)
}

// MoveAll moves every object that has a position and a velocity. It does nothing in a world without
// one of these kinds.
func MoveAll(s world.State) world.State { return heroes.MoveAll(s) }

// Fly adds twice a velocity to each lane of a position, or the maximum if the velocity has reached
// it: d = v < max ? v*2 : max; p += d. The velocity is unchanged, and d may exceed the maximum: a
// velocity of 8 with a maximum of 10 gives 16. It panics like [Move].
func Fly(s world.State, position, velocity, fly layout.Row) world.State {
	return heroes.Fly(s, position, velocity, fly)
}

// FlyAll flies every object that has a position, a velocity and a fly. It does nothing in a world
// without one of these kinds.
func FlyAll(s world.State) world.State { return heroes.FlyAll(s) }

// Update doubles every mounted position, p *= 2, in one batch of its manager. In a task it doubles
// the positions of the task's objects. It panics while a walk that reads or writes positions is
// open. It does nothing in a world without positions.
func Update(s world.State) world.State { return heroes.Update(s) }

// RenderOneByOne draws every object that has a position and no instance mark, ascending. It does
// nothing in a world without positions.
func RenderOneByOne(s world.State, r Renderer) world.State { return heroes.RenderOneByOne(s, r) }

// RenderInstances draws every object that has a position and an instance mark, ascending, with one
// call per run of consecutive positions. It does nothing in a world without one of these kinds.
func RenderInstances(s world.State, r Renderer) world.State { return heroes.RenderInstances(s, r) }

// Init initializes the renderer, once, before the first frame. The world is unchanged.
func Init(s world.State, r Renderer) world.State {
	world.Len(s) // panics if s is stale
	if r == nil {
		program.Refuse("flatecs: Init without a Renderer; hand in one")
	}
	r.Init()
	return s
}

// Loop calls frame, a function that takes the world through one frame, frames times.
func Loop(s world.State, frames int, frame func(world.State) world.State) world.State {
	if frame == nil {
		program.Refuse("flatecs: Loop without a frame; give the function that steps one")
	}
	for range frames {
		s = program.Kept(s, frame(s), "flatecs: Loop: the frame", "")
	}
	return s
}
