package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A lookup finds the rows of one field by id. It is not generic, because generic code is slower to
// call.
type lookup struct {
	job   *job
	place *manager.Place
}

// begin is the slow path of [ReaderOf]: the world does not have the kind, the field is foreign, or
// a walk or a task may write it.
//
//go:noinline
func (l *lookup) begin(f *layout.FieldSpec) {
	l.place = &l.job.world.kinds.Manager(f.Kind).Places[f.Index]
	l.job.mustBeAlone(f)
}

// direct reports whether l may look up without search.
func (l *lookup) direct() bool { return l.job != nil && l.job.walks.Writes&l.place.Mask == 0 }

// search is the slow path of look-ups: the object may be odd, or an open walk may write the
// field.
//
//go:noinline
func (l *lookup) search(id GameObject) (row uint, ok bool) {
	l.mustBeOpen()
	if l.job.world.arena.Objects.Alive(id) {
		at, ok := l.place.Manager.RowOf(id.Index())
		return uint(at), ok
	}
	return 0, false
}

// mustBeOpen panics if the world was closed, or while a walk that writes the field is open.
func (l *lookup) mustBeOpen() {
	if l.job == nil || l.job.guard.Turn == ended {
		panic(noReader)
	}
	l.job.mustBeUnheld(l.place.Field)
}

// mustFit panics unless many ids may be looked up, and dst has a place for each.
func (l *lookup) mustFit(places, ids int) {
	if places < ids || l.job == nil || l.job.walks.Writes&l.place.Mask != 0 {
		l.mustFitSlow(places, ids)
	}
}

//go:noinline
func (l *lookup) mustFitSlow(places, ids int) {
	l.mustBeOpen()
	if places < ids {
		panic(fmt.Sprintf("flatecs: AtN of %d ids has room for %d; make dst as long as ids", ids,
			places))
	}
}

const noReader = "flatecs: this Reader belongs to no world, or to a closed one; " +
	"get one by ReaderOf"

// A Reader reads one field of one world by id, for loops that follow ids. It stays valid until the
// world is closed.
type Reader[T any] struct{ lookup }

// ReaderOf returns a Reader of a field. It panics if the world does not have the kind, and in a
// task if another task may write the field.
func ReaderOf[T any](s State, f layout.Field[T]) (r Reader[T]) {
	func() { // a literal, as in [Reader.Get]
		r.job = s.look()
		if r.place = r.job.placeOf(f.Spec()); r.place == nil {
			r.begin(f.Spec())
		}
	}()
	return //nolint:nakedret // bare, and so cheap enough to be inlined
}

// Get returns a copy of the field of an object, and whether the object is alive and has it. It
// panics while a walk that writes the field is open, or tasks that may write it run and the Reader
// was opened before.
func (r Reader[T]) Get(id GameObject) (value T, ok bool) {
	// The compiler would not inline this in a program's loops, because it calls search. It does
	// inline a literal that is called once, however long, and counts it as one call in the
	// enclosing function.
	func() {
		i, row := uint(id.Index()), uint(0)
		if r.direct() && r.job.finding.has(i, id) {
			row, ok = r.place.InLockstep(i)
		}
		if !ok {
			if row, ok = r.search(id); !ok {
				return
			}
		}
		value = *buffer.At[T](r.place.Column, int(row))
	}()
	return //nolint:nakedret // bare, and so cheap enough to be inlined
}

// Has reports whether an object is alive and has the component. It panics like [Reader.Get].
func (r Reader[T]) Has(id GameObject) bool {
	return func() bool { // a literal, as in Get
		if i := uint(id.Index()); r.direct() && r.job.finding.has(i, id) {
			if _, ok := r.place.InLockstep(i); ok {
				return true
			}
		}
		_, ok := r.search(id)
		return ok
	}()
}

// Alive reports whether id names a live object of the world. It panics if the world was closed.
func (r Reader[T]) Alive(id GameObject) bool {
	if r.job == nil || r.job.guard.Turn == ended {
		panic(noReader)
	}
	return r.job.finding.isAlive(id)
}

// AtN is a faster [Reader.Get] for many objects: it copies the field of ids[i] to dst[i], or the
// zero value if the object is dead or lacks the field, and returns how many have it. It panics if
// dst is shorter than ids, and while a walk that writes the field is open.
func (r Reader[T]) AtN(dst []T, ids []GameObject) (found int) {
	r.mustFit(len(dst), len(ids))
	if found = copyInLockstep(&r.lookup, dst, ids); found < len(ids) {
		found = copyRest(&r.lookup, dst, ids, found)
	}
	return found
}

