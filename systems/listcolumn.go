package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// A ListColumn is the lists of a batch's objects, for package world/list, which documents it. It is
// valid as long as the batch.
type ListColumn[T any] lists

// lists is a ListColumn of any type.
type lists struct {
	runs   []layout.Run
	base   buffer.Base
	chunk  int
	batch  Batch
	heap   *manager.Heap
	writes bool
}

// ListsOf returns the lists of b's objects, or none of an optional kind that they do not have. It
// panics if the query does not ask for them, and in a batch of a row-wise query.
//
// It is inlined, so that the column does not escape: a column by value would be copied by each At.
func ListsOf[T any](b Batch, l layout.List[T]) *ListColumn[T] {
	var c ListColumn[T]
	(*lists)(&c).open(b, layout.Text(l))
	return &c
}

// open finds the lists of a batch. If the query writes them, it stamps their elements.
func (l *lists) open(b Batch, t layout.Text) {
	f := t.Spec()
	l.runs, l.writes = walk.Lists(b.walk, b.turn, f)
	if l.runs == nil {
		return
	}
	l.batch, l.heap, l.chunk = b, b.walk.HeapOf(f), f.List.Chunk
	if l.writes {
		l.heap.StampEach(l.runs, b.job.part.whole != nil)
	}
	l.base = l.heap.Elements
}

const (
	noList   = "flatecs: this list is of no object of the batch; count from 0 to Len()-1"
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
	return buffer.Span[T](c.base, int(c.runs[i].First)*c.chunk, int(c.runs[i].Length))
}

// Append adds an element to list i, and returns the list.
func (c *ListColumn[T]) Append(i int, item T) ([]T, error) {
	if c == nil || uint(i) >= uint(len(c.runs)) || !c.writes ||
		c.runs[i].Length == c.runs[i].Capacity {
		return c.appendSlow(i, item)
	}
	r := &c.runs[i]
	r.Length++
	list := buffer.Span[T](c.base, int(r.First)*c.chunk, int(r.Length))
	list[len(list)-1] = item
	return list, nil
}

// appendSlow is Append where the list has to grow, or not to change.
//
//go:noinline
func (c *ListColumn[T]) appendSlow(i int, item T) ([]T, error) {
	if c == nil {
		panic(noList)
	}
	if uint(i) >= uint(len(c.runs)) || !c.writes {
		(*lists)(c).refuse(i, len(c.runs))
	}
	if c.batch.job.part.whole != nil {
		*buffer.At[T](buffer.BaseOf((*lists)(c).record(i)), 0) = item
		return c.At(i), nil
	}
	if err := (*lists)(c).grow(&c.runs[i], i); err != nil {
		return c.At(i), err
	}
	return c.Append(i, item)
}

// Cut removes the elements of list i from element n on, and returns the list.
func (c *ListColumn[T]) Cut(i, n int) []T {
	if c == nil {
		panic(noList)
	}
	if uint(i) >= uint(len(c.runs)) || !c.writes {
		(*lists)(c).refuse(i, len(c.runs))
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
func (l *lists) refuse(i, n int) {
	if uint(i) >= uint(n) {
		panic(noList)
	}
	panic(listRead)
}

// record records the append of an element, and returns where that is to be written.
func (l *lists) record(i int) []byte {
	return l.batch.job.recordAppend(l.batch.ID(i), l.heap.Field)
}

// grow makes room for one more element in list i.
func (l *lists) grow(r *layout.Run, i int) error {
	old, err := l.heap.Grow(r, l.batch.ID(i).Index(), int(r.Length)+1)
	if err == nil {
		l.heap.Release(old)
	}
	return err
}

// AppendLater records that an element is added to an object's list.
func AppendLater[T any](c Commands, id GameObject, l layout.List[T], item T) {
	f := l.Spec()
	*buffer.At[T](buffer.BaseOf(c.open().recordAppend(id, f)), 0) = item
}

// recordAppend records an append, and returns where the element is to be written.
//
//go:noinline
func (j *job) recordAppend(id GameObject, f *layout.FieldSpec) []byte {
	if f.Kind == nil {
		panicLoose(f)
	}
	return j.commands.RecordAppend(j.Place(f.Kind), id, f)
}
