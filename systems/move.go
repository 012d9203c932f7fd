package systems

import "github.com/flatecs/flatecs/buffer/kernel"

// MoveQuery is what [MoveAll] walks.
var MoveQuery = NewQuery(Write(Position), Read(Velocity))

// Move adds a velocity to the three lanes of a position: p += v. It panics when a row is not in
// use, or a kind not counted.
func Move(s State, position, velocity Row) State {
	j := s.use()
	j.own(Position.Spec())
	kernel.Move(inRow(j, Position, position)[:], []float32{*inRow(j, Velocity, velocity)})
	j.Manager(Position.Kind().Spec()).Touch(uint32(position), 1)
	return s.done()
}

// MoveAll moves every object that has a position and a velocity: none in a world that does not
// count both.
func MoveAll(s State) State {
	if s.look().Lacks(Position.Kind(), Velocity.Kind()) {
		return s.done()
	}
	for b := range MoveQuery.In(s) {
		kernel.Move(Flat[float32](b, Position), Column(b, Velocity))
	}
	return s.done()
}
