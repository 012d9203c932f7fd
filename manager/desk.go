package manager

// A Desk gives objects of slabs several kinds at once, in the rows that are kept for them. It
// remembers where in memory those of one block are, because objects are mostly spawned side by
// side.
type Desk struct {
	managers []*Manager
	homes    []home
	block    uint32 // plus 1; 0 is none
}

// A home is a kind's rows that are kept for the objects of a block: 64, which share a word.
type home struct {
	manager *Manager
	count   *counters
	block   *Block
	objects *[64]uint32
	mounted *uint64
	changed *uint64
	tick    *uint64
	base    uint32
}

// NewDesk returns a desk for kinds whose managers keep rows.
func NewDesk(managers []*Manager) Desk {
	return Desk{managers: managers, homes: make([]home, len(managers))}
}

// Kept reports whether the home row of an object that has nothing is kept for it, in every kind.
func (d *Desk) Kept(object uint32) bool {
	if object>>6 != d.block-1 && !d.turn(object>>6) {
		return false
	}
	i := object & 63
	for k := range d.homes {
		h := &d.homes[k]
		if h.block.Base != h.base || object+h.base >= h.count.High || h.objects[i] != 0 ||
			*h.mounted>>i&1 != 0 {
			d.block = 0
			return false
		}
	}
	return true
}

// turn turns to another block, if its rows are as a slab's.
func (d *Desk) turn(block uint32) bool {
	d.block = 0
	for k, m := range d.managers {
		b := &m.Blocks[block]
		first := block<<6 + b.Base
		if first&63 != 0 || first >= m.count.High || len(m.objects)-int(first) < 64 {
			return false
		}
		d.homes[k] = home{
			m, m.count, b, (*[64]uint32)(m.objects[first:]), &m.mounted[first>>6],
			&m.changed[first>>6], m.tick, b.Base,
		}
	}
	d.block = block + 1
	return true
}

// Add gives an object every kind, for which rows are kept as Kept says.
func (d *Desk) Add(object uint32) {
	i := object & 63
	homes, bit := d.homes, uint64(1)<<i
	for k := range homes {
		h := &homes[k]
		t := *h.tick
		h.objects[i] = object
		*h.mounted |= bit
		*h.changed = t
		c := h.count
		c.Changed, c.Shape = t, uint32(t)
		c.Mounted++
		was := h.block.Present // enter, by hand: this is where the time goes
		now := was | bit
		if h.block.Present = now; was == 0 || now|h.manager.heard == full {
			h.manager.entered(h.block, was, object>>6, bit)
		}
	}
}
