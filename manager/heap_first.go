package manager

import (
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// firstLists implements [FirstLists], with an element per list.
type firstLists []firstList

type firstList struct {
	manager *Manager
	heap    *Heap
	items   []byte
}

// GiveFirst implements [Lists].
func (h *Heap) GiveFirst(to FirstLists, m *Manager, v *layout.FieldValue) FirstLists {
	f, ok := to.(*firstLists)
	if !ok {
		f = &firstLists{}
	}
	*f = slices.DeleteFunc(*f, func(l firstList) bool { return l.heap == h })
	*f = append(*f, firstList{m, h, v.Elements()})
	return f
}

// Check implements [FirstLists].
func (f *firstLists) Check(n int) error {
	for i := range *f {
		h, size := (*f)[i].heap, len((*f)[i].items)/(*f)[i].heap.stride
		if n == 1 && h.hasRoom(nil, size) {
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

// Length implements [FirstLists].
func (f *firstLists) Length(of Lists) int {
	for _, l := range *f {
		if l.heap == of {
			return len(l.items) / l.heap.stride
		}
	}
	return 0
}

// Fill implements [FirstLists]. The caller has called Check.
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
