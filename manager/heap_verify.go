package manager

import (
	"fmt"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
)

// verifyLists checks all lists.
func verifyLists(a *Arena) error {
	for i := range a.Managers {
		m := &a.Managers[i]
		for _, l := range m.Data.Heaps {
			if err := l.verify(m); err != nil {
				return fmt.Errorf("flatecs: %s: %w", layout.Quoted(l.Of().String()), err)
			}
		}
	}
	return nil
}

// A heapCheck is the state of the verification of a heap.
type heapCheck struct {
	heap *Heap
	high uint32
	seen []uint64 // a bit per row
}

// verify checks that each row of elements belongs to one list, or to one free run, and that its
// unused bytes are zero.
func (h *Heap) verify(m *Manager) error {
	high := h.rows.count.High
	if h.rows.count.Loose != high || h.free.count.High != 1 {
		return fmt.Errorf("%d of %d rows of elements are in use, and %d rows of free runs of 1",
			h.rows.count.Loose, high, h.free.count.High)
	}
	if n := h.heads[chunkHead]; n != uint32(h.Chunk) {
		return fmt.Errorf("%d elements are in a row, instead of %d", n, h.Chunk)
	}
	c := heapCheck{h, high, make([]uint64, (high+63)/64)}
	for row := range m.count.High {
		use, owner := m.Rows.Use(layout.Row(row))
		switch use {
		case RowUnused:
			continue
		case RowLoose:
			owner = OfResource
		}
		if err := c.list(h.In(&m.Data, layout.Row(row)), owner); err != nil {
			return fmt.Errorf("the list in row %d: %w", row, err)
		}
	}
	for class := range h.heads[:chunkHead] {
		if err := c.runs(class); err != nil {
			return err
		}
	}
	for row := range high {
		if c.seen[row>>6]>>(row&63)&1 == 0 {
			return fmt.Errorf("row %d of elements is of no list and of no free run", row)
		}
	}
	return nil
}

// list checks the list of an object.
func (c *heapCheck) list(r *layout.Run, owner uint32) error {
	if *r == (layout.Run{}) {
		return nil
	}
	rows := r.Capacity / uint32(c.heap.Chunk)
	if rows == 0 || r.Capacity%uint32(c.heap.Chunk) != 0 || sizeOf(classOf(rows)) != rows ||
		r.Length > r.Capacity {
		return fmt.Errorf("no list has %d of %d elements", r.Length, r.Capacity)
	}
	for i := range rows {
		if err := c.see(uint64(r.First)+uint64(i), owner); err != nil {
			return err
		}
	}
	if rest := c.heap.Bytes(r, int(r.Length), int(r.Capacity-r.Length)); !noneSet(rest) {
		return fmt.Errorf("there is something behind its %d elements", r.Length)
	}
	if c.heap.Field.List.Text && !utf8.Valid(c.heap.Bytes(r, 0, int(r.Length))) {
		return fmt.Errorf("its text of %d bytes is not UTF-8", r.Length)
	}
	return nil
}

// see checks that a row has the owner, and was not seen before.
func (c *heapCheck) see(row uint64, owner uint32) error {
	switch {
	case row >= uint64(c.high):
		return fmt.Errorf("it has row %d of the %d rows of elements", row, c.high)
	case c.seen[row>>6]>>(row&63)&1 != 0:
		return fmt.Errorf("it has row %d of elements, which another has too", row)
	case c.heap.owners[row] != owner:
		return fmt.Errorf("it has row %d of elements, which is of %x", row, c.heap.owners[row])
	}
	c.seen[row>>6] |= 1 << (row & 63)
	return nil
}

// runs checks the free runs of a class.
func (c *heapCheck) runs(class int) error {
	for head := c.heap.heads[class]; head != 0; {
		if class >= classes || head > c.high {
			return fmt.Errorf("a free run of class %d is in row %d of elements, of %d", class,
				head-1, c.high)
		}
		row, next := head-1, c.heap.owners[head-1]
		for i := range sizeOf(class) {
			owner := freeRun
			if i == 0 {
				owner |= next
			}
			if err := c.see(uint64(row)+uint64(i), owner); err != nil {
				return fmt.Errorf("a free run of class %d: %w", class, err)
			}
		}
		r := layout.Run{First: row}
		if !noneSet(c.heap.Bytes(&r, 0, int(sizeOf(class))*c.heap.Chunk)) {
			return fmt.Errorf("the free run in row %d of elements holds something", row)
		}
		head = next &^ freeRun
	}
	return nil
}

func noneSet(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}