// copyInLockstep copies the values of ids to dst, up to the first object that is not in lockstep,
// and returns their number. A loop without calls keeps its variables in registers.
func copyInLockstep[T any](l *lookup, dst []T, ids []GameObject) int {
	find, place, column := l.job.finding, l.place, l.place.Column
	dst = dst[:len(ids)]
	for i, id := range ids {
		k, row, ok := uint(id.Index()), uint(0), false
		if find.has(k, id) {
			row, ok = place.InLockstep(k)
		}
		if !ok {
			return i
		}
		dst[i] = *buffer.At[T](column, int(row))
	}
	return len(ids)
}

// copyRest copies the values of ids from the i-th on, which is not in lockstep, and returns the
// number of all that were found.
func copyRest[T any](l *lookup, dst []T, ids []GameObject, i int) (found int) {
	for found = i; i < len(ids); i++ {
		if row, ok := l.search(ids[i]); ok {
			dst[i] = *buffer.At[T](l.place.Column, int(row))
			found++
		} else {
			var zero T
			dst[i] = zero
		}
		n := copyInLockstep(l, dst[i+1:], ids[i+1:])
		i, found = i+n, found+n
	}
	return found
}

// Gather appends a copy of a field of every matching object to dst, in the order of
// [Query.Objects], and returns it: for small sets, such as the players of a game. Objects without
// the field give the zero value. It panics like [ReaderOf] and [Reader.Get].
func Gather[T any](dst []T, s State, q Query, f layout.Field[T]) []T {
	r := ReaderOf(s, f)
	for id := range q.Objects(s) {
		value, _ := r.Get(id)
		dst = append(dst, value)
	}
	return dst
}

// Scatter writes back the slice that [Gather] returned for the same query and field: values[i] to
// the i-th matching object. It stamps the values that differ, and skips objects without the field.
// It panics if the number of values differs from the number of objects, in a task, and like
// [WriterOf].
func Scatter[T any](s State, q Query, f layout.Field[T], values []T) State {
	s.use().mustBeOutside("Scatter is called in a task; call it after the tasks, or use WriterOf")
	w := WriterOf(s, f)
	if n := q.Count(s); n != len(values) {
		panic(fmt.Sprintf("flatecs: Scatter of %d values to %d objects of %v; Gather them again",
			len(values), n, q))
	}
	for id := range q.Objects(s) {
		value := f.Value(values[0])
		w.put(id, value.Bytes())
		values = values[1:]
	}
	return s.done()
}

// put writes a value, by its bytes, to an object that has the field and another value.
func (l *lookup) put(id GameObject, value []byte) {
	row, ok := l.search(id)
	if !ok {
		return
	}
	old := buffer.Span[byte](l.place.Column, int(row)*len(value), len(value))
	if string(old) != string(value) {
		l.place.Manager.Stamps.TouchRow(uint32(row))
		copy(old, value)
	}
}

// A Writer writes one field of one world by id, for loops that follow ids. Several Writers may be
// open at once, also of one field. A Writer is valid until the structure of the world changes:
// until an object or a component is created, disposed, added, removed, suspended or mounted, by a
// call or by [Apply], and until [Restore], a load or a delta. Writes, walks and ticks leave it
// valid. Tasks cannot use it; a Writer that a task opens is valid until the task ends.
type Writer[T any] struct {
	lookup
	shape uint64 // of the world, at WriterOf
}

// WriterOf returns a Writer of a field. It panics if the world does not have the kind, while a walk
// that writes the field is open, and for the reference of a relation. A task may open a Writer if
// it is on all objects, one of its queries writes the field, and no other task of the same call
// writes the kind by id; it panics otherwise. Like a walk, a Writer leaves the State valid.
//
//	health := world.WriterOf(state, Health)
//	for _, id := range hit {
//		if h := health.At(id); h != nil {
//			h.Left -= 3
//		}
//	}
func WriterOf[T any](s State, f layout.Field[T]) (w Writer[T]) {
	func() { // a literal, as in [Reader.Get]
		w.job = s.use() // s stays valid, as in a walk
		w.shape = w.job.guard.Shape
		if w.place = w.job.placeToWrite(f.Spec()); w.place == nil {
			w.beginWrite(f.Spec())
		}
	}()
	return //nolint:nakedret // bare, and so cheap enough to be inlined
}

