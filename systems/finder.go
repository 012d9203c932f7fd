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
	base buffer.Base // address of the first row's value
}

func finderOf[T any](j *job, f layout.Field[T]) finder[T] {
	m := j.Manager(f.Spec().Kind)
	return finder[T]{
		lookup{j, walk.MaskOf(m.Kind), j.Objects.Generations, m.Blocks, m, f.Spec()},
		m.Columns[f.Spec().Index].Base,
	}
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

// row returns the row of an object, and whether it has one.
func (l *lookup) row(id GameObject) (row uint32, ok bool) {
	if row, ok = l.inLockstep(id); ok {
		return row, true
	}
	return l.search(id)
}

// stamp is row, and stamps the row as written.
func (l *lookup) stamp(id GameObject) (row uint32, ok bool) {
	if row, ok = l.inLockstep(id); !ok {
		if row, ok = l.search(id); !ok {
			return 0, false
		}
	}
	l.manager.TouchRow(row)
	return row, true
}

// inLockstep is the hot path of row, which is inlined.
func (l *lookup) inLockstep(id GameObject) (row uint32, ok bool) {
	if i := uint(id.Index()); i < uint(len(l.generations)) && // as many as of the zero one none
		l.job.walks.Writes&l.kind == 0 && l.generations[i] == id.Generation() {
		b := &l.blocks[i>>6]
		return uint32(i) + b.Base, (b.Present&^b.Odd)>>(i&63)&1 != 0
	}
	return 0, false
}

// search is the slow path of row: the object may be odd, or an open walk may write the field.
//
//go:noinline
func (l *lookup) search(id GameObject) (row uint32, ok bool) {
	l.checkOpen()
	if !l.job.Objects.Alive(id) {
		return 0, false
	}
	found, ok := l.manager.RowOf(id.Index())
	return uint32(found), ok
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
	if l.job == nil || l.job.walks.Writes&l.kind != 0 {
		l.checkOpen()
	}
	if places < ids {
		panicShort(places, ids)
	}
}

//go:noinline
func panicShort(places, ids int) {
	panic(fmt.Sprintf("flatecs: AtN of %d ids has room for %d; make dst as long as ids", ids, places))
}

const nowhere = ^uint(0) // more than any row

// rowInLockstep returns the row of an object in lockstep, or nowhere.
func rowInLockstep(generations []uint32, blocks []manager.Block, id GameObject) uint {
	if i := uint(id.Index()); i < uint(len(generations)) && generations[i] == id.Generation() {
		if b := &blocks[i>>6]; (b.Present&^b.Odd)>>(i&63)&1 != 0 {
			return uint(uint32(i) + b.Base)
		}
	}
	return nowhere
}

// searchRow is search that returns nowhere for an object without a row.
func (l *lookup) searchRow(id GameObject) uint {
	if row, ok := l.search(id); ok {
		return uint(row)
	}
	return nowhere
}
