package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/values"
	"github.com/flatecs/flatecs/manager"
)

// A ResourceKind is what a world has one of, and no object has: settings, a score, the size of a
// canvas. Its fields lie in the world's bytes, and are copied, restored and compared with them. It
// is declared once, as a package-level variable, and given to worlds by [Counts]. Read its fields
// by [Resource], write them by [SetResource]. In a world it takes its fields, 1 KB and about .6
// bytes per object: declare one resource with many fields rather than many.
type ResourceKind struct{ kind Kind }

// NewResource declares a resource from its fields, which start as their defaults. It panics where
// [layout.NewKind] does, and without fields.
func NewResource(name string, fields ...layout.AnyField) ResourceKind {
	if len(fields) == 0 {
		panic("systems: resource " + name + " has no fields; give it at least 1")
	}
	return ResourceKind{layout.NewKind(name, fields...)}
}

// String returns r's name.
func (r ResourceKind) String() string { return r.kind.String() }

// Resource returns a field of a resource. It panics when the world has no such resource.
func Resource[T any](s State, f layout.Field[T]) T {
	return *at(s.look().resource(f.Spec().Kind), f, 0)
}

// SetResource sets a field of a resource. Walks may be open meanwhile. It panics when the world has
// no such resource, and in a task.
func SetResource[T any](s State, f layout.Field[T], value T) State {
	j := s.use()
	j.outside("a resource is set in a task; set it before the tasks or after them")
	m := j.resource(f.Spec().Kind)
	*at(m, f, 0) = value
	m.Touch(0, 1)
	return s.done()
}

// A Shared is what a world has one of as a Go value of any type: pictures, sounds, a connection. It
// lies beside the world's bytes. [Clone] copies it: what T points to is shared.
type Shared[T any] struct{ values layout.Values[T] }

// NewShared declares a Go value that worlds have one of each; it starts as value. It panics when
// the name is empty.
func NewShared[T any](name string, value T) Shared[T] {
	return Shared[T]{layout.NewValues(name, value)}
}

// Values returns the kind of values that v is, for codecs.
func (v Shared[T]) Values() layout.Values[T] { return v.values }

// Kind returns the resource that v is in [Counts].
func (v Shared[T]) Kind() ResourceKind { return ResourceKind{v.values.Kind()} }

// Of returns a world's value of v. It panics when the world has none.
func (v Shared[T]) Of(s State) T {
	return sharedColumn(s.look().resource(v.values.Kind().Spec()), v).Rows[0]
}

// Set sets a world's value of v; copies of the world keep theirs. It panics when the world
// has none, and in a task.
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
