package manager

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// A listOpener makes the lists of a kind in a world.
type listOpener struct {
	in *Arena
	of *Manager
}

// openLists makes the heaps of m's lists.
func openLists(a *Arena, m *Manager) {
	for _, f := range m.Kind.Fields {
		if f.List != nil && f.List.Rows != nil {
			f.OpenList(listOpener{a, m})
		}
	}
}

// OpenList creates the heap of a list. The world has its kinds too, unless the list's kind is
// alone.
func (o listOpener) OpenList(f *layout.FieldSpec) {
	rows, free := o.in.Find(f.List.Rows), o.in.Find(f.List.Free)
	if rows == nil || free == nil {
		return
	}
	owners := &rows.Data.Columns[ownerColumn]
	o.of.Data.Heaps = append(o.of.Data.Heaps, &Heap{
		Field: f, Elements: rows.Data.Columns[elementsColumn].Base, Chunk: f.List.Chunk,
		stride: f.List.Element.Stride, column: f.Index, lists: o.of, rows: rows, free: free,
		perChunk: (1<<63 + uint64(f.List.Chunk) - 1) / uint64(f.List.Chunk),
		owners:   buffer.Rows[uint32](owners, 0, rows.Rows.Cap()), // Span would read the first
		heads:    buffer.Rows[uint32](&free.Data.Columns[0], 0, 1),
	})
	o.of.Data.apart, o.of.Data.only = true, 0
}

// HeapOf returns the heap of a list, or nil for a list of another kind or a manager without a
// world.
func HeapOf(m *Manager, f *layout.FieldSpec) *Heap {
	for _, l := range m.Data.Heaps {
		if h, ok := l.(*Heap); ok && h.Field == f {
			return h
		}
	}
	return nil
}

// Of implements [Lists].
func (h *Heap) Of() *layout.FieldSpec { return h.Field }

// Reset implements [Lists].
func (h *Heap) Reset(d *Data, row layout.Row) { h.Clear(h.In(d, row)) }

func (h *Heap) leave(d *Data, row uint32) { *h.In(d, layout.Row(row)) = layout.Run{} }

// copyOf gives the list in a row, which was copied from another row, its own copy of the elements.
// The caller has checked the room.
func (h *Heap) copyOf(m *Manager, row, owner uint32) {
	r := h.In(&m.Data, layout.Row(row))
	from := *r
	*r = layout.Run{}
	if from.Length != 0 {
		items := h.Bytes(&from, 0, int(from.Length))
		_, items, _ = h.Grow(r, owner, int(from.Length), items)
		r.Length = from.Length
		copy(h.Bytes(r, 0, int(r.Length)), items)
	}
}

func (h *Heap) checkCopy(m *Manager, object uint32) error {
	if need := h.lengthOf(m, object); !h.hasRoom(nil, need) {
		return h.Full(object, need)
	}
	return nil
}

// lengthOf returns the length of the list of an object, 0 if it has no list.
func (h *Heap) lengthOf(m *Manager, object uint32) int {
	if row, ok := m.RowOf(object); ok {
		return int(h.In(&m.Data, row).Length)
	}
	return 0
}

// Add implements [Lists]. The elements may be elements of the list itself.
func (h *Heap) Add(m *Manager, row layout.Row, object uint32, items []byte) error {
	r, n := h.In(&m.Data, row), 1
	if len(items) != h.stride {
		n = len(items) / h.stride
	}
	was := int(r.Length)
	var old layout.Run
	if was+n > int(r.Capacity) {
		var err error
		if old, items, err = h.Grow(r, object, was+n, items); err != nil {
			return err
		}
	}
	copy(h.Bytes(r, was, n), items)
	h.Release(old)
	h.Stamp(r, was, was+n)
	r.Length = uint32(was + n)
	m.Stamps.TouchRow(uint32(row))
	return nil
}

// EachID implements [Lists].
func (h *Heap) EachID(m *Manager, row layout.Row, with Redirects) {
	refs := h.Field.List.Element.Refs
	if len(refs) == 0 {
		return
	}
	r := h.In(&m.Data, row)
	for n := range int(r.Length) {
		base := buffer.BaseOf(h.Bytes(r, n, 1))
		for _, at := range refs {
			with.Redirect(&buffer.Span[gameobject.ID](base, at/8, 1)[0])
		}
	}
}
