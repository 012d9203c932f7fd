package heroes

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// MoveQuery is the query of [MoveAll].
var MoveQuery = systems.NewQuery(systems.Write(Position), systems.Read(Velocity))

// Move adds a velocity to each lane of a position: p += v. It panics if a row is not in use, or if
// the world does not have one of the kinds.
func Move(s systems.State, position, velocity layout.Row) systems.State {
	v := systems.GetRow(s, Velocity, velocity)
	kernel.Move(systems.EditRow(s, Position, position)[:], []float32{v})
	return systems.Next(s)
}

// MoveAll moves every object that has a position and a velocity. It does nothing in a world without
// one of these kinds.
func MoveAll(s systems.State) systems.State {
	if has(s, Position.Kind(), Velocity.Kind()) {
		for b := range MoveQuery.In(s) {
			kernel.Move(layout.Flat[float32](Position, systems.Column(b, Position)),
				systems.Column(b, Velocity))
		}
	}
	return systems.Next(s)
}

// FlyQuery is the query of [FlyAll].
var FlyQuery = systems.NewQuery(systems.Write(Position), systems.Read(Velocity, MaxVelocity))

// Fly adds twice a velocity to each lane of a position, or the maximum if the velocity has reached
// it: d = v < max ? v*2 : max; p += d. The velocity is unchanged, and d may exceed the maximum: a
// velocity of 8 with a maximum of 10 gives 16. It panics if a row is not in use, or if the world
// does not have one of the kinds.
func Fly(s systems.State, position, velocity, maxVelocity layout.Row) systems.State {
	v, limit := systems.GetRow(s, Velocity, velocity), systems.GetRow(s, MaxVelocity, maxVelocity)
	kernel.Fly(systems.EditRow(s, Position, position)[:], []float32{v}, []float32{limit})
	return systems.Next(s)
}

// FlyAll flies every object that has a position, a velocity and a maximum velocity. It does nothing
// in a world without one of these kinds.
func FlyAll(s systems.State) systems.State {
	if has(s, Position.Kind(), Velocity.Kind(), MaxVelocity.Kind()) {
		for b := range FlyQuery.In(s) {
			kernel.Fly(layout.Flat[float32](Position, systems.Column(b, Position)),
				systems.Column(b, Velocity), systems.Column(b, MaxVelocity))
		}
	}
	return systems.Next(s)
}

// UpdateQuery is the query of [Update] in a task.
var UpdateQuery = systems.NewQuery(systems.Write(Position))

// Update doubles every mounted position, p *= 2, in one batch of the manager. In a task it doubles
// the positions of the task's objects. It panics while a walk that reads or writes positions is
// open. It does nothing in a world without positions.
func Update(s systems.State) systems.State {
	switch {
	case !has(s, Position.Kind()):
		return systems.Next(s)
	case !systems.ToolsOf(s).Walking():
		return systems.Written(s, Position.Kind(), func(m *manager.Manager) {
			manager.PositionsOf(m).Update()
		})
	}
	for b := range UpdateQuery.In(s) {
		kernel.Scale(layout.Flat[float32](Position, systems.Column(b, Position)), 2)
	}
	return systems.Next(s)
}

// has reports whether a world has all of some kinds.
func has(s systems.State, kinds ...layout.Kind) bool {
	arena := systems.ArenaOf(s)
	for _, k := range kinds {
		if arena.Find(k.Spec()) == nil {
			return false
		}
	}
	return true
}
