package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/turn"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// A finder finds the values of one field by id.
type finder[T any] struct {
	lookup
	column []T // of the world
}

func finderOf[T any](j *job, f layout.Field[T]) finder[T] {
	m := j.Manager(f.Spec().Kind)
	return finder[T]{
		lookup{j, walk.MaskOf(m.Kind), j.Objects.Generations, m.Blocks, m, f.Spec()},
		buffer.Span[T](m.Columns[f.Spec().Index].Base, 0, m.Cap()),
	}
}

// find returns a pointer to the value of an object, or nil.
func (f *finder[T]) find(id GameObject) *T {
	if f == nil {
		panic(noReader)
	}
	row := f.inLockstep(id)
	if row >= uint(len(f.column)) {
		if row = f.search(id); row == nowhere {
			return nil
		}
	}
	return &f.column[row]
}

// A lookup finds the rows of one field by id. It is not generic, because what is generic takes
// longer to call.
type lookup struct {
	job         *job
	kind        uint64 // its bit in Walks.Writes
	generations []uint32
	blocks      []manager.Block
	manager     *manager.Manager
	field       *layout.FieldSpec
}

const nowhere = ^uint(0) // more than any row

// inLockstep returns the row of an object, or nowhere if it has none, and where search must look.
func (l *lookup) inLockstep(id GameObject) uint {
	if i := uint(id.Index()); i < uint(len(l.generations)) && // as many as of the zero one none
		l.job.walks.Writes&l.kind == 0 && l.generations[i] == id.Generation() {
		if b := &l.blocks[i>>6]; (b.Present&^b.Odd)>>(i&63)&1 != 0 {
			return uint(uint32(i) + b.Base)
		}
	}
	return nowhere
}

// search is the slow path of inLockstep: the object may be odd, or an open walk may write the
// field.
//
//go:noinline
func (l *lookup) search(id GameObject) uint {
	l.checkOpen()
	if l.job.Objects.Alive(id) {
		if row, ok := l.manager.RowOf(id.Index()); ok {
			return uint(row)
		}
	}
	return nowhere
}

// checkOpen panics if the world was closed, and while a walk that writes the field is open.
func (l *lookup) checkOpen() {
	if l.job == nil || l.job.guard.Turn == turn.Ended {
		panic(noReader)
	}
	l.job.checkUnheld(l.field)
}

// begin begins a lookup of many ids.
func (l *lookup) begin(places, ids int) {
	if places < ids || l.job == nil || l.job.walks.Writes&l.kind != 0 {
		l.beginSlow(places, ids)
	}
}

//go:noinline
func (l *lookup) beginSlow(places, ids int) {
	l.checkOpen()
	if places < ids {
		panic(fmt.Sprintf("flatecs: AtN of %d ids has room for %d; make dst as long as ids", ids,
			places))
	}
}

// rowInLockstep returns the row of an object in lockstep, or nowhere.
func rowInLockstep(generations []uint32, blocks []manager.Block, id GameObject) uint {
	if i := uint(id.Index()); i < uint(len(generations)) && generations[i] == id.Generation() {
		if b := &blocks[i>>6]; (b.Present&^b.Odd)>>(i&63)&1 != 0 {
			return uint(uint32(i) + b.Base)
		}
	}
	return nowhere
}
