package manager

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// A Heap stores the elements of all lists of a field in one world. The elements are rows of a kind
// of their own, and a list has a run of consecutive rows. See [layout.Run] and [layout.ListSpec].
//
//	rows      0   1   2   3   4   5   6      elements, Chunk in a row
//	owner     7   7   7   f   f   9   9      objects 7 and 9 have lists; a free run of two rows
//
// Runs have the sizes of class 0, 1, 2, …: 1, 2, 3, 4, 6, 8, 12, … rows. The unused rest of a
// list's run and every byte of free runs are zero. A list that grows takes a free run, a part of
// one, or unused rows. Failing these, free runs that touch become one; failing that, too, all lists
// move together. So a list finds room as long as all lists together need no more rows than there
// are.
type Heap struct {
	Field    *layout.FieldSpec // of the lists
	Elements buffer.Base       // in the rows
	Chunk    int               // elements in a row
	stride   int               // bytes of an element
	perChunk uint64            // 2⁶³ / Chunk, rounded up
	column   int               // of the lists in their kind
	lists    *Manager          // the kind of the lists
	rows     *Manager          // all in use up to the high-water mark, and on no object
	free     *Manager          // one row: heads
	owners   []uint32          // per row: see OfResource and freeRun
	heads    []uint32          // per class: the first free run, plus 1; 0: none; at last Chunk
}

// The values of Heap.owners, per row: the object whose list has the row, OfResource, or freeRun.
// The first row of a free run adds the next free run of its class, plus 1.
const (
	freeRun    = uint32(1) << 31
	OfResource = uint32(1) << 30 // instead of an object, for a resource's list
)

const elementsColumn, ownerColumn, chunkHead = 0, 1, 63 // of the rows; of heads: Chunk

const (
	classes = 59         // of runs: runs of class 59 have more rows than MaxRows
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

// In returns the list of h in a row of data.
func (h *Heap) In(d *Data, row layout.Row) *layout.Run {
	return buffer.At[layout.Run](d.Columns[h.column].Base, int(row))
}

// Bytes returns the bytes of n elements of a run from element i on, in place.
func (h *Heap) Bytes(r *layout.Run, i, n int) []byte {
	return buffer.Span[byte](h.Elements, (int(r.First)*h.Chunk+i)*h.stride, n*h.stride)
}

// Stamp records that the elements [from, to) of a run were written.
func (h *Heap) Stamp(r *layout.Run, from, to int) {
	first := r.First + chunks(h, uint32(from))
	switch {
	case to == from+1:
		h.rows.Stamps.TouchRow(first)
	case from < to:
		h.rows.Stamps.Touch(first, r.First+chunks(h, uint32(to-1))-first+1)
	}
}

// chunks returns n / Chunk without a division. It is exact, because a chunk is below 2³² elements.
func chunks(h *Heap, n uint32) uint32 {
	high, _ := bits.Mul64(2*uint64(n), h.perChunk)
	return uint32(high)
}

// StampEach records that the elements of runs may be written. If several goroutines do so at once,
// set shared, and call [Heap.Stamped] afterwards.
func (h *Heap) StampEach(runs []layout.Run, shared bool) {
	tick, stamps := *h.rows.Stamps.tick, h.rows.Stamps.list
	for i := range runs {
		r := &runs[i]
		if r.Capacity == 0 {
			continue
		}
		last := (r.First + chunks(h, r.Capacity) - 1) >> 6
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
		h.rows.Stamps.Stamped()
	}
}

// Stamped records that rows of elements were stamped.
func (h *Heap) Stamped() { h.rows.Stamps.Stamped() }

// push adds zeroed rows to the free runs.
func (h *Heap) push(row, n uint32) {
	checkRun(h, row, n)
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
		h.rows.Stamps.Touch(row, size)
		row, n = row+size, n-size
	}
	h.free.Stamps.TouchRow(0)
}

// pop takes the first free run of a class.
func (h *Heap) pop(class int) (row uint32, ok bool) {
	head := h.heads[class]
	if head == 0 {
		return 0, false
	}
	row = head - 1
	h.heads[class] = h.owners[row] &^ freeRun
	h.free.Stamps.TouchRow(0)
	return row, true
}

// take returns a zeroed run of a class: a free run, a part of a larger one, rows that were never
// used, or free runs that lie side by side.
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
		createMany(h.rows, size)
	}
	if !ok && longest(h) >= size {
		h.merge(size)
		return h.take(class, owner)
	}
	if ok {
		checkRun(h, row, size)
		owners := h.owners[row : row+size]
		for i := range owners {
			owners[i] = owner
		}
		h.rows.Stamps.Touch(row, size)
	}
	return row, ok
}

