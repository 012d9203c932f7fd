package pack

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// appendLists appends the lists of a group: their lengths, and then all their elements. It also
// returns the offset of the elements.
func appendLists(b []byte, c *tool.Components, f *layout.FieldSpec) (_ []byte, at int) {
	lengths, n := len(b), len(c.Rows())
	b = appendZeros(b, 4*n)
	at = len(b)
	for i := range n {
		elements := c.List(i, f.Index)
		b = append(b, elements...)
		little.PutUint32(b[lengths+4*i:], uint32(len(elements)/f.List.Element.Stride))
	}
	return b, at
}

// A lists is the lists of a group in a pack that is being read.
type lists struct {
	lengths  []byte
	elements []byte
	stride   int
}

// lists reads the lists of n objects.
func (r *reader) lists(f *layout.FieldSpec, n int) (l lists, err error) {
	l.stride, l.lengths = f.List.Element.Stride, r.Take(4*n)
	if l.lengths == nil {
		return l, damaged("%s of %d objects is cut off", f.Title(layout.Part{}), n)
	}
	all := uint64(0)
	for at := 0; at < len(l.lengths); at += 4 {
		all += uint64(little.Uint32(l.lengths[at:]))
	}
	if all > uint64(len(r.Rest)/l.stride) {
		return l, damaged("%s of %d objects has %d elements, and is cut off",
			f.Title(layout.Part{}), n, all)
	}
	l.elements = r.Take(int(all) * l.stride)
	return l, nil
}

// next cuts off the elements of the next list.
func (l *lists) next() (elements []byte) {
	n := int(little.Uint32(l.lengths)) * l.stride
	elements, l.elements, l.lengths = l.elements[:n], l.elements[n:], l.lengths[4:]
	return elements
}

// rooms is the free room in a world for the lists of a pack.
type rooms struct {
	fields []tool.ListRoom
	full   error // of the first list without room
}

// clear drops the references to the world.
func (l *rooms) clear() {
	clear(l.fields)
	l.fields, l.full = l.fields[:0], nil
}

// of returns the free room for the lists of a field, after the lists that were read before.
func (l *rooms) of(s world.State, f *layout.FieldSpec) *tool.ListRoom {
	for i := range l.fields {
		if l.fields[i].Field() == f {
			return &l.fields[i]
		}
	}
	l.fields = append(l.fields, tool.RoomForLists(s, f))
	return &l.fields[len(l.fields)-1]
}
