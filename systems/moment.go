package systems

import "github.com/flatecs/flatecs/manager"

// A Moment is a time in the life of one kind in one world: while it is the same, the same objects
// have the kind, with the same values. The zero Moment is no time of any world.
type Moment struct {
	world   *manager.Arena
	restore uint32 // number of restores before
	shape   uint32 // tick of the last change of structure, its low half
	value   uint64 // tick of the last change of a value
}

// Moment returns the moment of a kind, for package systems/tool. It is over if the kind was written
// in the current tick, because later writes of this tick look like the earlier ones. It panics if
// the world does not have the kind.
func (a Arena) Moment(k Kind) (now Moment, over bool) {
	j := a.state.look()
	m := j.Manager(k.Spec())
	shape, value := m.LastChange()
	return Moment{a.Arena, j.root().past.Restores(), shape, value},
		shape == uint32(*j.Tick) || value == *j.Tick
}
