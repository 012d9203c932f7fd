package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/values"
	"github.com/flatecs/flatecs/manager"
)

// A ResourceKind is a singleton of a world, such as settings, a score, or the size of a canvas. Its
// fields are in the world's bytes, and are copied, restored and compared with them. Declare it
// once, as a package-level variable, and give it to worlds in [Counts]. [Resource] reads its
// fields, [SetResource] writes them. Besides its fields it takes 1 KB and about 0.6 bytes per
// object: prefer one resource with many fields to many resources.
type ResourceKind struct{ kind Kind }

// NewResource declares a resource with at least one field. It panics like [layout.NewKind], and
// without fields.
func NewResource(name string, fields ...layout.AnyField) ResourceKind {
	if len(fields) == 0 {
		panic("flatecs: resource " + name + " has no fields; give it at least 1")
	}
	return ResourceKind{layout.NewKind(name, fields...)}
}

// String returns the name of r.
func (r ResourceKind) String() string { return r.kind.String() }

// Resource returns a field of a resource. It panics if the world does not have the resource.
func Resource[T any](s State, f layout.Field[T]) T {
	return *at(s.look().resource(f.Spec().Kind), f, 0)
}

// SetResource sets a field of a resource. Walks may be open. It panics if the world does not have
// the resource, and in a task.
func SetResource[T any](s State, f layout.Field[T], value T) State {
	j := s.use()
	j.outside("a resource is set in a task; set it before the tasks or after them")
	m := j.resource(f.Spec().Kind)
	*at(m, f, 0) = value
	m.Touch(0, 1)
	return s.done()
}

// A Shared is a singleton of any Go type, such as pictures, sounds, or a connection. It lies beside
// the world's bytes. [Clone] copies the value, but shares what it points to.
type Shared[T any] struct{ values layout.Values[T] }

// NewShared declares a Go value of which every world has one, with value as the initial one. It
// panics if the name is empty.
func NewShared[T any](name string, value T) Shared[T] {
	return Shared[T]{layout.NewValues(name, value)}
}

// Values returns the kind of values of v, for codecs.
func (v Shared[T]) Values() layout.Values[T] { return v.values }

// Kind returns the resource of v, for [Counts].
func (v Shared[T]) Kind() ResourceKind { return ResourceKind{v.values.Kind()} }

// Of returns the value of v in a world. It panics if the world does not have it.
func (v Shared[T]) Of(s State) T {
	return sharedColumn(s.look().resource(v.values.Kind().Spec()), v).Rows[0]
}

// Set sets the value of v in a world; copies of the world keep theirs. It panics if the world does
// not have it, and in a task.
func (v Shared[T]) Set(s State, value T) State {
	j := s.use()
	j.outside("a resource is set in a task; set it before the tasks or after them")
	m := j.resource(v.values.Kind().Spec())
	sharedColumn(m, v).Rows[0] = value
	m.Touch(0, 1)
	return s.done()
}

func sharedColumn[T any](m *manager.Manager, _ Shared[T]) *values.Slice[T] {
	return m.Values.(*values.Slice[T])
}
