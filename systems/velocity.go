package systems

import "github.com/flatecs/flatecs/manager"

// Speed is the field of velocities: one float32 in world units per step along each axis, 1 by
// default.
var Speed = manager.Speed

// VelocityKind is the kind of velocities.
var VelocityKind = manager.VelocityKind

// Velocity is the row of a velocity.
type Velocity = manager.Velocity

// CreateVelocity returns a velocity that is on no object yet. Its errors are those of [Create].
func CreateVelocity(s State) (State, Velocity, error) {
	s, row, err := Create(s, VelocityKind)
	return s, Velocity(row), err
}

// MountVelocity puts a created velocity on an object. Its errors are those of [Mount].
func MountVelocity(s State, id GameObject, row Velocity) (State, error) {
	return Mount(s, id, VelocityKind, Row(row))
}

// AddVelocity creates a velocity and mounts it. Its errors are those of [Add].
func AddVelocity(s State, id GameObject) (State, Velocity, error) {
	s, row, err := Add(s, id, VelocityKind)
	return s, Velocity(row), err
}

// VelocityOf returns the row of an object's velocity. Its errors are those of [RowOf].
func VelocityOf(s State, id GameObject) (Velocity, error) {
	row, err := RowOf(s, id, VelocityKind)
	return Velocity(row), err
}

// HasVelocity reports whether an object is alive and has a velocity.
func HasVelocity(s State, id GameObject) bool { return Has(s, id, VelocityKind) }

// RemoveVelocity disposes an object's velocity. Its errors are those of [Remove].
func RemoveVelocity(s State, id GameObject) (State, error) { return Remove(s, id, VelocityKind) }

// DisposeVelocity disposes a velocity by row. It panics when row is not in use.
func DisposeVelocity(s State, row Velocity) State { return Dispose(s, VelocityKind, Row(row)) }

// VelocityAt returns a velocity in world units per step. It panics when row is not in use.
func VelocityAt(s State, row Velocity) float32 { return *s.look().velocity(row) }

// SetVelocity sets a velocity in world units per step. It panics when row is not in use.
func SetVelocity(s State, row Velocity, velocity float32) State {
	j := s.use()
	j.own(Speed.Spec())
	*j.velocity(row) = velocity
	j.velocities.Touch(uint32(row), 1)
	return s.done()
}

func (j *job) velocity(row Velocity) *float32 {
	j.free(Speed.Spec())
	return j.velocities.At(row)
}
