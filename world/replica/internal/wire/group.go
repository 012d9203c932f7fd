package wire

import "encoding/binary"

// Sizes, in bytes.
const (
	GroupSize  = 8 // of a group, at most, without slots and values
	RecordSize = 2 // of a slot, at most: the step from the one before
	KeySize    = 3 // of a Key
)

// Flags of a Group.
const (
	Small = 1 << 0 // differences, for the parts that allow them
	Enter = 1 << 1
	Leave = 1 << 2
	Own   = 1 << 3
	Keys  = 1 << 4 // keys precede the values
)

// A Group is slots for which the same parts are sent.
type Group struct {
	Mask  uint32 // of parts
	Flags uint8
	Slots []uint16 // ascending
}

// Append appends the head and the slots of g.
func (g *Group) Append(b []byte) []byte {
	b = append(b, g.Flags)
	b = binary.AppendUvarint(b, uint64(g.Mask))
	b = binary.AppendUvarint(b, uint64(len(g.Slots)))
	last := uint16(0)
	for _, k := range g.Slots {
		b = binary.AppendUvarint(b, uint64(k-last))
		last = k
	}
	return b
}

// A Key names an object by the input for which it was spawned, and its number for that input.
type Key struct {
	Number uint16
	Count  uint8 // from 1; 0: no key
}

// Append appends k.
func (k Key) Append(b []byte) []byte { return append(le.AppendUint16(b, k.Number), k.Count) }

// A Reader reads the groups of a datagram; its Group is the current one.
type Reader struct {
	Group
	schema *Schema
	known  int  // number of slots
	small  bool // differences are allowed
	keys   []byte
	b      []byte // bytes left to read
}

// NewReader returns a reader for slots slots.
func NewReader(s *Schema, slots int) Reader {
	return Reader{schema: s, known: slots, Group: Group{Slots: make([]uint16, 0, slots)}}
}

// Begin begins with the first group of b; small allows differences.
func (r *Reader) Begin(b []byte, small bool) { r.b, r.small = b, small }

// Rest returns the bytes behind the groups.
func (r *Reader) Rest() []byte { return r.b }

// Next reads the head, the slots and the keys of the next group, and reports whether they are
// valid.
func (r *Reader) Next() bool {
	if len(r.b) == 0 {
		return false
	}
	r.Flags, r.b = r.b[0], r.b[1:]
	parts, ok := r.number(1<<32 - 1)
	n, also := r.number(uint64(len(r.b)))
	if r.Mask = uint32(parts); !ok || !also || !r.fits() {
		return false
	}
	r.Slots = r.Slots[:0]
	at, known := uint64(0), uint64(r.known)
	for i := range n {
		step, ok := r.number(known)
		if at += step; !ok || i > 0 && step == 0 || at >= known {
			return false
		}
		r.Slots = append(r.Slots, uint16(at))
	}
	r.keys = nil
	if r.Flags&Keys != 0 {
		n := KeySize * len(r.Slots)
		if n > len(r.b) {
			return false
		}
		r.keys, r.b = r.b[:n], r.b[n:]
	}
	return true
}

// fits reports whether the mask and the flags of a group are consistent.
func (r *Reader) fits() bool {
	mask, flags := r.Mask, r.Flags
	visible := r.schema.Visible(flags&Own != 0)
	switch {
	case mask&^visible != 0, flags >= 2*Keys,
		flags&Keys != 0 && flags&Enter == 0,
		flags&Leave != 0 && (flags != Leave || mask != 0),
		flags&Enter != 0 && (flags&Small != 0 || mask != visible),
		flags&Small != 0 && !r.small:
		return false
	}
	return true
}

// number reads a number of at most most.
func (r *Reader) number(most uint64) (uint64, bool) {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > most {
		return 0, false
	}
	r.b = r.b[n:]
	return v, true
}

// Key returns the key of the i-th slot, if there is one.
func (r *Reader) Key(i int) (k Key) {
	if r.keys != nil {
		b := r.keys[i*KeySize:]
		k = Key{le.Uint16(b), b[2]}
	}
	return k
}

// Column returns the values of the next part of the group.
func (r *Reader) Column(p *Part) (b []byte, ok bool) {
	b, r.b, ok = p.cut(r.b, r.Flags, len(r.Slots))
	return b, ok
}

// CheckColumns skips all values of the group, and reports whether they may be in a world.
func (r *Reader) CheckColumns() bool {
	for p := range r.schema.In(r.Mask) {
		b, ok := r.Column(p)
		if !ok || !p.check(b, len(r.schema.Kinds), r.known) {
			return false
		}
	}
	return true
}
