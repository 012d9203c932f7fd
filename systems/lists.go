package systems

import (
	"errors"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
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
}

// list makes l the list of an object, or of a resource if id is nobody.
func (j *job) list(l *listing, id GameObject, f *layout.FieldSpec, writes bool) error {
	if f == nil || f.List == nil || f.Kind == nil {
		panicNoList(f)
	}
	if p := j.placeOf(f); p != nil && j.finding.has(uint(id.Index()), id) {
		if row := p.InLockstep(uint(id.Index())); row != nowhere && j.walks.Depth == 0 {
			l.open(p.Manager, f, uint32(row), id.Index())
			return nil
		}
	}
	return j.listSlow(l, id, f, writes)
}

//go:noinline
func panicNoList(f *layout.FieldSpec) {
	panic("flatecs: " + f.String() + " is no list of a kind; declare it by layout.NewList, or " +
		"give it to layout.NewKind")
}

//go:noinline
func (j *job) listSlow(l *listing, id GameObject, f *layout.FieldSpec, writes bool) error {
	if id == gameobject.Nobody {
		return j.listOfResource(l, f)
	}
	m, err := j.component(id, f.Kind)
	if err != nil {
		return err
	}
	if j.walks.Asks(f, writes) {
		return ErrWalking
	}
	j.checkAlone(f)
	row, err := m.Get(id.Index())
	if err != nil {
		return err
	}
	l.open(m, f, uint32(row), id.Index())
	return nil
}

// listOfResource makes l the list of a resource.
func (j *job) listOfResource(l *listing, f *layout.FieldSpec) error {
	slot := j.Slot(f.Kind)
	if uint(slot-j.OnObjects) >= uint(j.root().resources) {
		if slot >= 0 {
			return j.refuse(gameobject.Nobody)
		}
		return kind.Missing(f.Kind, gameobject.Nobody)
	}
	l.open(&j.Managers[slot], f, 0, manager.OfResource)
	return nil
}

// open makes l the list in a row.
func (l *listing) open(m *manager.Manager, f *layout.FieldSpec, row, owner uint32) {
	l.heap, l.kind, l.row, l.owner = m.HeapOf(f), m, row, owner
	l.run = m.ListIn(l.heap, Row(row))
}

// listToWrite is list for a call that writes.
func (j *job) listToWrite(l *listing, id GameObject, f *layout.FieldSpec) error {
	if j.part.whole != nil {
		return ErrWalking
	}
	return j.list(l, id, f, true)
}

// bytes returns the elements, in place.
func (l *listing) bytes() []byte { return l.heap.Bytes(l.run, 0, int(l.run.Length)) }

// checkIndex returns an error unless at is at most end.
func (l *listing) checkIndex(at, end int) error {
	if 0 <= at && at <= end {
		return nil
	}
	return fmt.Errorf("flatecs: %s: element %d of a list of %d; ask for its length first: %w",
		layout.Quoted(l.heap.Field.String()), at, l.run.Length, ErrIndex)
}

// splice puts elements in place of those from at up to end. The bytes may be of the list itself,
// unless some are removed and some stay behind.
func (l *listing) splice(at, end int, elements []byte) error {
	r, size := l.run, l.heap.Field.List.Element.Stride
	was := int(r.Length)
	now := was - (end - at) + len(elements)/size
	if now > int(r.Capacity) {
		old, err := l.heap.Grow(r, l.owner, now)
		if err != nil {
			return err
		}
		b := l.heap.Bytes(r, 0, now)
		copy(b[at*size+len(elements):], l.heap.Bytes(&old, end, was-end))
		copy(b[at*size:], elements)
		l.heap.Release(old)
	} else {
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
	}
	r.Length = uint32(now)
	l.kind.TouchRow(l.row)
	return nil
}

// insert puts elements before what is in the front of b, which has room for all. They may be a part
// of b.
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

// ListOf returns the bytes of an object's list, in place, for package world/list, as the other
// functions of this file.
func ListOf(s State, id GameObject, f *layout.FieldSpec) ([]byte, error) {
	var l listing
	if err := s.look().list(&l, id, f, false); err != nil {
		return nil, err
	}
	return l.bytes(), nil
}

// AppendToList appends elements, by their bytes.
func AppendToList(s State, id GameObject, f *layout.FieldSpec, elements []byte) (State, error) {
	var l listing
	if err := s.use().listToWrite(&l, id, f); err != nil {
		return s, err
	}
	if err := l.heap.Add(l.kind, Row(l.row), l.owner, elements); err != nil {
		return s, err
	}
	return s.done(), nil
}

// SpliceList puts elements in place of n of them from at on. n below 0 stands for all.
func SpliceList(
	s State, id GameObject, f *layout.FieldSpec, at, n int, elements []byte,
) (State, error) {
	var l listing
	if err := s.use().listToWrite(&l, id, f); err != nil {
		return s, err
	}
	if n < 0 {
		n = int(l.run.Length)
	}
	err := l.checkIndex(at, int(l.run.Length)-n)
	if err == nil {
		err = l.splice(at, at+n, elements)
	}
	if err != nil {
		return s, err
	}
	return s.done(), nil
}

// SwapRemoveFromList puts the last element in place of another.
func SwapRemoveFromList(s State, id GameObject, f *layout.FieldSpec, at int) (State, error) {
	var l listing
	if err := s.use().listToWrite(&l, id, f); err != nil {
		return s, err
	}
	last := int(l.run.Length) - 1
	if err := l.checkIndex(at, last); err != nil {
		return s, err
	}
	copy(l.heap.Bytes(l.run, at, 1), l.heap.Bytes(l.run, last, 1))
	l.heap.Cut(l.run, last)
	l.kind.TouchRow(l.row)
	return s.done(), nil
}

// ClearList removes all elements and keeps the room for them.
func ClearList(s State, id GameObject, f *layout.FieldSpec) (State, error) {
	var l listing
	if err := s.use().listToWrite(&l, id, f); err != nil {
		return s, err
	}
	l.heap.Cut(l.run, 0)
	l.kind.TouchRow(l.row)
	return s.done(), nil
}

// ShrinkList gives back room that a list does not use.
func ShrinkList(s State, id GameObject, f *layout.FieldSpec) (State, error) {
	var l listing
	if err := s.use().listToWrite(&l, id, f); err != nil {
		return s, err
	}
	l.heap.Shrink(l.run)
	l.kind.TouchRow(l.row)
	return s.done(), nil
}
