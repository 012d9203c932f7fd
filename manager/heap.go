package manager

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// A Heap is the elements of all lists of a field in one world: rows of a kind of their own, of
// which a list has a run, consecutive ones. See [layout.Run] and [layout.ListSpec].
//
//	rows      0   1   2   3   4   5   6      elements, Chunk in a row
//	owner     7   7   7   f   f   9   9      objects 7 and 9 have lists; a free run of two rows
//
// Runs have the sizes of class 0, 1, 2, …: 1, 2, 3, 4, 6, 8, 12, … rows. What a list does not use
// of its run, and every byte of free runs, is zero.
type Heap struct {
	Field    *layout.FieldSpec // of the lists
	Elements buffer.Base       // in the rows
	Chunk    int               // elements in a row
	stride   int               // bytes of an element
	perChunk uint64            // 2⁶³ / Chunk, rounded up
	column   int               // of the lists in their kind
	rows     *Manager          // all in use, up to the mark, and on no object
	free     *Manager          // one row: heads
	owners   []uint32          // per row
	heads    []uint32          // per class: the first free run, plus 1; 0: none
}

// The values of Heap.owners, per row: the object that has the row; or of a resource; or freeRun,
// plus in the first row of a run the next free run of the class, plus 1.
const (
	freeRun    = uint32(1) << 31
	OfResource = uint32(1) << 30 // instead of an object, for a resource's list
)

const (
	classes = 59         // of which runs can be: those of class 59 have more rows than MaxRows
	maxList = 1<<31 - 64 // elements of a list
)

// sizeOf returns the number of rows in runs of a class.
func sizeOf(class int) uint32 {
	switch {
	case class == 0:
		return 1
	case class&1 != 0:
		return 2 << (class >> 1)
	}
	return 3 << (class/2 - 1)
}

// classOf returns the lowest class whose runs have n rows or more.
func classOf(n uint32) int {
	if n <= 1 {
		return 0
	}
	l := bits.Len32(n - 1) // 2ˡ is n or more
	if l >= 2 && n <= 3<<(l-2) {
		return 2*l - 2
	}
	return 2*l - 1
}

// ListIn returns the list of h in a row of m.
func (m *Manager) ListIn(h *Heap, row layout.Row) *layout.Run { return h.run(m, uint32(row)) }

// run returns the list in a row of m, to which h belongs.
func (h *Heap) run(m *Manager, row uint32) *layout.Run {
	return buffer.At[layout.Run](m.Columns[h.column].Base, int(row))
}

// Bytes returns the bytes of n elements of a run from element i on, in place.
func (h *Heap) Bytes(r *layout.Run, i, n int) []byte {
	return buffer.Span[byte](h.Elements, (int(r.First)*h.Chunk+i)*h.stride, n*h.stride)
}

// Stamp records that the elements of a run from one on, up to another, were written.
func (h *Heap) Stamp(r *layout.Run, from, to int) {
	first := r.First + h.chunks(uint32(from))
	switch {
	case to == from+1:
		h.rows.TouchRow(first)
	case from < to:
		h.rows.Touch(first, r.First+h.chunks(uint32(to-1))-first+1)
	}
}

// chunks returns n / Chunk, which takes longer. It is exact, as a chunk is below 2³² elements.
func (h *Heap) chunks(n uint32) uint32 {
	high, _ := bits.Mul64(2*uint64(n), h.perChunk)
	return uint32(high)
}

// StampEach records that the elements of runs may be written. Where several goroutines do so at
// once, shared is set, and [Heap.Stamped] is called afterwards.
func (h *Heap) StampEach(runs []layout.Run, shared bool) {
	tick, stamps := *h.rows.tick, h.rows.changed
	for i := range runs {
		r := &runs[i]
		if r.Capacity == 0 {
			continue
		}
		last := (r.First + h.chunks(r.Capacity) - 1) >> 6
		for w := r.First >> 6; w <= last; w++ {
			switch {
			case !shared:
				stamps[w] = tick
			case atomic.LoadUint64(&stamps[w]) != tick:
				atomic.StoreUint64(&stamps[w], tick)
			}
		}
	}
	if !shared {
		h.rows.Stamped()
	}
}

// Stamped records that rows of elements were stamped.
func (h *Heap) Stamped() { h.rows.Stamped() }

// push adds rows to the free runs. They are zero.
func (h *Heap) push(row, n uint32) {
	h.noteRun(row, n)
	for n > 0 {
		class := classOf(n)
		size := sizeOf(class)
		if size > n {
			class--
			size = sizeOf(class)
		}
		for i := range size {
			h.owners[row+i] = freeRun
		}
		h.owners[row] |= h.heads[class]
		h.heads[class] = row + 1
		h.rows.Touch(row, size)
		row, n = row+size, n-size
	}
	h.free.TouchRow(0)
}

// pop takes the first free run of a class.
func (h *Heap) pop(class int) (row uint32, ok bool) {
	head := h.heads[class]
	if head == 0 {
		return 0, false
	}
	row = head - 1
	h.heads[class] = h.owners[row] &^ freeRun
	h.free.TouchRow(0)
	return row, true
}

