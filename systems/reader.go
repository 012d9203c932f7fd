package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A Reader reads one field of one world by object id, for loops that follow ids. It stays valid as
// long as the world, through every change.
type Reader[T any] struct {
	lookup
	base buffer.Base // of every row's value
}

// A lookup finds the rows of one field.
type lookup struct {
	job         *job
	field       *layout.FieldSpec
	generations []uint32
	blocks      []manager.Block
	manager     *manager.Manager
}

// Open returns a Reader of a field. It panics when the world has no such kind.
func Open[T any](s State, f layout.Field[T]) Reader[T] {
	l := s.look().lookup(f.Spec())
	return Reader[T]{l, l.manager.Columns[f.Spec().Index].Base}
}

func (j *job) lookup(f *layout.FieldSpec) lookup {
	m := j.find(f.Kind)
	return lookup{j, f, j.Objects.Generations, m.Blocks, m}
}

// At returns a copy of the field of id's component, and whether the object is alive and has one. It
// panics while a walk that writes the field is open.
func (r *Reader[T]) At(id GameObject) (value T, ok bool) {
	row, ok := r.row(id)
	if ok {
		value = *buffer.At[T](r.base, int(row))
	}
	return value, ok
}

// row finds the row of an object.
func (l *lookup) row(id GameObject) (Row, bool) {
	if i := uint(id.Index()); l.job.depth == 0 &&
		i < uint(len(l.generations)) && l.generations[i] == id.Generation() {
		if b := &l.blocks[i>>6]; (b.Present&^b.Odd)>>(i&63)&1 != 0 {
			return Row(uint32(i) + b.Base), true
		}
	}
	return l.search(id)
}

// search finds the row of an object that may not be in lockstep, or while a walk may be open.
//
//go:noinline
func (l *lookup) search(id GameObject) (Row, bool) {
	l.job.free(l.field)
	if !l.job.Objects.Alive(id) {
		return 0, false
	}
	return l.manager.RowOf(id.Index())
}
