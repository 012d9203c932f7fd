package systems

import "github.com/flatecs/flatecs/buffer/kernel"

// MoveQuery is the query of [MoveAll].
var MoveQuery = NewQuery(Write(Position), Read(Velocity))

// Move adds a velocity to each lane of a position: p += v. It panics if a row is not in use, or if
// the world does not have one of the kinds.
func Move(s State, position, velocity Row) State {
	j := s.use()
	j.own(Position.Spec())
	kernel.Move(inRow(j, Position, position)[:], []float32{*inRow(j, Velocity, velocity)})
	j.find(Position.Kind().Spec()).Touch(uint32(position), 1)
	return s.done()
}

// MoveAll moves every object that has a position and a velocity. It does nothing in a world without
// one of these kinds.
func MoveAll(s State) State {
	if s.look().lacks(Position.Kind(), Velocity.Kind()) {
		return s.done()
	}
	for b := range MoveQuery.In(s) {
		kernel.Move(Flat[float32](b, Position), Column(b, Velocity))
	}
	return s.done()
}
