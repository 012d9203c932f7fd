package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A Reader looks up one field of one world by object id, for loops that follow ids. What it returns
// is to be read; write through [Values]. It stays valid as long as the world, through every change.
type Reader[T layout.Element] struct {
	lookup
	base buffer.Base // of every row's lanes
}

// A lookup finds the elements of one field.
type lookup struct {
	job         *job
	field       *layout.FieldSpec
	lanes       int // elements per row
	generations []uint32
	blocks      []manager.Block
	manager     *manager.Manager
}

// Open returns a Reader of a field. It panics when the world has no such kind.
func Open[T layout.Element](s State, f layout.Field[T]) Reader[T] {
	j := s.look()
	m := j.find(f.Spec().Kind)
	return Reader[T]{
		lookup{j, f.Spec(), f.Spec().Lanes, j.Objects.Generations, m.Blocks, m},
		m.Columns[f.Spec().Index].Base,
	}
}

// At returns the lanes of id's component, in place, or nil when the object is dead or has none. It
// panics while a walk that writes the field is open.
func (r *Reader[T]) At(id GameObject) []T {
	if r == nil {
		panic(noReader)
	}
	if i := uint(id.Index()); i < uint(len(r.generations)) && // as many as of the zero Reader none
		r.job.depth == 0 && r.generations[i] == id.Generation() {
		if b := &r.blocks[i>>6]; (b.Present&^b.Odd)>>(i&63)&1 != 0 {
			return buffer.Span[T](r.base, int(uint32(i)+b.Base)*r.lanes, r.lanes)
		}
	}
	if row, ok := r.search(id); ok {
		return buffer.Span[T](r.base, int(row)*r.lanes, r.lanes)
	}
	return nil
}

// search finds the row of an object that may not be in lockstep, or while a walk may be open.
//
//go:noinline
func (l *lookup) search(id GameObject) (Row, bool) {
	if l.job == nil || l.job.turn == ended {
		panic(noReader)
	}
	l.job.free(l.field)
	if !l.job.Objects.Alive(id) {
		return 0, false
	}
	return l.manager.RowOf(id.Index())
}
