package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// A finder finds the values of one field by id.
type finder[T any] struct {
	lookup
	column []T // of the world
}

// open makes a finder of what is nothing yet, where it is to be: it is large, and takes longer to
// copy than to make.
func (f *finder[T]) open(j *job, field layout.Field[T]) {
	spec := field.Spec()
	m := j.Manager(spec.Kind)
	f.job, f.kind, f.manager, f.field = j, walk.MaskOf(m.Kind), m, spec
	f.generations, f.blocks = j.Objects.Generations, m.Blocks
	f.column = buffer.Span[T](m.Columns[spec.Index].Base, 0, m.Cap())
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
	if l.job == nil || l.job.guard.Turn == ended {
		panic(noReader)
	}
	l.job.checkUnheld(l.field)
}

// ready is called before many ids are looked up.
func (l *lookup) ready(places, ids int) {
	if places < ids || l.job == nil || l.job.walks.Writes&l.kind != 0 {
		l.readySlow(places, ids)
	}
}

//go:noinline
func (l *lookup) readySlow(places, ids int) {
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

const noReader = "flatecs: this Reader is of no world, or of one that was closed; get one by Open"

// A Reader reads one field of one world by id, for loops that follow ids. It stays valid as long as
// the world, whatever changes.
type Reader[T any] finder[T]

// Open returns a Reader of a field. It panics if the world does not have the kind, and in a task if
// another one may write the field.
func Open[T any](s State, f layout.Field[T]) (r Reader[T]) {
	r.begin(s, f)
	return r
}

func (r *Reader[T]) begin(s State, f layout.Field[T]) {
	j := s.look()
	(*finder[T])(r).open(j, f)
	j.checkAlone(f.Spec())
}

// At returns a copy of the field of an object, and whether the object is alive and has it. It
// panics while a walk that writes the field is open, or tasks that may write it run and the Reader
// was opened before.
func (r *Reader[T]) At(id GameObject) (value T, ok bool) {
	// The compiler would not inline this in a program's loops: it calls search. It does inline a
	// literal that is called once, however long, and counts it as one call in what encloses it.
	func() {
		if r == nil {
			panic(noReader)
		}
		row := r.inLockstep(id)
		if row >= uint(len(r.column)) {
			if row = r.search(id); row == nowhere {
				return
			}
		}
		value, ok = r.column[row], true
	}()
	return //nolint:nakedret // bare, and so cheap enough to be inlined
}

// AtN is [Reader.At] of many objects, which takes less time than as many calls: it copies the field
// of ids[i] to dst[i], or the zero value if the object is dead or does not have it, and returns how
// many have it. It panics if dst is shorter than ids, and while a walk that writes the field is
// open.
func (r *Reader[T]) AtN(dst []T, ids []GameObject) (found int) {
	if r == nil {
		panic(noReader)
	}
	r.ready(len(dst), len(ids))
	f := (*finder[T])(r)
	if found = f.copyInLockstep(dst, ids); found < len(ids) {
		found = f.copyRest(dst, ids, found)
	}
	return found
}

// copyInLockstep copies the values of ids to dst, up to the first object that is not in lockstep,
// and returns how many. A loop without calls keeps all that it needs in registers.
func (f *finder[T]) copyInLockstep(dst []T, ids []GameObject) int {
	column, generations, blocks := f.column, f.generations, f.blocks
	dst = dst[:len(ids)]
	for i, id := range ids {
		row := rowInLockstep(generations, blocks, id)
		if row >= uint(len(column)) {
			return i
		}
		dst[i] = column[row]
	}
	return len(ids)
}

// copyRest copies the values of ids from the i-th on, which is not in lockstep, and returns how
// many of all were found.
func (f *finder[T]) copyRest(dst []T, ids []GameObject, i int) (found int) {
	for found = i; i < len(ids); i++ {
		if row := f.search(ids[i]); row != nowhere {
			dst[i] = f.column[row]
			found++
		} else {
			var zero T
			dst[i] = zero
		}
		n := f.copyInLockstep(dst[i+1:], ids[i+1:])
		i, found = i+n, found+n
	}
	return found
}

// Gather appends a copy of a field of every matching object to dst, in the order of
// [Query.Objects], and returns it: for small sets that are worked on as a whole, such as the
// players of a game. Objects that do not have the field give the zero value. Its panics are those
// of [Open] and [Reader.At].
func Gather[T any](dst []T, s State, q Query, f layout.Field[T]) []T {
	r := Open(s, f)
	for id := range q.Objects(s) {
		value, _ := r.At(id)
		dst = append(dst, value)
	}
	return dst
}

// A Writer writes one field of one world by id, for loops that follow ids. Any number may be open
// at once, of the same field too. It is valid until the structure of the world changes: until an
// object or a component is created, disposed, added, removed, suspended or mounted, by a call or by
// [Apply], and until [Restore], a load or a delta. Writes, walks and ticks leave it valid. While
// tasks run, it is not valid in them; one that a task opens is valid until that task ends.
type Writer[T any] struct {
	finder[T]
	shape uint64 // of the world, at OpenWrite
}

// OpenWrite returns a Writer of a field. It panics if the world does not have the kind, while a
// walk that writes the field is open, and for the reference of a relation. A task may open a
// Writer if it is on all objects, one of its queries writes the field, and no other task of the
// same call writes the kind by id; it panics otherwise.
func OpenWrite[T any](s State, f layout.Field[T]) (_ State, w Writer[T]) {
	s = w.begin(s, f)
	return s, w
}

func (w *Writer[T]) begin(s State, f layout.Field[T]) State {
	j := s.use()
	checkInPlace(f.Spec())
	w.open(j, f)
	if j.part.whole == nil {
		j.checkWritable(f.Spec())
	} else {
		j.checkUnheld(f.Spec())
		j.claim("OpenWrite", f.Spec(), w.manager)
	}
	w.shape = j.guard.Shape
	return s.done()
}

// At returns a pointer to the field of an object, and stamps it as written, or nil if the object is
// dead or does not have it. The pointer is valid until the next change of structure or the next
// tick. It panics if w is not valid any more, and while a walk that writes the field is open.
func (w *Writer[T]) At(id GameObject) *T {
	return func() *T { // a literal, as in [Reader.At]
		if w == nil || w.job == nil || statesChecked && w.job.guard.Shape != w.shape {
			w.panicEnded()
		}
		row := w.inLockstep(id)
		if row >= uint(len(w.column)) {
			if row = w.search(id); row == nowhere {
				return nil
			}
		}
		w.manager.TouchRow(uint32(row))
		return &w.column[row]
	}()
}

// AtN is [Writer.At] of many objects, which takes less time than as many calls: it sets dst[i] to a
// pointer to the field of ids[i], or to nil if the object is dead or does not have it, and returns
// how many have it. An id may be given several times. It panics if dst is shorter than ids, and
// like At.
func (w *Writer[T]) AtN(dst []*T, ids []GameObject) (found int) {
	if w == nil || w.job == nil || statesChecked && w.job.guard.Shape != w.shape {
		w.panicEnded()
	}
	w.ready(len(dst), len(ids))
	if found = w.pointInLockstep(dst, ids); found < len(ids) {
		found = w.pointRest(dst, ids, found)
	}
	return found
}

// pointInLockstep points dst to the values of ids, and stamps them, up to the first object that is
// not in lockstep, and returns how many.
func (w *Writer[T]) pointInLockstep(dst []*T, ids []GameObject) int {
	column, generations, blocks := w.column, w.generations, w.blocks
	stamps, tick := w.manager.Stamps()
	dst = dst[:len(ids)]
	for i, id := range ids {
		row := rowInLockstep(generations, blocks, id)
		if row >= uint(len(column)) {
			ids = ids[:i]
			break
		}
		stamps[row>>6] = tick
		dst[i] = &column[row]
	}
	if len(ids) > 0 {
		w.manager.Stamped()
	}
	return len(ids)
}

// pointRest points dst to the values of ids from the i-th on, which is not in lockstep, and returns
// how many of all were found.
func (w *Writer[T]) pointRest(dst []*T, ids []GameObject, i int) (found int) {
	for found = i; i < len(ids); i++ {
		dst[i] = nil
		if row := w.search(ids[i]); row != nowhere {
			w.manager.TouchRow(uint32(row))
			dst[i] = &w.column[row]
			found++
		}
		n := w.pointInLockstep(dst[i+1:], ids[i+1:])
		i, found = i+n, found+n
	}
	return found
}

//go:noinline
func (w *Writer[T]) panicEnded() {
	switch {
	case w == nil || w.job == nil:
		panic("flatecs: this Writer is of no world; get one by OpenWrite")
	case w.job.guard.Turn == ended:
		panic("flatecs: this Writer is of a world that was closed; use it before Close")
	case w.job.part.whole != nil:
		panic("flatecs: the task that opened this Writer has ended; open one in each task")
	case w.job.side != nil && w.job.side.running:
		panic("flatecs: this Writer was opened before the tasks that run; open one in the task " +
			"that uses it")
	}
	panic("flatecs: the structure of the world changed since this Writer was opened; " +
		"write state, writer = world.OpenWrite(state, field) after the change")
}
