package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A Reader looks up one field of one world by object id, for loops that follow ids. What it returns
// is to be read; write through [Values]. It stays valid as long as the world, through every change.
type Reader[T layout.Element] struct {
	lookup
	column []T // every row's lanes
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
	j := s.use()
	m := j.find(f.Spec().Kind)
	return Reader[T]{
		lookup{j, f.Spec(), f.Spec().Lanes, j.Objects.Generations, m.Blocks, m},
		manager.Column(m, f),
	}
}

// At returns the lanes of id's component, in place, or nil when the object is dead or has none. It
// panics while a walk that writes the field is open.
func (r *Reader[T]) At(id GameObject) []T {
	if lo, hi := r.find(id); hi > 0 {
		return r.column[lo:hi:hi]
	}
	return nil
}

// find returns where the lanes of id's component begin and end; 0, 0 where there is none.
func (l *lookup) find(id GameObject) (lo, hi int) {
	if l.job.depth != 0 {
		l.job.free(l.field)
	}
	i := id.Index()
	if i >= uint32(len(l.generations)) || l.generations[i] != id.Generation() {
		return 0, 0
	}
	if b := &l.blocks[i>>6]; (b.Present&^b.Odd)>>(i&63)&1 != 0 {
		lo = int(i+b.Base) * l.lanes
		return lo, lo + l.lanes
	}
	if row, ok := l.manager.RowOf(i); ok {
		return int(row) * l.lanes, (int(row) + 1) * l.lanes
	}
	return 0, 0
}
