package systems

import "github.com/flatecs/flatecs/buffer/kernel"

// FlyQuery is what [FlyAll] walks.
var FlyQuery = NewQuery(Write(Position), Read(Velocity, MaxVelocity))

// Fly adds twice a velocity to the three lanes of a position, or the maximum where the velocity has
// reached it: d = v < max ? v*2 : max; p += d. The velocity stays as it is, and d may be above the
// maximum: a velocity of 8 with a maximum of 10 gives 16. It panics when a row is not in use, or
// the world does not count their kinds.
func Fly(s State, position, velocity, maxVelocity Row) State {
	j := s.use()
	j.own(Position.Spec())
	kernel.Fly(inRow(j, Position, position)[:], []float32{*inRow(j, Velocity, velocity)},
		[]float32{*inRow(j, MaxVelocity, maxVelocity)})
	j.Manager(Position.Kind().Spec()).Touch(uint32(position), 1)
	return s.done()
}

// FlyAll flies every object that has a position, a velocity and a maximum: none in a world that
// does not count all three.
func FlyAll(s State) State {
	if s.look().Lacks(Position.Kind(), Velocity.Kind(), MaxVelocity.Kind()) {
		return s.done()
	}
	for b := range FlyQuery.In(s) {
		kernel.Fly(Flat[float32](b, Position), Column(b, Velocity), Column(b, MaxVelocity))
	}
	return s.done()
}
