package replica

import (
	"bytes"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// A shadow has the values of a part at the last look, by index. A walk that writes a field stamps
// all that it yields, moved or not: comparing bytes is faster than quantising them again.
type shadow struct {
	bytes    []byte // nil: the part is a list
	reshaped uint64 // which objects had the kind, at the last look
	valid    bool   // they have it still
}

func (t *table) makeShadows(indexes int) {
	t.shadows = make([]shadow, len(t.schema.parts))
	for i := range t.schema.parts[1:] {
		p := &t.schema.parts[1+i]
		if p.most == 0 {
			t.shadows[p.number].bytes = make([]byte, indexes*p.spec.Stride)
		}
	}
}

// beginShadows finds out which shadows are of the objects that there are.
func (t *table) beginShadows(s world.State) {
	a := systems.ArenaOf(s)
	for i := range t.schema.parts[1:] {
		p := &t.schema.parts[1+i]
		h, m := &t.shadows[p.number], a.Find(p.kind.Spec())
		h.valid = false
		if m != nil { // in another world, the walk refuses
			h.valid = !t.all && h.reshaped == m.Reshaped()
			h.reshaped = m.Reshaped()
		}
	}
}

// shadowOf returns the index of the first object of a batch, and whether the others follow it and
// the part has a shadow.
func (t *table) shadowOf(p *part, b world.Batch) (first uint32, ok bool) {
	first = b.ID(0).Index()
	return first, t.shadows[p.number].bytes != nil &&
		b.ID(b.Len()-1).Index()-first == uint32(b.Len()-1)
}

// keep keeps the values of objects that do not lie side by side.
func (t *table) keep(p *part, ids []world.GameObject, values []byte) {
	if h := &t.shadows[p.number]; h.bytes != nil {
		for i, id := range ids {
			copy(h.bytes[int(id.Index())*p.spec.Stride:], values[i*p.spec.Stride:][:p.spec.Stride])
		}
	}
}

// isSame reports whether the values of objects from an index on are those of the last look.
func (t *table) isSame(p *part, first int, values []byte) bool {
	h := &t.shadows[p.number]
	return h.valid && bytes.Equal(h.bytes[first*p.spec.Stride:][:len(values)], values)
}

// differing returns the next stretch, from a row on, of the values of objects from an index on that
// are not those of the last look, and keeps them. It is empty, at their end, if there is none.
func (t *table) differing(p *part, first int, values []byte, from int) (start, end int) {
	h, size := &t.shadows[p.number], p.spec.Stride
	was := h.bytes[first*size:][:len(values)]
	if !h.valid {
		copy(was, values)
		return from, len(values) / size
	}
	few, at := fewest*size, from*size
	for at < len(values) {
		next := min(at+few, len(values))
		if !bytes.Equal(was[at:next], values[at:next]) {
			break
		}
		at = next
	}
	start = at / size
	for at < len(values) {
		next := min(at+few, len(values))
		if bytes.Equal(was[at:next], values[at:next]) {
			break
		}
		copy(was[at:next], values[at:next])
		at = next
	}
	return start, at / size
}
