package replica

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// write writes this tick's datagram from the named objects.
func (v *View) write() {
	w := &v.writing
	size, skipped := v.compareAll()
	c := v.conn
	c.flow.judge(&c.line)
	room := c.flow.budget - wire.HeadSize
	events := v.reserve(room)
	whole := size+wire.GroupSize*w.n <= room-events && w.records <= maxRecords
	if !whole {
		c.stats.Cut++
		v.cut(room - events)
	}
	v.commit()
	v.encode(whole && !skipped, events)
}

// compareAll assigns each slot with parts to send to its group, and returns the number of bytes of
// the records, and whether something has to wait.
func (v *View) compareAll() (size int, skipped bool) {
	c, w, t := v.conn, &v.writing, v.table
	now, retry := t.tick, c.line.retry()
	for k := range c.slots.all {
		e := &c.slots.all[k]
		g := uint8(none)
		switch e.state {
		case free:
			e.group = none
			continue
		case leaving:
			if e.sent == 0 || now-e.sent >= retry {
				g = w.groupOf(t.schema, 0, wire.Leave)
			}
			skipped = skipped || g == none
		case live:
			mask := v.maskOf(k, e)
			if mask == 0 && e.ack != 0 {
				break
			}
			if g = v.groupFor(k, e, mask, retry); g == none {
				skipped = true
			}
		}
		if e.group = g; g == none {
			e.priority = 0
			continue
		}
		to := &w.groups[g]
		size += v.sizeOf(e)
		if w.records++; w.records <= maxRecords {
			to.Slots = append(to.Slots, uint16(k))
		}
	}
	return size, skipped
}

// sizeOf returns the maximum number of bytes of the record of a slot in a group.
func (v *View) sizeOf(e *slot) int {
	g := &v.writing.groups[e.group]
	n := int(g.size) + wire.RecordSize
	if g.Mask&v.table.schema.wire.Lists != 0 {
		n += v.table.schema.wire.SizeOfLists(v.table.valuesOf(e.id), g.Mask)
	}
	return n
}

// maskOf returns the parts of a slot that changed since the client had all of them.
func (v *View) maskOf(k int, e *slot) (mask uint32) {
	t := v.table
	visible := t.schema.wire.Visible(e.own)
	at := int(e.id.Index()) * t.stride
	if len(t.schema.refs) > 0 {
		v.findRefs(k, t.rows[at:][:t.stride])
	}
	if e.ack == 0 {
		return visible
	}
	for i, stamp := range t.rows[at+header:][:t.base-header] {
		bit := uint32(0)
		if stamp > e.ack {
			bit = 1
		}
		mask |= bit << (i & 31)
	}
	for _, p := range t.schema.timed {
		mask &^= 1 << p.number
		if v.conn.changed(k, t.rows[at:], p) > e.ack {
			mask |= 1 << p.number
		}
	}
	return mask & visible
}

// groupFor returns the group of a slot with a mask, or none if the missing parts are in flight, or
// if there are too many groups.
func (v *View) groupFor(k int, e *slot, mask, retry uint32) uint8 {
	t, w := v.table, &v.writing
	flags := uint8(0)
	if e.own {
		flags |= wire.Own
	} else if e.sent != 0 && t.tick-e.sent < retry &&
		!v.newer(k, t.row(e.id.Index()), mask, e.sent) {
		return none
	}
	switch {
	case e.ack == 0:
		flags |= wire.Enter
		if e.key.Count != 0 {
			flags |= wire.Keys
		}
	case e.ack == w.base && w.bases&mask != 0 && v.fits(e.id.Index(), mask):
		flags |= wire.Small
	}
	return w.groupOf(t.schema, mask, flags)
}

// newer reports whether a part of mask changed after a tick.
func (v *View) newer(k int, r []uint32, mask uint32, tick uint32) bool {
	for p := range v.table.schema.in(mask) {
		if v.conn.changed(k, r, p) > tick {
			return true
		}
	}
	return false
}

// findRefs updates the references of a slot: to slots of this client, or to nobody.
func (v *View) findRefs(k int, r []uint32) {
	c, t := v.conn, v.table
	for i, p := range t.schema.refs {
		at := t.base + p.At
		to := v.liveSlot(world.GameObject(uint64(r[at+1])<<32 | uint64(r[at])))
		c.slots.refer(k, i, to, t.tick)
	}
}

// fits reports whether all parts in a mask that allow differences fit into a byte per lane.
func (v *View) fits(index, mask uint32) bool {
	for i, p := range v.table.schema.deltas {
		if mask>>p.number&1 == 0 {
			continue
		}
		if _, ok := wire.Difference(v.table.pair(p, index), v.writing.past[i][index]); !ok {
			return false
		}
	}
	return true
}

