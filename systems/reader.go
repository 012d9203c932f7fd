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
	row, ok := r.inLockstep(id)
	if !ok {
		if row, ok = r.search(id); !ok {
			return value, false
		}
	}
	return *buffer.At[T](r.base, int(row)), true
}

// inLockstep finds the row of an object that is in lockstep, while no walk is open.
func (l *lookup) inLockstep(id GameObject) (row uint32, ok bool) {
	i := uint(id.Index())
	if i >= uint(len(l.generations)) || l.generations[i] != id.Generation() ||
		l.job.depth != 0 {
		return 0, false
	}
	b := &l.blocks[i>>6]
	return uint32(i) + b.Base, (b.Present&^b.Odd)>>(i&63)&1 != 0
}

// search finds the row of an object that may not be in lockstep, or while a walk may be open.
//
//go:noinline
func (l *lookup) search(id GameObject) (row uint32, ok bool) {
	if l.job.turn == ended {
		State{job: l.job}.refuse()
	}
	l.job.free(l.field)
	if !l.job.Objects.Alive(id) {
		return 0, false
	}
	found, ok := l.manager.RowOf(id.Index())
	return uint32(found), ok
}
