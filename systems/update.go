package systems

import "github.com/flatecs/flatecs/buffer/kernel"

// UpdateQuery is what [Update] walks in a task.
var UpdateQuery = NewQuery(Write(XYZ))

// Update doubles every position that is on an object, p *= 2, in one batch of the positions'
// manager; a task doubles those of its own objects. It panics while a walk that writes positions is
// open.
func Update(s State) State {
	j := s.use()
	if j.whole == nil {
		j.free(XYZ.Spec())
		j.positions.Update()
		return s.done()
	}
	for b := range UpdateQuery.In(s) {
		kernel.Scale(Flat[float32](b, XYZ), 2)
	}
	return s.done()
}
