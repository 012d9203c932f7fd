package replica

import "github.com/flatecs/flatecs/world/replica/internal/wire"

const (
	maxRecords = 384 // in a datagram
	maxGroups  = 32  // in a datagram
	none       = 255 // group of a slot that is not sent
)

// A group is slots for which the same parts are sent.
type group struct {
	wire.Group
	size   uint16 // of the values of a record
	chosen bool   // some of its records are sent
}

// A writing is the scratch memory for a datagram.
type writing struct {
	groups    [maxGroups]group
	n         int
	last      int // the group that was last found
	records   int // records to send
	histogram [256]int
	base      uint32     // tick of differences; 0: there are none
	bases     uint32     // parts that may be sent as differences
	past      [][]uint64 // per such part: values of the base, by index
}

// begin empties w for the datagram of a client.
func (w *writing) begin(t *table, base uint32) {
	w.n, w.last, w.records, w.base, w.bases = 0, 0, 0, 0, 0
	if base == 0 || t.tick-base >= ringTicks {
		return
	}
	w.base = base
	for i, p := range t.schema.deltas {
		w.bases |= 1 << p.number
		w.past[i] = t.past[i][base%ringTicks]
	}
}

func (w *writing) make(c *Schema) {
	for i := range w.groups {
		w.groups[i].Slots = make([]uint16, 0, maxRecords)
	}
	w.past = make([][]uint64, len(c.deltas))
}

// groupOf returns the number of the group with a mask, or none if there are too many.
func (w *writing) groupOf(c *Schema, mask uint32, flags uint8) uint8 {
	if w.last < w.n && w.groups[w.last].Mask == mask && w.groups[w.last].Flags == flags {
		return uint8(w.last)
	}
	for i := range w.groups[:w.n] {
		if g := &w.groups[i]; g.Mask == mask && g.Flags == flags {
			w.last = i
			return uint8(i)
		}
	}
	if w.n == maxGroups {
		return none
	}
	g := &w.groups[w.n]
	g.Mask, g.Flags, g.size, g.chosen, g.Slots = mask, flags, 0, false, g.Slots[:0]
	if flags&wire.Keys != 0 {
		g.size = wire.KeySize
	}
	for p := range c.wire.In(mask) {
		g.size += uint16(p.Size(flags))
	}
	w.last = w.n
	w.n++
	return uint8(w.last)
}
