package manager

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
)

// ElementsIn returns the elements of the list of h in a row of m, in place.
func (h *Heap) ElementsIn(m *Manager, row layout.Row) []byte {
	r := h.In(&m.Data, row)
	return h.Bytes(r, 0, int(r.Length))
}

// CheckElements returns the error that [Heap.SetElements] would return.
func (h *Heap) CheckElements(m *Manager, row layout.Row, elements []byte) error {
	r, n := h.In(&m.Data, row), len(elements)/h.stride
	if n > int(r.Capacity) && !h.hasRoom(r, n) {
		return h.Full(ownerOfLists(m, row), n)
	}
	return nil
}

// SetElements sets the elements of the list of h in a row of m that is in use, and frees the room
// that they do not need. The elements must not be in the world's bytes. It returns the errors of
// [Heap.Grow]; then nothing has changed.
func (h *Heap) SetElements(m *Manager, row layout.Row, elements []byte) error {
	r, n := h.In(&m.Data, row), len(elements)/h.stride
	if n > int(r.Capacity) {
		old, _, err := h.Grow(r, ownerOfLists(m, row), n, nil)
		if err != nil {
			return err
		}
		h.Release(old)
	}
	b := h.Bytes(r, 0, max(n, int(r.Length)))
	clear(b[copy(b, elements):])
	h.Stamp(r, 0, max(n, int(r.Length)))
	r.Length = uint32(n)
	h.Shrink(r)
	m.Stamps.TouchRow(uint32(row))
	return nil
}

// ownerOfLists returns the owner of the lists in a row of m that is in use.
func ownerOfLists(m *Manager, row layout.Row) uint32 {
	use, object := m.Rows.Use(row)
	if use == RowLoose {
		return OfResource
	}
	return object
}

// ElementsTick returns the tick of the last write to elements of a list or to rows that share a
// stamp with them, or 0.
func (h *Heap) ElementsTick(r *layout.Run) (tick uint64) {
	if r.Capacity == 0 {
		return 0
	}
	last := r.First + r.Capacity/uint32(h.Chunk) - 1
	for w := r.First >> 6; w <= last>>6; w++ {
		tick = max(tick, h.rows.Stamps.list[w])
	}
	return tick
}

// Fit implements [Lists].
func (h *Heap) Fit(sizes []uint32) error {
	rows, lists, last := 0, 0, 0
	for _, n := range sizes {
		if n != 0 && n&Freed == 0 {
			rows, lists, last = rows+int(h.need(int(n))), lists+1, int(n)
		}
	}
	if rows <= int(h.unused()) || lists == 1 && h.hasRoom(nil, last) {
		return nil
	}
	room := h.Room()
	for _, n := range sizes {
		if n&Freed != 0 {
			room.put(h.need(int(n &^ Freed)))
			room.taken -= int(h.need(int(n &^ Freed)))
		} else if !room.Take(int(n)) {
			return room.Full(int(n))
		}
	}
	return nil
}

// A HeapRoom is the free room that new lists of a heap find if they are created in the order of the
// calls of Take.
type HeapRoom struct {
	heap   *Heap
	free   [classes]uint32 // runs, per class
	unused uint32          // rows
	taken  int             // rows that the lists of earlier calls need
	spare  int             // rows for them, or -1: not counted yet
}

// Room returns the free room. It takes time in proportion to the free runs.
func (h *Heap) Room() HeapRoom {
	r := HeapRoom{heap: h, unused: h.unused(), spare: -1}
	for class := range r.free {
		for head := h.heads[class]; head != 0; head = h.owners[head-1] &^ freeRun {
			r.free[class]++
		}
	}
	return r
}

// Take reserves room for a new list of n elements, and reports whether there is room.
func (r *HeapRoom) Take(n int) bool {
	if n <= 0 || n > maxList {
		return n == 0
	}
	class := r.heap.classFor(n)
	size := sizeOf(class)
	r.taken += int(size)
	if r.spare < 0 {
		for c := class; c < classes; c++ {
			if r.free[c] > 0 {
				r.free[c]--
				r.put(sizeOf(c) - size)
				return true
			}
		}
		if r.unused >= size {
			r.unused -= size
			return true
		}
		r.spare = r.heap.spare(nil) // from here on, lists move
	}
	return r.taken <= r.spare
}

// Field returns the field of the lists, or nil for the zero HeapRoom.
func (r *HeapRoom) Field() *layout.FieldSpec {
	if r.heap == nil {
		return nil
	}
	return r.heap.Field
}

// Full returns an error that wraps [ErrFull]: there is no room for a list of n elements.
func (r *HeapRoom) Full(n int) error {
	h := r.heap
	return fmt.Errorf("flatecs: %s: no room for another list of %d elements: the lists of all "+
		"have %d rows, of %d elements, and %d of them would not be in use; raise the elements "+
		"in its Count: %w",
		layout.Quoted(h.Field.String()), n, h.rows.Rows.Cap(), h.Chunk, r.unused, ErrFull)
}

// put notes n free rows, divided as Heap.push does.
func (r *HeapRoom) put(n uint32) {
	for n > 0 {
		class := classOf(n)
		if sizeOf(class) > n {
			class--
		}
		r.free[class]++
		n -= sizeOf(class)
	}
}
