package systems

import "github.com/flatecs/flatecs/manager"

// MaxVelocity is the field of flies: one float32 in world units per step along each axis, 10 by
// default.
var MaxVelocity = manager.MaxVelocity

// FlyKind is the kind of flies.
var FlyKind = manager.FlyKind

// Flight is the row of a fly.
type Flight = manager.Flight

// CreateFly returns a fly that is on no object yet. Its errors are those of [Create].
func CreateFly(s State) (State, Flight, error) {
	s, row, err := Create(s, FlyKind)
	return s, Flight(row), err
}

// MountFly puts a created fly on an object. Its errors are those of [Mount].
func MountFly(s State, id GameObject, row Flight) (State, error) {
	return Mount(s, id, FlyKind, Row(row))
}

// AddFly creates a fly and mounts it. Its errors are those of [Add].
func AddFly(s State, id GameObject) (State, Flight, error) {
	s, row, err := Add(s, id, FlyKind)
	return s, Flight(row), err
}

// FlyOf returns the row of an object's fly. Its errors are those of [RowOf].
func FlyOf(s State, id GameObject) (Flight, error) {
	row, err := RowOf(s, id, FlyKind)
	return Flight(row), err
}

// HasFly reports whether an object is alive and has a fly.
func HasFly(s State, id GameObject) bool { return Has(s, id, FlyKind) }

// RemoveFly disposes an object's fly. Its errors are those of [Remove].
func RemoveFly(s State, id GameObject) (State, error) { return Remove(s, id, FlyKind) }

// DisposeFly disposes a fly by row. It panics when row is not in use.
func DisposeFly(s State, row Flight) State { return Dispose(s, FlyKind, Row(row)) }

// MaxVelocityAt returns the velocity from which a fly is capped, in world units per step. It panics
// when row is not in use.
func MaxVelocityAt(s State, row Flight) float32 { return *s.look().maxVelocity(row) }

// SetMaxVelocity sets the velocity from which a fly is capped, in world units per step. It panics
// when row is not in use.
func SetMaxVelocity(s State, row Flight, maxVelocity float32) State {
	j := s.use()
	j.own(MaxVelocity.Spec())
	*j.maxVelocity(row) = maxVelocity
	j.flies.Touch(uint32(row), 1)
	return s.done()
}

func (j *job) maxVelocity(row Flight) *float32 {
	j.free(MaxVelocity.Spec())
	return j.flies.At(row)
}
