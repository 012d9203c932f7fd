package pack

import (
	"fmt"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// The size of a field that is a list has a bit set in a pack, and is that of an element.
const (
	sizeOfList = 1 << 31
	sizeOfText = 1 << 30
)

// sizeOf returns what a pack says of the size of a field.
func sizeOf(f *layout.FieldSpec) uint32 {
	switch size := uint32(valueOf(f).Stride); {
	case f.List == nil:
		return size
	case f.List.Text:
		return size | sizeOfText
	default:
		return size | sizeOfList
	}
}

// sizeText describes what sizeOf returns.
func sizeText(size uint32) string {
	switch {
	case size&sizeOfText != 0:
		return "text"
	case size&sizeOfList != 0:
		return fmt.Sprintf("a list of %d bytes each", size&^sizeOfList)
	}
	return fmt.Sprintf("%d bytes", size)
}

// valueOf returns the field, or what the elements of a list are.
func valueOf(f *layout.FieldSpec) *layout.FieldSpec {
	if f.List != nil {
		return f.List.Element
	}
	return f
}

// appendLists appends the lists of a group: their lengths, and then all their elements. It returns
// where these begin, too.
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

// A lists is the lists of a group in a pack that is read.
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

// next cuts the elements of the next list off.
func (l *lists) next() (elements []byte) {
	n := int(little.Uint32(l.lengths)) * l.stride
	elements, l.elements, l.lengths = l.elements[:n], l.elements[n:], l.lengths[4:]
	return elements
}

// checkLists checks the lists of a field of n objects, and that they will find room. It notes
// references to others.
func (p *Packer) checkLists(f *layout.FieldSpec, n int) error {
	l, err := p.reader.lists(f, n)
	if err != nil {
		return err
	}
	if err := f.List.Element.Check(l.elements, 0); err != nil {
		return damaged("%v", err)
	}
	p.noteOthers(f.List.Element, l.elements)
	room := p.roomFor(f)
	for range n {
		elements := l.next()
		if f.List.Text && !utf8.Valid(elements) {
			return damaged("%s is not UTF-8", f.Title(layout.Part{}))
		}
		if n := len(elements) / l.stride; p.full == nil && !room.Take(n) {
			p.full = room.Full(n)
		}
	}
	return nil
}

// roomFor returns what the lists of a field find free, when those that were read before are there.
func (p *Packer) roomFor(f *layout.FieldSpec) *tool.ListRoom {
	for i := range p.rooms {
		if p.rooms[i].Field() == f {
			return &p.rooms[i]
		}
	}
	p.rooms = append(p.rooms, tool.RoomForLists(p.state, f))
	return &p.rooms[len(p.rooms)-1]
}

// setLists sets the lists of a field of a group, which were checked.
func (p *Packer) setLists(c *tool.Components, f *layout.FieldSpec, n int) {
	l, _ := p.reader.lists(f, n)
	l.elements = p.inWorld(f.List.Element, l.elements)
	for i := range n {
		_ = c.SetList(i, f.Index, l.next()) // there is room
	}
}

// digestLists adds the lists of a field to the sums of the objects of a group.
func (p *Packer) digestLists(c *tool.Components, f *layout.FieldSpec, seed uint64) {
	e := f.List.Element
	for n := range p.sums {
		p.scratch = append(p.scratch[:0], c.List(n, f.Index)...)
		for at := 0; at < len(p.scratch); at += e.Stride {
			p.digestReferences(e, p.scratch[at:])
		}
		p.sums[n] += xxh3.HashSeed(p.scratch, seed)
	}
}

// digestReferences replaces the references in a value by their digests.
func (p *Packer) digestReferences(f *layout.FieldSpec, value []byte) {
	for _, ref := range f.Refs {
		id := world.GameObject(little.Uint64(value[ref:]))
		little.PutUint64(value[ref:], p.digested(id))
	}
}
