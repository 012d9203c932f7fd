package systems

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/manager"
)

// UpdateQuery is the query of [Update] in a task.
var UpdateQuery = NewQuery(Write(Position))

// Update doubles every mounted position, p *= 2, in one batch of the manager. In a task it doubles
// those of the task's objects. It panics while a walk that writes positions is open. It does
// nothing in a world without positions.
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
