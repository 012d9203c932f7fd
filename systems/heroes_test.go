package systems

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// The kinds of the tests are the heroes', and their systems are walks like the walks of package
// systems/heroes, which imports this package.
var (
	Position    = manager.Position
	Velocity    = manager.Velocity
	MaxVelocity = manager.MaxVelocity
	Instance    = manager.Instance

	MoveQuery   = NewQuery(Write(Position), Read(Velocity))
	FlyQuery    = NewQuery(Write(Position), Read(Velocity, MaxVelocity))
	UpdateQuery = NewQuery(Write(Position))
)

func MoveAll(s State) State {
	for b := range MoveQuery.In(s) {
		kernel.Move(layout.Flat[float32](Position, Column(b, Position)), Column(b, Velocity))
	}
	return Next(s)
}

func Update(s State) State {
	for b := range UpdateQuery.In(s) {
		kernel.Scale(layout.Flat[float32](Position, Column(b, Position)), 2)
	}
	return Next(s)
}
