package systems

import "github.com/flatecs/flatecs/manager"

// XYZ is the field of positions: float32 x, y, z in world units, 0 by default.
var XYZ = manager.XYZ

// PositionKind is the kind of positions.
var PositionKind = manager.PositionKind

// Position is the row of a position.
type Position = manager.Position

// CreatePosition returns a position that is on no object yet. Its errors are those of [Create].
func CreatePosition(s State) (State, Position, error) {
	s, row, err := Create(s, PositionKind)
	return s, Position(row), err
}

// MountPosition puts a created position on an object. Its errors are those of [Mount].
func MountPosition(s State, id GameObject, row Position) (State, error) {
	return Mount(s, id, PositionKind, Row(row))
}

// AddPosition creates a position and mounts it. Its errors are those of [Add].
func AddPosition(s State, id GameObject) (State, Position, error) {
	s, row, err := Add(s, id, PositionKind)
	return s, Position(row), err
}

// PositionOf returns the row of an object's position. Its errors are those of [RowOf].
func PositionOf(s State, id GameObject) (Position, error) {
	row, err := RowOf(s, id, PositionKind)
	return Position(row), err
}

// HasPosition reports whether an object is alive and has a position.
func HasPosition(s State, id GameObject) bool { return Has(s, id, PositionKind) }

// RemovePosition disposes an object's position. Its errors are those of [Remove].
func RemovePosition(s State, id GameObject) (State, error) { return Remove(s, id, PositionKind) }

// DisposePosition disposes a position by row. It panics when row is not in use.
func DisposePosition(s State, row Position) State { return Dispose(s, PositionKind, Row(row)) }

// PositionAt returns x, y, z of a position in world units. It panics when row is not in use.
func PositionAt(s State, row Position) [3]float32 { return *s.look().position(row) }

// SetPosition sets x, y, z of a position in world units. It panics when row is not in use.
func SetPosition(s State, row Position, xyz [3]float32) State {
	j := s.use()
	j.own(XYZ.Spec())
	*j.position(row) = xyz
	j.positions.Touch(uint32(row), 1)
	return s.done()
}

func (j *job) position(row Position) *[3]float32 {
	j.free(XYZ.Spec())
	return j.positions.At(row)
}
