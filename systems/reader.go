package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/turn"
)

const noReader = "systems: this Reader is of no world, or of one that was closed; get one by Open"

// A Reader reads one field of one world by object id, for loops that follow ids. It stays valid as
// long as the world, through every change.
type Reader[T any] finder[T]

// Open returns a Reader of a field. It panics when the world has no such kind.
func Open[T any](s State, f layout.Field[T]) Reader[T] { return Reader[T](finderOf(s.look(), f)) }

// At returns a copy of the field of id's component, and whether the object is alive and has one. It
// panics while a walk that writes the field is open.
func (r *Reader[T]) At(id GameObject) (value T, ok bool) {
	if p, _ := (*finder[T])(r).find(id); p != nil {
		value, ok = *p, true
	}
	return //nolint:nakedret // bare, and so cheap enough to be inlined
}

// A finder finds the values of one field.
type finder[T any] struct {
	lookup
	base buffer.Base // of every row's value
}

func finderOf[T any](j *job, f layout.Field[T]) finder[T] {
	m := j.Manager(f.Spec().Kind)
	return finder[T]{
		lookup{j, f.Spec(), j.Objects.Generations, m.Blocks, m}, m.Columns[f.Spec().Index].Base,
	}
}

// find returns the place and the row of an object's value, or nil.
func (f *finder[T]) find(id GameObject) (place *T, row uint32) {
	if f == nil {
		panic(noReader)
	}
	if i := uint(id.Index()); i < uint(len(f.generations)) && // as many as of the zero one none
		f.job.walks.Depth == 0 && f.generations[i] == id.Generation() {
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

// A lookup finds the rows of one field.
type lookup struct {
	job         *job
	field       *layout.FieldSpec
	generations []uint32
	blocks      []manager.Block
	manager     *manager.Manager
}

// search finds the row of an object that may not be in lockstep, or while a walk may be open.
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

// A Writer writes one field of one world by object id, for loops that follow ids. It is valid until
// the world is changed by other means.
type Writer[T any] struct {
	finder[T]
	turn uint64 // of the world, when it was opened
}

// OpenWrite returns a Writer of a field. It panics when the world has no such kind, while a walk
// that writes the field is open, and in a task.
func OpenWrite[T any](s State, f layout.Field[T]) (State, Writer[T]) {
	j := s.use()
	found := finderOf(j, f)
	j.checkWritable(f.Spec())
	s = s.done()
	return s, Writer[T]{found, s.turn}
}

// At returns the place of the field of id's component, which counts as written now, or nil when the
// object is dead or has none. It may be written until the next change of structure or the next
// tick. It panics once the world was changed since [OpenWrite], and while a walk that writes the
// field is open.
func (w *Writer[T]) At(id GameObject) *T {
	if w == nil || w.job == nil || turn.Checked && w.job.guard.Turn != w.turn {
		w.panicStale()
	}
	place, row := w.find(id)
	if place != nil {
		w.manager.Touch(row, 1)
	}
	return place
}

//go:noinline
func (w *Writer[T]) panicStale() {
	if w == nil || w.job == nil {
		panic("systems: this Writer is of no world; get one by OpenWrite")
	}
	panic("systems: the world was changed since this Writer was opened; " +
		"write state, writer = systems.OpenWrite(state, field) after the change")
}