// take returns a run of a class, of zeros: a free one, or a part of a larger one, or rows that were
// never used, or of free runs that lie side by side.
func (h *Heap) take(class int, owner uint32) (row uint32, ok bool) {
	size := sizeOf(class)
	row, ok = h.pop(class)
	for c := class + 1; c < classes && !ok; c++ {
		if row, ok = h.pop(c); ok {
			h.push(row+size, sizeOf(c)-size)
		}
	}
	if !ok && h.unused() >= size {
		row, ok = h.rows.count.High, true
		h.rows.createMany(size)
	}
	if !ok && h.longest() >= size {
		h.merge()
		return h.take(class, owner)
	}
	if ok {
		h.checkRun(row, size)
		owners := h.owners[row : row+size]
		for i := range owners {
			owners[i] = owner
		}
		h.rows.Touch(row, size)
	}
	return row, ok
}

// createMany takes n rows that were never used into use, on no object.
func (m *Manager) createMany(n uint32) {
	row := m.count.High
	m.checkUnused(row, row+n)
	m.rise(row, row+n)
	m.count.High += n
	m.count.Loose += n
	objects := m.objects[row : row+n]
	for i := range objects {
		objects[i] = unmounted
	}
	m.reshapeMany()
}

// unused returns the number of rows that were never used.
func (h *Heap) unused() uint32 { return uint32(h.rows.Cap()) - h.rows.count.High }

// longest returns the number of rows of free runs that lie side by side, where they are most.
func (h *Heap) longest() (most uint32) {
	n := uint32(0)
	for _, o := range h.owners[:h.rows.count.High] {
		if n++; o&freeRun == 0 {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// merge makes new free runs of the free rows, as long as they can be.
func (h *Heap) merge() {
	clear(h.heads[:layout.ListChunk])
	high, first := h.rows.count.High, uint32(0)
	for row := range high + 1 {
		if row < high && h.owners[row]&freeRun != 0 {
			continue
		}
		if first < row {
			h.push(first, row-first)
		}
		first = row + 1
	}
}

// hasRoom reports whether a new list can get rows for n elements.
func (h *Heap) hasRoom(n int) bool {
	if n <= 0 || n > maxList {
		return n == 0
	}
	class := h.classFor(n)
	for c := class; c < classes; c++ {
		if h.heads[c] != 0 {
			return true
		}
	}
	return h.unused() >= sizeOf(class) || h.longest() >= sizeOf(class)
}

// sizeFor returns the number of elements that there is room for in a run for n of them.
func (h *Heap) sizeFor(n int) int {
	if n == 0 {
		return 0
	}
	return int(sizeOf(h.classFor(n))) * h.Chunk
}

// classFor returns the class of runs for n elements, 1 or more.
func (h *Heap) classFor(n int) int { return classOf(uint32((n + h.Chunk - 1) / h.Chunk)) }

// Grow gives a list a run for n elements in all, and of the next size at least if there is one.
// What it returns is its run of before, which holds what it held until [Heap.Release]. The error
// wraps [ErrFull]; then nothing has changed.
func (h *Heap) Grow(r *layout.Run, owner uint32, n int) (old layout.Run, err error) {
	if n > maxList {
		return old, h.Full(owner, n)
	}
	class := h.classFor(n)
	larger := max(class, classOf(r.Capacity/uint32(h.Chunk)+1))
	row, ok := h.take(larger, owner)
	if !ok {
		if row, ok = h.take(class, owner); !ok {
			return old, h.Full(owner, n)
		}
		larger = class
	}
	old = *r
	r.First, r.Capacity = row, sizeOf(larger)*uint32(h.Chunk)
	copy(h.Bytes(r, 0, int(r.Length)), h.Bytes(&old, 0, int(r.Length)))
	return old, nil
}

// Release frees the run that Grow returned.
func (h *Heap) Release(old layout.Run) {
	if old.Capacity != 0 {
		clear(h.Bytes(&old, 0, int(old.Length)))
		h.push(old.First, old.Capacity/uint32(h.Chunk))
	}
}

// Clear frees all of a list.
func (h *Heap) Clear(r *layout.Run) {
	h.Release(*r)
	*r = layout.Run{}
}

// Cut makes a list n elements long, which had n or more. It keeps its run.
func (h *Heap) Cut(r *layout.Run, n int) {
	clear(h.Bytes(r, n, int(r.Length)-n))
	h.Stamp(r, n, int(r.Length))
	r.Length = uint32(n)
}

// Shrink frees what a list does not use of its run.
func (h *Heap) Shrink(r *layout.Run) {
	if r.Length == 0 {
		h.Clear(r)
		return
	}
	keep, has := sizeOf(h.classFor(int(r.Length))), r.Capacity/uint32(h.Chunk)
	if keep < has {
		r.Capacity = keep * uint32(h.Chunk)
		h.push(r.First+keep, has-keep)
	}
}

// Full returns the error, which wraps [ErrFull], that there is no room for n elements.
//
//go:noinline
func (h *Heap) Full(owner uint32, n int) error {
	of := " of a resource"
	if owner < OfResource {
		of = fmt.Sprintf(" of game object %v", h.rows.Objects.At(owner))
	}
	return fmt.Errorf("flatecs: %s%s: no room for %d elements: the lists of all have %d rows, of "+
		"%d elements, and %d of them were never used; raise the elements in its Count: %w",
		layout.Quoted(h.Field.String()), of, n, h.rows.Cap(), h.Chunk, h.unused(), ErrFull)
}
