package replica

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// List replicates a list, whose elements are encoded by a wire, or a text, by [Raw]. A list is sent
// as a whole when it changes. Mirrors get the first most elements, or of a text the whole
// characters within most bytes: most bounds the memory per object of servers and mirrors, and the
// bytes in a datagram. It panics if l is no list, and if most is not positive.
func List(l layout.AnyField, most int, w Wire) Part {
	if l == nil || l.Spec().List == nil || most < 1 {
		panic(fmt.Sprintf("replica: List of at most %d elements; give a list, and 1 or more", most))
	}
	spec, kind := l.Spec(), l.Spec().Kind.Handle()
	return Part{
		spec: spec, kind: kind, wire: w, most: most, takes: takeLists, query: changed(kind, kind),
	}
}

// A list in a row is its length, and then its elements as they travel, side by side, and zeros up
// to the most that there can be. In a datagram there are no zeros.

// checkList panics if a list does not suit its wire.
func (p *part) checkList() {
	switch w := &p.wire; {
	case w.delta || w.smooth:
		panic(fmt.Sprintf("replica: %s is a list, with Delta or Smooth; leave them out", p.spec))
	case p.spec.List.Text && w.form != raw:
		panic(fmt.Sprintf("replica: %s is a text; have it Raw", p.spec))
	}
}

// listHead is the number of bytes of a list's length in a datagram.
func (p *part) listHead() int {
	if p.most <= math.MaxUint8 {
		return 1
	}
	return 2
}

// sizeOf is the number of bytes, at most, of the record of a slot that is in a group.
func (v *View) sizeOf(e *slot) int {
	g := &v.writing.groups[e.group]
	n := int(g.size) + recordSize
	if g.mask&v.table.schema.lists != 0 {
		n += v.table.sizeOfLists(v.table.row(e.id.Index()), g.mask)
	}
	return n
}

// sizeOfLists is the number of bytes of the lists of a mask in the row of an object, without their
// lengths.
func (t *table) sizeOfLists(r []uint32, mask uint32) (n int) {
	for m := mask & t.schema.lists; m != 0; m &= m - 1 {
		p := &t.schema.parts[bits.TrailingZeros32(m)]
		n += int(r[t.base+p.at]) * p.width
	}
	return n
}

// takeLists puts the lists of a batch into the table.
func takeLists(l *looker, p *part, b world.Batch) {
	size := p.spec.List.Element.Stride
	l.ids = b.AppendIDs(l.ids[:0])
	for _, id := range l.ids {
		elements, err := systems.ListOf(l.state, id, p.spec)
		if err != nil {
			continue
		}
		n := min(len(elements)/size, p.most)
		if p.spec.List.Text {
			n = wholeRunes(elements, n)
		}
		l.list = p.appendElements(l.list[:0], elements[:n*size])
		l.table.putList(p, id, n, l.list)
	}
}

// wholeRunes returns how many of the first n bytes of a text are whole characters.
func wholeRunes(text []byte, n int) int {
	for n < len(text) && n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// appendElements appends elements as they travel.
func (p *part) appendElements(dst, elements []byte) []byte {
	if p.wire.form == raw {
		return append(dst, elements...)
	}
	for ; len(elements) > 0; elements = elements[4:] {
		lane := p.wire.lane(math.Float32frombits(le.Uint32(elements)))
		if dst = append(dst, byte(lane)); p.wire.bits == 16 {
			dst = append(dst, byte(lane>>8))
		}
	}
	return dst
}

// appendValues appends elements as they were, of those that traveled.
func (p *part) appendValues(dst, elements []byte) []byte {
	if p.wire.form == raw {
		return append(dst, elements...)
	}
	size := p.wire.bits / 8
	for ; len(elements) > 0; elements = elements[size:] {
		v := p.wire.value(word(elements[:size]))
		dst = le.AppendUint32(dst, math.Float32bits(v))
	}
	return dst
}

// putList puts a list into the table, as it travels.
func (t *table) putList(p *part, id world.GameObject, length int, elements []byte) {
	r := t.begin(id)
	at := t.base + p.at
	t.set(r, p, at, uint32(length))
	for i := 1; i < p.words; i++ {
		next := min(len(elements), 4)
		t.set(r, p, at+i, word(elements[:next]))
		elements = elements[next:]
	}
}

// appendList appends a list of a row, which begins at its length.
func (p *part) appendList(b []byte, row []uint32) []byte {
	n := int(row[0])
	if b = append(b, byte(n)); p.listHead() > 1 {
		b = append(b, byte(n>>8))
	}
	return appendWords(b, row[1:], n*p.width)
}

// appendWords appends the first n bytes of words.
func appendWords(b []byte, words []uint32, n int) []byte {
	end := len(b) + n
	for i := 0; len(b) < end; i++ {
		b = le.AppendUint32(b, words[i])
	}
	return b[:end]
}

// list reads a list: its length, and its elements as they travel.
func (p *part) list(b []byte) (length int, elements, rest []byte, ok bool) {
	head := p.listHead()
	if len(b) < head {
		return 0, nil, nil, false
	}
	length = int(word(b[:head]))
	b = b[head:]
	if n := length * p.width; length <= p.most && n <= len(b) {
		return length, b[:n], b[n:], true
	}
	return 0, nil, nil, false
}

// checkElements reports whether elements may be in a world.
func (p *part) checkElements(elements []byte) bool {
	if p.spec.List.Text {
		return utf8.Valid(elements)
	}
	return p.wire.form != raw || p.spec.List.Element.Check(elements, 0) == nil
}

// lists puts a column of lists into the latest rows.
func (r *reading) lists(p *part, b []byte) {
	for _, k := range r.slots {
		row := r.mirror.latest(k)[p.at:][:p.words]
		n, elements, rest, _ := p.list(b)
		row[0], b = uint32(n), rest
		for i := range (len(elements) + 3) / 4 { // what is behind does not count
			next := min(len(elements), 4)
			row[1+i] = word(elements[:next])
			elements = elements[next:]
		}
	}
}

// writeLists writes a list of the seats that are to be shown. Where the world has no room for it,
// it stays as it was, and is written when the seat is shown again.
func (w *columns) writeLists(s world.State, m *Mirror, p *part) world.State {
	for i := range w.shown {
		f := &w.shown[i]
		e := &m.slots[f.k]
		if !p.isFor(e.own) {
			continue
		}
		row := m.rowAt(f.k, int(f.a))[p.at:][:p.words]
		w.elements = appendWords(w.elements[:0], row[1:], int(row[0])*p.width)
		values := p.appendValues(w.values[:0], w.elements)
		if is, err := systems.ListOf(s, e.id, p.spec); err != nil || bytes.Equal(is, values) {
			continue
		}
		next, err := systems.SpliceList(s, e.id, p.spec, 0, -1, values)
		if s = next; err != nil {
			e.fresh = true
		}
	}
	return s
}

// countOf returns the count of a kind in a mirror's world of so many objects: room for as many
// elements of lists as the schema allows, and as the recipe gives.
func (s *Schema) countOf(k layout.Kind, objects int) layout.Count {
	most := 0
	for i := range s.parts {
		if p := &s.parts[i]; p.kind == k {
			most = max(most, p.most)
		}
	}
	_, values := systems.RecipeOf(s.recipe)
	for i := range values {
		if f := values[i].Field; f.List != nil && f.Kind == k.Spec() {
			most = max(most, len(values[i].Elements())/f.List.Element.Stride)
		}
	}
	c := k.Counted()
	if most > 0 {
		c.Rows, c.Free, c.Elements = objects, false, uint32(objects*most)
	}
	return c
}