// cut chooses the slots that fit into a datagram, by priority. Among equal priorities it begins
// with a different slot each time.
func (v *View) cut(room int) {
	c, w := v.conn, &v.writing
	v.prioritise()
	level, left := 255, room-room/8
	for ; level > 0 && left-w.histogram[level] >= 0; level-- {
		left -= w.histogram[level]
	}
	left = room
	records := 0
	take := func(k int, at int) {
		e := &c.slots.all[k]
		if e.group == none || e.chosen || int(min(e.priority, 255)) < at || records == maxRecords {
			return
		}
		g := &w.groups[e.group]
		size := v.sizeOf(e)
		if !g.chosen {
			size += wire.GroupSize
		}
		if size <= left {
			e.chosen, g.chosen = true, true
			left -= size
			records++
		}
	}
	slots := max(len(c.slots.all), 1)
	n := int(c.line.sequence)
	start := (n*31 + n/slots) % slots // each slot is the first, once
	for _, at := range [2]int{level + 1, 0} {
		for k := start; k < len(c.slots.all); k++ {
			take(k, at)
		}
		for k := range start {
			take(k, at)
		}
	}
	for k := range c.slots.all {
		if e := &c.slots.all[k]; e.chosen {
			e.chosen = false
			g := &w.groups[e.group]
			g.Slots = append(g.Slots, uint16(k))
		}
	}
}

// prioritise raises the priorities of the slots to send, and empties the groups.
func (v *View) prioritise() {
	c, w := v.conn, &v.writing
	clear(w.histogram[:])
	for i := range w.groups[:w.n] {
		w.groups[i].Slots = w.groups[i].Slots[:0]
	}
	for k := range c.slots.all {
		e := &c.slots.all[k]
		if e.group == none {
			continue
		}
		gain := uint16(2)
		if e.state == live {
			gain = uint16(e.weight)
			if e.ack == 0 {
				gain *= 2
			}
		}
		e.priority = min(e.priority+gain, 1<<12)
		w.histogram[min(e.priority, 255)] += v.sizeOf(e)
	}
}

// commit records the contents of the next packet.
func (v *View) commit() {
	c, w, now := v.conn, &v.writing, v.table.tick
	bit := c.line.next(now)
	for i := range w.groups[:w.n] {
		for _, k := range w.groups[i].Slots {
			e := &c.slots.all[k]
			e.sent, e.priority = now, 0
			e.in |= bit
		}
	}
}

// encode writes the datagram: the slots and columns of each group, and events.
func (v *View) encode(whole bool, events int) {
	c, w, t := v.conn, &v.writing, v.table
	head := wire.Head{
		Tick: t.tick, Sequence: c.line.sequence - 1, Used: c.inputs.used, Slack: c.inputs.slack,
	}
	if w.base != 0 {
		head.Age = byte(t.tick - w.base)
	}
	if whole {
		head.Flags |= wire.Whole
	}
	b := wire.Begin(c.out[:0])
	for i := range w.groups[:w.n] {
		g := &w.groups[i]
		if len(g.Slots) == 0 {
			continue
		}
		head.Groups++
		b = g.Append(b)
		c.count(g)
		if g.Flags&wire.Keys != 0 {
			for _, k := range g.Slots {
				b = c.slots.all[k].key.Append(b)
			}
		}
		for p := range t.schema.in(g.Mask) {
			b = v.column(b, p, g)
		}
	}
	if n := len(b); events > 0 {
		if b = v.say(b, events); len(b) > n {
			head.Flags |= wire.HasEvents
		}
	}
	c.out = head.Finish(b)
	c.stats.Datagrams++
	c.stats.Bytes += len(b)
	c.line.packets[(c.line.sequence-1)%packets].size = uint16(len(b))
}

func (c *Conn) count(g *group) {
	n := len(g.Slots)
	switch {
	case g.Flags&wire.Leave != 0:
		c.stats.Left += n
	case g.Flags&wire.Enter != 0:
		c.stats.Entered += n
	default:
		c.stats.Updated += n
		if g.Flags&wire.Small != 0 {
			c.stats.Differences += n
		}
	}
}

// column appends the values of a part for all slots of a group.
func (v *View) column(b []byte, p *part, g *group) []byte {
	c, t := v.conn, v.table
	for _, k := range g.Slots {
		switch {
		case g.Flags&wire.Small != 0 && p.Delta:
			index := c.slots.all[k].id.Index()
			d, _ := wire.Difference(t.pair(p, index), v.writing.past[p.deltas][index])
			b = p.AppendDifference(b, d)
		case p.Ref:
			b = le.AppendUint16(b, c.slots.refs[int(k)*len(t.schema.refs)+p.refs])
		default:
			b = p.Append(b, t.valuesOf(c.slots.all[k].id))
		}
	}
	return b
}
