package systems

import (
	"errors"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// ErrIndex is the error of an element that a list does not have.
var ErrIndex = errors.New("the list has no such element")

// A listing is a list of one object, or of a resource, in one world.
type listing struct {
	run   *layout.Run
	heap  *manager.Heap
	kind  *manager.Manager
	row   uint32
	owner uint32 // of the rows
	still bool   // a walk is open, so that other lists stay where they are
}

// find finds the list of an object, or of a resource if id is nobody.
func (l *listing) find(j *job, id GameObject, f *layout.FieldSpec, writes bool) error {
	if f == nil || f.List == nil || f.Kind == nil {
		panicNoList(f)
	}
	if p := j.placeOf(f); p != nil && j.finding.has(uint(id.Index()), id) {
		if row, ok := p.InLockstep(uint(id.Index())); ok && j.walks.Depth == 0 {
			l.open(p.Manager, f, uint32(row), id.Index())
			return nil
		}
	}
	return l.findSlow(j, id, f, writes)
}

//go:noinline
func panicNoList(f *layout.FieldSpec) {
	panic("flatecs: " + f.String() + " is no list of a kind; declare it by layout.NewList, or " +
		"give it to layout.NewKind")
}

//go:noinline
func (l *listing) findSlow(j *job, id GameObject, f *layout.FieldSpec, writes bool) error {
	if id == gameobject.Nobody {
		return l.findResource(&j.world, f)
	}
	m, err := j.world.component(id, f.Kind)
	if err != nil {
		return err
	}
	if l.still = j.walks.Depth != 0; j.walks.Asks(f, writes) {
		return whileWalking(j)
	}
	j.mustBeAlone(f)
	row, err := m.Get(id.Index())
	if err != nil {
		return err
	}
	l.open(m, f, uint32(row), id.Index())
	return nil
}

// findResource finds the list of a resource.
func (l *listing) findResource(w *world, f *layout.FieldSpec) error {
	slot := w.arena.Slot(f.Kind)
	if uint(slot-w.kinds.OnObjects) >= uint(w.fixtures.resources) {
		if slot >= 0 {
			return w.refuse(gameobject.Nobody)
		}
		return &manager.PlainError{Text: noResource(f.Kind), Of: ErrNoKind}
	}
	l.open(&w.arena.Managers[slot], f, 0, manager.OfResource)
	return nil
}

// open finds the list in a row.
func (l *listing) open(m *manager.Manager, f *layout.FieldSpec, row, owner uint32) {
	l.heap, l.kind, l.row, l.owner = manager.HeapOf(m, f), m, row, owner
	l.run = l.heap.In(&m.Data, Row(row))
}

// findToWrite is find for a call that writes.
func (l *listing) findToWrite(j *job, id GameObject, f *layout.FieldSpec) error {
	if j.part.whole != nil {
		return whileWalking(j)
	}
	return l.find(j, id, f, true)
}

// bytes returns the elements, in place.
func (l *listing) bytes() []byte { return l.heap.Bytes(l.run, 0, int(l.run.Length)) }

// checkRun returns an error, which wraps [ErrFull], if the list needs other lists to move for n
// elements while they must not.
func (l *listing) checkRun(n int) error {
	if !l.still || l.heap.HasRun(n) {
		return nil
	}
	return heldError(l.heap, n)
}

// heldError returns the error that lists must not move to make room for n elements.
//
//go:noinline
func heldError(h *manager.Heap, n int) error {
	return fmt.Errorf("flatecs: %s: no room for %d elements side by side, and lists do not move "+
		"while a walk is open: %w Append by AppendLater, or raise the elements in its Count",
		layout.Quoted(h.Field.String()), n, manager.ErrFull)
}

// checkIndex returns an error unless at is at most end.
func (l *listing) checkIndex(at, end int) error {
	if 0 <= at && at <= end {
		return nil
	}
	return fmt.Errorf("flatecs: %s: element %d of a list of %d: %w; ask for its length first",
		layout.Quoted(l.heap.Field.String()), at, l.run.Length, ErrIndex)
}

// splice replaces the elements [at, end) by elements. The bytes may belong to the list itself,
// unless some elements are removed and some follow them.
func (l *listing) splice(at, end int, elements []byte) error {
	r, size := l.run, l.heap.Field.List.Element.Stride
	was := int(r.Length)
	now := was - (end - at) + len(elements)/size
	var old layout.Run
	if now > int(r.Capacity) {
		err := l.checkRun(now)
		if err == nil {
			old, elements, err = l.heap.Grow(r, l.owner, now, elements)
		}
		if err != nil {
			return err
		}
	}
	b, written := l.heap.Bytes(r, 0, max(now, was)), max(now, was)
	switch {
	case now == was:
		written = end
		copy(b[at*size:], elements)
	case end == was:
		copy(b[at*size:], elements)
	case len(elements) == 0:
		copy(b[at*size:], b[end*size:])
	default:
		insert(b[at*size:], elements)
	}
	clear(b[now*size:])
	l.heap.Stamp(r, at, written)
	l.heap.Release(old)
	r.Length = uint32(now)
	l.kind.Stamps.TouchRow(l.row)
	return nil
}

// insert puts elements before the contents of b, which has room for both. The elements may be a
// part of b.
func insert(b, elements []byte) {
	var few [64]byte
	n, rest := len(elements), len(b)-len(elements)
	if n <= len(few) {
		copy(few[:], elements)
		copy(b[n:], b)
		copy(b, few[:n])
		return
	}
	copy(b[rest:], elements)
	slices.Reverse(b[:rest])
	slices.Reverse(b[rest:])
	slices.Reverse(b)
}

// ListOf returns the bytes of an object's list, in place. Like the other functions of lists it is
// for package world/list.
func ListOf(s State, id GameObject, f *layout.FieldSpec) ([]byte, error) {
	var l listing
	if err := l.find(s.look(), id, f, false); err != nil {
		return nil, err
	}
	return l.bytes(), nil
}

// AppendToList appends elements, given as bytes, to a list.
func AppendToList(s State, id GameObject, f *layout.FieldSpec, elements []byte) (State, error) {
	var l listing
	if err := l.findToWrite(s.use(), id, f); err != nil {
		return s, err
	}
	if l.still {
		n := int(l.run.Length) + len(elements)/f.List.Element.Stride
		if err := l.checkRun(n); n > int(l.run.Capacity) && err != nil {
			return s, err
		}
	}
	if err := l.heap.Add(l.kind, Row(l.row), l.owner, elements); err != nil {
		return s, err
	}
	return s.done(), nil
}

// SpliceList replaces n elements of a list, from index at on, by elements. With n below 0 it
// replaces all elements and frees unused room.
func SpliceList(
	s State, id GameObject, f *layout.FieldSpec, at, n int, elements []byte,
) (State, error) {
	var l listing
	if err := l.findToWrite(s.use(), id, f); err != nil {
		return s, err
	}
	all := n < 0
	if all {
		n = int(l.run.Length)
	}
	err := l.checkIndex(at, int(l.run.Length)-n)
	if err == nil {
		err = l.splice(at, at+n, elements)
	}
	if err != nil {
		return s, err
	}
	if all {
		l.heap.Shrink(l.run)
	}
	return s.done(), nil
}

// SwapRemoveFromList replaces the element at index at by the last one, and removes the last.
func SwapRemoveFromList(s State, id GameObject, f *layout.FieldSpec, at int) (State, error) {
	var l listing
	if err := l.findToWrite(s.use(), id, f); err != nil {
		return s, err
	}
	last := int(l.run.Length) - 1
	if err := l.checkIndex(at, last); err != nil {
		return s, err
	}
	copy(l.heap.Bytes(l.run, at, 1), l.heap.Bytes(l.run, last, 1))
	l.heap.Stamp(l.run, at, at+1)
	l.heap.Cut(l.run, last)
	l.kind.Stamps.TouchRow(l.row)
	return s.done(), nil
}

// ClearList removes all elements of a list and keeps the room for them.
func ClearList(s State, id GameObject, f *layout.FieldSpec) (State, error) {
	var l listing
	if err := l.findToWrite(s.use(), id, f); err != nil {
		return s, err
	}
	l.heap.Cut(l.run, 0)
	l.kind.Stamps.TouchRow(l.row)
	return s.done(), nil
}

// ShrinkList frees the unused room of a list.
func ShrinkList(s State, id GameObject, f *layout.FieldSpec) (State, error) {
	var l listing
	if err := l.findToWrite(s.use(), id, f); err != nil {
		return s, err
	}
	l.heap.Shrink(l.run)
	l.kind.Stamps.TouchRow(l.row)
	return s.done(), nil
}

// A ListColumn is the lists of a batch's objects, for package world/list, which documents it. It is
// valid as long as the batch.
type ListColumn[T any] listColumn

// listColumn is a ListColumn of any type.
type listColumn struct {
	runs   []layout.Run
	base   buffer.Base
	chunk  int
	batch  Batch
	heap   *manager.Heap
	writes bool
}

// ListsOf returns the lists of b's objects, or no lists if the kind is optional and the objects
// lack it. It panics if the query does not ask for the lists, and in a batch of a row-wise query.
//
// ListsOf is inlined, so that the column does not escape; At would copy a column that is a value.
func ListsOf[T any](b Batch, l layout.List[T]) *ListColumn[T] {
	var c ListColumn[T]
	(*listColumn)(&c).open(b, layout.Text(l))
	return &c
}

// open finds the lists of a batch. If the query writes them, it stamps their elements.
func (l *listColumn) open(b Batch, t layout.Text) {
	f := t.Spec()
	l.runs, l.writes = walk.Lists(b.batch, b.turn, f)
	if l.runs == nil {
		return
	}
	l.batch, l.heap, l.chunk = b, b.batch.HeapOf(f), f.List.Chunk
	if l.writes {
		l.heap.StampEach(l.runs, b.job.part.whole != nil)
	}
	l.base = l.heap.Elements
}

const (
	noList   = "flatecs: the batch has no such list; count from 0 to Len()-1"
	listRead = "flatecs: the query does not write this list; ask for it by Write"
)

// Len returns the number of lists.
func (c *ListColumn[T]) Len() int {
	if c == nil {
		panic(noList)
	}
	return len(c.runs)
}

// At returns the elements of list i, in place.
func (c *ListColumn[T]) At(i int) []T {
	if c == nil || uint(i) >= uint(len(c.runs)) {
		panic(noList)
	}
	(*listColumn)(c).live()
	return buffer.Span[T](c.base, int(c.runs[i].First)*c.chunk, int(c.runs[i].Length))
}

// live panics, under -tags ecsdebug, if the batch was used after its turn.
func (l *listColumn) live() {
	if manager.LendsWatched {
		l.batch.Len()
	}
}

// Append adds an element to list i, and returns the list.
func (c *ListColumn[T]) Append(i int, item T) ([]T, error) {
	if c == nil || uint(i) >= uint(len(c.runs)) || !c.writes ||
		c.runs[i].Length == c.runs[i].Capacity {
		return c.appendSlow(i, item)
	}
	(*listColumn)(c).live()
	r := &c.runs[i]
	r.Length++
	list := buffer.Span[T](c.base, int(r.First)*c.chunk, int(r.Length))
	list[len(list)-1] = item
	return list, nil
}

// appendSlow is Append for a list that must grow or must not change.
//
//go:noinline
func (c *ListColumn[T]) appendSlow(i int, item T) ([]T, error) {
	if c == nil {
		panic(noList)
	}
	if uint(i) >= uint(len(c.runs)) || !c.writes {
		(*listColumn)(c).refuse(i, len(c.runs))
	}
	if c.batch.job.part.whole != nil {
		*buffer.At[T](buffer.BaseOf((*listColumn)(c).record(i)), 0) = item
		return c.At(i), nil
	}
	if err := (*listColumn)(c).grow(&c.runs[i], i); err != nil {
		return c.At(i), err
	}
	return c.Append(i, item)
}

// Cut removes the elements of list i from index n on, and returns the list.
func (c *ListColumn[T]) Cut(i, n int) []T {
	if c == nil {
		panic(noList)
	}
	if uint(i) >= uint(len(c.runs)) || !c.writes {
		(*listColumn)(c).refuse(i, len(c.runs))
	}
	r := &c.runs[i]
	if uint(n) > uint(r.Length) {
		panic("flatecs: Cut of a list to more elements than it has; ask for its length first")
	}
	rest := buffer.Span[T](c.base, int(r.First)*c.chunk+n, int(r.Length)-n)
	clear(rest)
	r.Length = uint32(n)
	return c.At(i)
}

//go:noinline
func (l *listColumn) refuse(i, n int) {
	if uint(i) >= uint(n) {
		panic(noList)
	}
	panic(listRead)
}

// record records the append of an element, and returns the place to write it.
func (l *listColumn) record(i int) []byte {
	return l.batch.job.records.recordAppend(l.batch.ID(i), l.heap.Field)
}

// grow makes room for one more element in list i.
func (l *listColumn) grow(r *layout.Run, i int) error {
	if n := int(r.Length) + 1; !l.heap.HasRun(n) {
		return heldError(l.heap, n)
	}
	old, _, err := l.heap.Grow(r, l.batch.ID(i).Index(), int(r.Length)+1, nil)
	if err == nil {
		l.heap.Release(old)
	}
	return err
}

// AppendLater records the addition of an element to an object's list.
func AppendLater[T any](c Commands, id GameObject, l layout.List[T], item T) {
	f := l.Spec()
	*buffer.At[T](buffer.BaseOf(c.open().records.recordAppend(id, f)), 0) = item
}

// recordAppend records an append, and returns the place to write the element.
//
//go:noinline
func (r *records) recordAppend(id GameObject, f *layout.FieldSpec) []byte {
	if f.Kind == nil {
		panicLoose(f)
	}
	return r.commands.RecordAppend(r.kinds.Place(f.Kind), id, f)
}
