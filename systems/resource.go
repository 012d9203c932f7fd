package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/values"
	"github.com/flatecs/flatecs/manager"
)

// Resource returns a field of a resource. It panics if the world does not have the resource.
func Resource[T any](s State, f layout.Field[T]) T {
	return *at(s.look().resource(f.Spec().Kind), f, 0)
}

// SetResource sets a field of a resource. Walks may be open. It panics if the world does not have
// the resource, and in a task.
func SetResource[T any](s State, f layout.Field[T], value T) State {
	j := s.use()
	j.checkOutside("a resource is set in a task; set it before the tasks or after them")
	m := j.resource(f.Spec().Kind)
	*at(m, f, 0) = value
	m.TouchRow(0)
	return s.done()
}

// Of returns the value of v in a world. It panics if the world does not have it.
func (v Shared[T]) Of(s State) T {
	return sharedColumn(s.look().resource(v.values.Kind().Spec()), v).Rows[0]
}

// Set sets the value of v in a world; copies of the world keep theirs. It panics if the world does
// not have it, and in a task.
func (v Shared[T]) Set(s State, value T) State {
	j := s.use()
	j.checkOutside("a resource is set in a task; set it before the tasks or after them")
	m := j.resource(v.values.Kind().Spec())
	sharedColumn(m, v).Rows[0] = value
	m.TouchRow(0)
	return s.done()
}

func sharedColumn[T any](m *manager.Manager, _ Shared[T]) *values.Slice[T] {
	return m.Values.(*values.Slice[T])
}

// resource returns the manager of a resource. It panics if the world does not have it.
func (j *job) resource(k *layout.KindSpec) *manager.Manager {
	r := j.root()
	if k != nil {
		if slot := j.Slot(k); uint(slot-j.OnObjects) < uint(r.resources) {
			return &j.Managers[slot]
		}
	}
	panic(noResource(k))
}

func noResource(k *layout.KindSpec) string {
	if k == nil {
		return "flatecs: this is a field of no kind; give it to NewResource"
	}
	return "flatecs: this world has no resource " + k.Name +
		"; declare it by NewResource, and add it to Counts.Resources"
}
