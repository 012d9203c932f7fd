package systems

import "github.com/flatecs/flatecs/buffer/kernel"

// MoveQuery is what [MoveAll] walks.
var MoveQuery = NewQuery(Write(XYZ), Read(Speed))

// Move adds a velocity to the three lanes of a position: p += v. It panics when a row is not in
// use.
func Move(s State, p Position, v Velocity) State {
	j := s.use()
	j.own(XYZ.Spec())
	kernel.Move(j.position(p)[:], []float32{*j.velocity(v)})
	j.positions.Touch(uint32(p), 1)
	return s.done()
}

// MoveAll moves every object that has a position and a velocity.
func MoveAll(s State) State {
	for b := range MoveQuery.In(s) {
		kernel.Move(Flat[float32](b, XYZ), Column(b, Speed))
	}
	return s.done()
}