// createMany takes n rows that were never used into use, without mounting them.
func createMany(m *Manager, n uint32) {
	row := m.count.High
	checkUnused(&m.Rows, row, row+n)
	m.Data.useRows(row, row+n)
	m.count.High += n
	m.count.Loose += n
	m.Rows.loosen(row, n)
	m.Stamps.reshapeMany()
}

// unused returns the number of rows that were never used.
func (h *Heap) unused() uint32 { return uint32(h.rows.Rows.Cap()) - h.rows.count.High }

// longest returns the length of the longest stretch of free and unused rows.
func longest(h *Heap) (most uint32) {
	n := uint32(0)
	for _, o := range h.owners[:h.rows.count.High] {
		if n++; o&freeRun == 0 {
			n = 0
		}
		most = max(most, n)
	}
	return max(most, n+h.unused())
}

// merge joins the free rows to free runs as long as possible. If no run has size rows otherwise, it
// includes the unused rows at the end.
func (h *Heap) merge(size uint32) {
	clear(h.heads[:chunkHead])
	first, most := uint32(0), uint32(0)
	for row := range h.rows.count.High {
		if h.owners[row]&freeRun != 0 {
			continue
		}
		if first < row {
			h.push(first, row-first)
		}
		first, most = row+1, max(most, row-first)
	}
	if tail := h.rows.count.High - first; max(most, tail) < size {
		createMany(h.rows, size-tail)
	}
	h.push(first, h.rows.count.High-first)
}

// HasRun reports whether a list can get rows for n elements without moving other lists.
func (h *Heap) HasRun(n int) bool {
	if n <= 0 || n > maxList {
		return n == 0
	}
	class := h.classFor(n)
	for c := class; c < classes; c++ {
		if h.heads[c] != 0 {
			return true
		}
	}
	return longest(h) >= sizeOf(class)
}

// hasRoom reports whether a list, new or r, can get rows for n elements.
func (h *Heap) hasRoom(r *layout.Run, n int) bool {
	return n <= maxList && (h.HasRun(n) || h.spare(r) >= int(h.need(n)))
}

// need returns the number of rows that a list of n elements needs.
func (h *Heap) need(n int) uint32 {
	if n == 0 {
		return 0
	}
	return sizeOf(h.classFor(n))
}

// runs returns all lists, in the rows of their kind.
func (h *Heap) runs() []layout.Run {
	base := h.lists.Data.Columns[h.column].Base
	return buffer.Span[layout.Run](base, 0, int(h.lists.count.High))
}

// spare returns how many rows are left if all lists except r, which may be nil, have only the rows
// that they need.
func (h *Heap) spare(r *layout.Run) int {
	n, runs := h.rows.Rows.Cap(), h.runs()
	for i := range runs {
		if &runs[i] != r {
			n -= int(h.need(int(runs[i].Length)))
		}
	}
	return n
}

// compact moves all lists together, each into a run of the size that it needs, and gives r a run
// for n elements; the caller has checked that there are rows. It returns the new place of items,
// which may be elements of a list.
func compact(h *Heap, r *layout.Run, owner uint32, n int, items []byte) []byte {
	b, size := h.rows.Data.Columns[elementsColumn].Bytes, h.Chunk*h.stride
	at, from := gather(h, buffer.OffsetIn(b, items))
	if r.Capacity == 0 {
		r.First = at
	}
	end := r.First + r.Capacity/uint32(h.Chunk) // of r; the lists behind it move on
	more := h.need(n) - (end - r.First)
	if high := h.rows.count.High; at+more > high {
		createMany(h.rows, at+more-high)
	}
	copy(b[int(end+more)*size:], b[int(end)*size:int(at)*size])
	copy(h.owners[end+more:], h.owners[end:at])
	runs := h.runs()
	for i := range runs {
		if run := &runs[i]; run != r && run.Capacity != 0 && run.First >= end {
			run.First += more
		}
	}
	for i := range more {
		h.owners[end+i] = owner
	}
	if from >= int(end)*size {
		from += int(more) * size
	}
	r.Capacity = h.need(n) * uint32(h.Chunk)
	high := h.rows.count.High
	clear(b[int(end)*size : int(end+more)*size])
	clear(b[int(at+more)*size : int(high)*size])
	clear(h.heads[:chunkHead])
	h.push(at+more, high-at-more)
	h.rows.Stamps.Touch(0, high)
	if from < 0 {
		return items
	}
	return b[from:][:len(items)]
}