// beginWrite is begin for [WriterOf].
//
//go:noinline
func (l *lookup) beginWrite(f *layout.FieldSpec) {
	mustBeInPlace(f)
	l.place = &l.job.world.kinds.Manager(f.Kind).Places[f.Index]
	if l.job.part.whole != nil {
		l.job.mustBeUnheld(f)
		l.job.claim("WriterOf", f, l.place.Manager)
		return
	}
	l.job.mustBeWritable(f)
}

// At returns a pointer to the field of an object, and stamps it as written, or nil if the object is
// dead or lacks the field. The pointer is valid until the next change of structure or the next
// tick. It panics if w is no longer valid, and while a walk that writes the field is open.
func (w Writer[T]) At(id GameObject) *T {
	return func() *T { // a literal, as in [Reader.Get]
		if w.job == nil || statesChecked && w.job.guard.Shape != w.shape {
			w.panicEnded()
		}
		i, row, ok := uint(id.Index()), uint(0), false
		if w.job.walks.Writes&w.place.Mask == 0 && w.job.finding.has(i, id) {
			row, ok = w.place.InLockstep(i)
		}
		if !ok {
			if row, ok = w.search(id); !ok {
				return nil
			}
		}
		w.place.Manager.Stamps.TouchRow(uint32(row))
		return buffer.At[T](w.place.Column, int(row))
	}()
}

// Must is [Writer.At] for an object that has the field. For other objects it panics with the error
// of [Edit].
func (w Writer[T]) Must(id GameObject) *T {
	p := w.At(id)
	if p == nil {
		w.panicAbsent(id)
	}
	return p
}

// AtN is a faster [Writer.At] for many objects: it sets dst[i] to a pointer to the field of ids[i],
// or to nil if the object is dead or lacks the field, and returns how many have it. An id may be
// given several times. It panics if dst is shorter than ids, and like At.
func (w Writer[T]) AtN(dst []*T, ids []GameObject) (found int) {
	if w.job == nil || statesChecked && w.job.guard.Shape != w.shape {
		w.panicEnded()
	}
	w.mustFit(len(dst), len(ids))
	if found = pointInLockstep(&w.lookup, dst, ids); found < len(ids) {
		found = pointRest(&w.lookup, dst, ids, found)
	}
	return found
}

// pointInLockstep points dst to the values of ids, and stamps them, up to the first object that is
// not in lockstep, and returns their number.
func pointInLockstep[T any](l *lookup, dst []*T, ids []GameObject) int {
	find, place, column := l.job.finding, l.place, l.place.Column
	stamps, tick := place.Manager.Stamps.ToStamp()
	dst = dst[:len(ids)]
	for i, id := range ids {
		k, row, ok := uint(id.Index()), uint(0), false
		if find.has(k, id) {
			row, ok = place.InLockstep(k)
		}
		if !ok {
			ids = ids[:i]
			break
		}
		stamps[row>>6] = tick
		dst[i] = buffer.At[T](column, int(row))
	}
	if len(ids) > 0 {
		place.Manager.Stamps.Stamped()
	}
	return len(ids)
}

// pointRest points dst to the values of ids from the i-th on, which is not in lockstep, and returns
// the number of all that were found.
func pointRest[T any](l *lookup, dst []*T, ids []GameObject, i int) (found int) {
	for found = i; i < len(ids); i++ {
		dst[i] = nil
		if row, ok := l.search(ids[i]); ok {
			l.place.Manager.Stamps.TouchRow(uint32(row))
			dst[i] = buffer.At[T](l.place.Column, int(row))
			found++
		}
		n := pointInLockstep(l, dst[i+1:], ids[i+1:])
		i, found = i+n, found+n
	}
	return found
}

//go:noinline
func (w *Writer[T]) panicAbsent(id GameObject) {
	_, _, err := w.job.locate(id, w.place.Field)
	panic(placed("Writer.Must", err, "; where that can happen, ask At"))
}

//go:noinline
func (w *Writer[T]) panicEnded() {
	switch {
	case w.job == nil:
		panic("flatecs: this Writer belongs to no world; get one by WriterOf")
	case w.job.guard.Turn == ended:
		panic("flatecs: the world of this Writer was closed; use it before Close")
	case w.job.part.whole != nil:
		panic("flatecs: the task that opened this Writer has ended; open one in each task")
	case w.job.side != nil && w.job.side.running:
		panic("flatecs: this Writer was opened before the tasks that run; open one in the task " +
			"that uses it")
	}
	panic("flatecs: the structure of the world changed since this Writer was opened; " +
		"write writer = world.WriterOf(state, field) after the change")
}
