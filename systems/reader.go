package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/turn"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

const noReader = "flatecs: this Reader is of no world, or of one that was closed; get one by Open"

// A Reader reads one field of one world by id, for loops that follow ids. It stays valid as long as
// the world, whatever changes.
type Reader[T any] finder[T]

// Open returns a Reader of a field. It panics if the world does not have the kind.
func Open[T any](s State, f layout.Field[T]) Reader[T] { return Reader[T](finderOf(s.look(), f)) }

// At returns a copy of the field of an object, and whether the object is alive and has it. It
// panics while a walk that writes the field is open.
func (r *Reader[T]) At(id GameObject) (value T, ok bool) {
	if p, _ := (*finder[T])(r).find(id); p != nil {
		value, ok = *p, true
	}
	return //nolint:nakedret // bare, and so cheap enough to be inlined
}

// A finder finds the values of one field by id.
type finder[T any] struct {
	lookup
	base buffer.Base // address of the first row's value
}

func finderOf[T any](j *job, f layout.Field[T]) finder[T] {
	m := j.Manager(f.Spec().Kind)
	return finder[T]{
		lookup{j, f.Spec(), walk.MaskOf(m.Kind), j.Objects.Generations, m.Blocks, m},
		m.Columns[f.Spec().Index].Base,
	}
}

// find returns a pointer to the value of an object, or nil, and its row.
func (f *finder[T]) find(id GameObject) (place *T, row uint32) {
	if f == nil {
		panic(noReader)
	}
	if i := uint(id.Index()); i < uint(len(f.generations)) && // as many as of the zero one none
		f.job.walks.Writes&f.kind == 0 && f.generations[i] == id.Generation() {
		if b := &f.blocks[i>>6]; (b.Present&^b.Odd)>>(i&63)&1 != 0 {
			row = uint32(i) + b.Base
			return buffer.At[T](f.base, int(row)), row
		}
	}
	row, ok := f.search(id)
	if !ok {
		return nil, 0
	}
	return buffer.At[T](f.base, int(row)), row
}

// A lookup finds the rows of one field by id.
type lookup struct {
	job         *job
	field       *layout.FieldSpec
	kind        uint64 // its bit in Walks.Writes
	generations []uint32
	blocks      []manager.Block
	manager     *manager.Manager
}

// search is the slow path of find: the object may be odd, or an open walk may write the field.
//
//go:noinline
func (l *lookup) search(id GameObject) (row uint32, ok bool) {
	if l.job == nil || l.job.guard.Turn == turn.Ended {
		panic(noReader)
	}
	l.job.checkUnheld(l.field)
	if !l.job.Objects.Alive(id) {
		return 0, false
	}
	found, ok := l.manager.RowOf(id.Index())
	return uint32(found), ok
}

// A Writer writes one field of one world by id, for loops that follow ids. It is valid until the
// world is changed by other means.
type Writer[T any] struct {
	finder[T]
	turn uint64 // of the world, at OpenWrite
}

// OpenWrite returns a Writer of a field. It panics if the world does not have the kind, while a
// walk that writes the field is open, in a task, and for the reference of a relation.
func OpenWrite[T any](s State, f layout.Field[T]) (State, Writer[T]) {
	j := s.use()
	checkInPlace(f.Spec())
	found := finderOf(j, f)
	j.checkWritable(f.Spec())
	s = s.done()
	return s, Writer[T]{found, s.turn}
}

// At returns a pointer to the field of an object, and stamps it as written, or nil if the object is
// dead or does not have it. The pointer is valid until the next change of structure or the next
// tick. It panics if the world was changed since [OpenWrite], and while a walk that writes the
// field is open.
func (w *Writer[T]) At(id GameObject) *T {
	if w == nil || w.job == nil || turn.Checked && w.job.guard.Turn != w.turn {
		w.panicStale()
	}
	place, row := w.find(id)
	if place != nil {
		w.manager.TouchRow(row)
	}
	return place
}

//go:noinline
func (w *Writer[T]) panicStale() {
	if w == nil || w.job == nil {
		panic("flatecs: this Writer is of no world; get one by OpenWrite")
	}
	panic("flatecs: the world was changed since this Writer was opened; " +
		"write state, writer = systems.OpenWrite(state, field) after the change")
}