// gather moves all lists to the front, in their order, each with only the rows that it needs. It
// returns the number of these rows, and the new offset of the byte at offset. It does not clear the
// rows behind.
func gather(h *Heap, offset int) (rows uint32, moved int) {
	b, size, runs := h.rows.Data.Columns[elementsColumn].Bytes, h.Chunk*h.stride, h.runs()
	for i := range runs {
		if runs[i].Capacity != 0 {
			h.owners[runs[i].First] = uint32(i)
		}
	}
	moved = offset
	for row := uint32(0); row < h.rows.count.High; {
		i := h.owners[row]
		if i&freeRun != 0 {
			row++
			continue
		}
		run := &runs[i]
		end, keep := row+run.Capacity/uint32(h.Chunk), h.need(int(run.Length))
		if int(row)*size <= offset && offset < int(end)*size {
			moved -= int(row-rows) * size
		}
		copy(b[int(rows)*size:], b[int(row)*size:int(row+keep)*size])
		owner := ownerOfLists(h.lists, layout.Row(i))
		for k := range keep {
			h.owners[rows+k] = owner
		}
		if run.First, run.Capacity = rows, keep*uint32(h.Chunk); keep == 0 {
			run.First = 0
		}
		h.lists.Stamps.TouchRow(i)
		row, rows = end, rows+keep
	}
	return rows, moved
}

// classFor returns the class of runs for n elements, 1 or more.
func (h *Heap) classFor(n int) int { return classOf(uint32((n + h.Chunk - 1) / h.Chunk)) }

// Grow gives a list a run for n elements in all, which do not fit into the run that it has.
// It returns the list's old run, which keeps its elements until [Heap.Release], and the new place
// of items, because all lists move if no run is long enough. The error wraps [ErrFull]; then
// nothing has changed.
func (h *Heap) Grow(
	r *layout.Run, owner uint32, n int, items []byte,
) (old layout.Run, moved []byte, err error) {
	if n > maxList {
		return old, items, h.Full(owner, n)
	}
	class := h.classFor(n)
	row, ok := h.take(class, owner)
	switch {
	case ok:
	case h.spare(r) >= int(sizeOf(class)):
		return old, compact(h, r, owner, n, items), nil
	default:
		return old, items, h.Full(owner, n)
	}
	old = *r
	r.First, r.Capacity = row, sizeOf(class)*uint32(h.Chunk)
	copy(h.Bytes(r, 0, int(r.Length)), h.Bytes(&old, 0, int(r.Length)))
	return old, items, nil
}

// Release frees the run that Grow returned.
func (h *Heap) Release(old layout.Run) {
	if old.Capacity != 0 {
		clear(h.Bytes(&old, 0, int(old.Length)))
		h.push(old.First, old.Capacity/uint32(h.Chunk))
	}
}

// Clear frees the whole list.
func (h *Heap) Clear(r *layout.Run) {
	h.Release(*r)
	*r = layout.Run{}
}

// Cut shortens a list of n or more elements to n. It keeps its run.
func (h *Heap) Cut(r *layout.Run, n int) {
	clear(h.Bytes(r, n, int(r.Length)-n))
	h.Stamp(r, n, int(r.Length))
	r.Length = uint32(n)
}

// Shrink frees the unused rows of a list's run.
func (h *Heap) Shrink(r *layout.Run) {
	if r.Length == 0 {
		h.Clear(r)
		return
	}
	keep, has := h.need(int(r.Length)), r.Capacity/uint32(h.Chunk)
	if keep < has {
		r.Capacity = keep * uint32(h.Chunk)
		h.push(r.First+keep, has-keep)
	}
}

// Full returns an error that wraps [ErrFull]: there is no room for n elements.
//
//go:noinline
func (h *Heap) Full(owner uint32, n int) error {
	of := " of a resource"
	if owner < OfResource {
		of = fmt.Sprintf(" of game object %v", h.rows.Objects.At(owner))
	}
	return fmt.Errorf("flatecs: %s%s: no room for %d elements: the lists of all have %d rows, of "+
		"%d elements, and %d of them were never used: %w Raise the elements in its Count",
		layout.Quoted(h.Field.String()), of, n, h.rows.Rows.Cap(), h.Chunk, h.unused(), ErrFull)
}
