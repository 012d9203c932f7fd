package systems

import "github.com/flatecs/flatecs/buffer/kernel"

// FlyQuery is the query of [FlyAll].
var FlyQuery = NewQuery(Write(Position), Read(Velocity, MaxVelocity))

// Fly adds twice a velocity to each lane of a position, or the maximum if the velocity has reached
// it: d = v < max ? v*2 : max; p += d. The velocity is unchanged, and d may exceed the maximum: a
// velocity of 8 with a maximum of 10 gives 16. It panics if a row is not in use, or if the world
// does not have one of the kinds.
func Fly(s State, position, velocity, maxVelocity Row) State {
	j := s.use()
	j.own(Position.Spec())
	kernel.Fly(inRow(j, Position, position)[:], []float32{*inRow(j, Velocity, velocity)},
		[]float32{*inRow(j, MaxVelocity, maxVelocity)})
	j.find(Position.Kind().Spec()).Touch(uint32(position), 1)
	return s.done()
}

// FlyAll flies every object that has a position, a velocity and a maximum velocity. It does nothing
// in a world without one of these kinds.
func FlyAll(s State) State {
	if s.look().lacks(Position.Kind(), Velocity.Kind(), MaxVelocity.Kind()) {
		return s.done()
	}
	for b := range FlyQuery.In(s) {
		kernel.Fly(Flat[float32](b, Position), Column(b, Velocity), Column(b, MaxVelocity))
	}
	return s.done()
}
