package systems

import "github.com/flatecs/flatecs/buffer/kernel"

// FlyQuery is what [FlyAll] walks.
var FlyQuery = NewQuery(Write(XYZ), Read(Speed, MaxVelocity))

// Fly adds twice a velocity to the three lanes of a position, or the maximum where the velocity has
// reached it: d = v < max ? v*2 : max; p += d. The velocity stays as it is, and d may be above the
// maximum: a velocity of 8 with a maximum of 10 gives 16. It panics when a row is not in use.
func Fly(s State, p Position, v Velocity, f Flight) State {
	j := s.use()
	j.own(XYZ.Spec())
	kernel.Fly(j.position(p)[:], []float32{*j.velocity(v)}, []float32{*j.maxVelocity(f)})
	j.positions.Touch(uint32(p), 1)
	return s.done()
}

// FlyAll flies every object that has a position, a velocity and a fly.
func FlyAll(s State) State {
	for b := range FlyQuery.In(s) {
		kernel.Fly(Flat[float32](b, XYZ), Column(b, Speed), Column(b, MaxVelocity))
	}
	return s.done()
}
