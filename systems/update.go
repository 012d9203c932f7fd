package systems

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/manager"
)

// UpdateQuery is what [Update] walks in a task.
var UpdateQuery = NewQuery(Write(Position))

// Update doubles every position that is on an object, p *= 2, in one batch of the positions'
// manager; a task doubles those of its own objects. It panics while a walk that writes positions is
// open. In a world that does not count positions it does nothing.
func Update(s State) State {
	j := s.use()
	m := j.Find(Position.Kind().Spec())
	if m == nil {
		return s.done()
	}
	if j.whole == nil {
		j.free(Position.Spec())
		manager.PositionsOf(m).Update()
		return s.done()
	}
	for b := range UpdateQuery.In(s) {
		kernel.Scale(Flat[float32](b, Position), 2)
	}
	return s.done()
}
