package manager

import (
	"math/bits"
	"slices"
)

// firstLists are [FirstLists], a list each.
type firstLists []firstList

type firstList struct {
	manager *Manager
	heap    *Heap
	items   []byte
}

// GiveFirst is that of [Lists].
func (h *Heap) GiveFirst(to FirstLists, m *Manager, items []byte) FirstLists {
	if to == nil {
		to = &firstLists{}
	}
	to.give(m, h, items)
	return to
}

func (f *firstLists) give(m *Manager, h *Heap, items []byte) {
	*f = slices.DeleteFunc(*f, func(l firstList) bool { return l.heap == h })
	*f = append(*f, firstList{m, h, items})
}

// Room is that of [FirstLists], at least half of what there is room for.
func (f *firstLists) Room(n int) int {
	for n > 0 && f.Check(n) != nil {
		n /= 2
	}
	return n
}

// Check is that of [FirstLists].
func (f *firstLists) Check(n int) error {
	for i := range *f {
		h, size := (*f)[i].heap, len((*f)[i].items)/(*f)[i].heap.stride
		if n == 1 && h.hasRoom(size) {
			continue
		}
		room := h.Room()
		for range n {
			if !room.Take(size) {
				return room.Full(size)
			}
		}
	}
	return nil
}

// Fill is that of [FirstLists]. There is room.
func (f *firstLists) Fill(block uint32, objects uint64) {
	for i := range *f {
		l := &(*f)[i]
		for x := objects; x != 0 && len(l.items) > 0; x &= x - 1 {
			object := block<<6 + uint32(bits.TrailingZeros64(x))
			row, _ := l.manager.RowOf(object)
			_ = l.heap.Add(l.manager, row, object, l.items)
		}
	}
}
