package replica

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

const none = 255 // group of a slot that is not sent

// write makes the datagram of this tick, from what was named.
func (v *View) write() {
	w := &v.writing
	size, skipped := v.compareAll()
	c := v.conn
	c.judge()
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

// compareAll puts each slot of which something is to be sent into its group, and returns how many
// bytes their records have, and whether something has to wait.
func (v *View) compareAll() (size int, skipped bool) {
	c, w, t := v.conn, &v.writing, v.table
	now, retry := t.tick, c.retry()
	for k := range c.slots {
		e := &c.slots[k]
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

// sizeOf is the number of bytes, at most, of the record of a slot that is in a group.
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
	v.findRefs(k, t.rows[at:][:t.stride])
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

// groupFor returns the group of a slot with a mask, or none if what it lacks is on its way, or
// there are too many groups.
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
	case e.ack == w.base && w.bases&mask != 0 && v.fits(k, e.id.Index(), mask):
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

// changed returns the tick of the last change of a part of slot k, whose object has a row, as this
// client is to have it: of references as it has the objects, of others not before their turn.
func (c *Conn) changed(k int, r []uint32, p *part) uint32 {
	schema, stamp := c.server.table.schema, r[header+p.number]
	switch {
	case p.Ref:
		return c.refTicks[k*len(schema.refs)+p.refs]
	case p.wire.once:
		return 0 // the client has it since the object came in
	case p.wire.every > 1 && stamp > c.slots[k].since:
		return turnOf(stamp, uint64(p.wire.every), c.server.table.tick)
	}
	return stamp
}

// turnOf returns the tick in which a change is sent of a part that is sent every n ticks. If that
// is still to come, it is the turn before: there may have been an earlier change.
func turnOf(stamp uint32, n uint64, now uint32) uint32 {
	turn := (uint64(stamp) + n - 1) / n * n
	if turn > uint64(now) {
		turn -= n
	}
	return uint32(turn)
}

// findRefs brings the references of a slot up to date: to slots of this client, or to nobody.
func (v *View) findRefs(k int, r []uint32) {
	c, t := v.conn, v.table
	for i, p := range t.schema.refs {
		at := t.base + p.At
		to := v.liveSlot(world.GameObject(uint64(r[at+1])<<32 | uint64(r[at])))
		if ref := &c.refs[k*len(t.schema.refs)+i]; *ref != to {
			*ref = to
			c.refTicks[k*len(t.schema.refs)+i] = t.tick
		}
	}
}

// fits reports whether all parts of a mask that can travel as differences fit into a byte per lane,
// which it keeps.
func (v *View) fits(k int, index, mask uint32) bool {
	t, w := v.table, &v.writing
	for i, p := range t.schema.deltas {
		if mask>>p.number&1 == 0 {
			continue
		}
		bytes, ok := wire.Difference(
			v.pair(int(index)*t.stride+t.base+p.At, p.Words), w.past[i][index])
		if !ok {
			return false
		}
		w.small[i][k] = bytes
	}
	return true
}

// pair returns one or two words of the table as one.
func (v *View) pair(at, words int) uint64 {
	a := uint64(v.table.rows[at])
	if words > 1 {
		a |= uint64(v.table.rows[at+1]) << 32
	}
	return a
}

// cut chooses the slots that fit into a datagram, by priority. Among equal ones, it begins with
// another slot each time.
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
		e := &c.slots[k]
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
	slots := max(len(c.slots), 1)
	start := (int(c.sequence)*31 + int(c.sequence)/slots) % slots // each is the first, once
	for _, at := range [2]int{level + 1, 0} {
		for k := start; k < len(c.slots); k++ {
			take(k, at)
		}
		for k := range start {
			take(k, at)
		}
	}
	for k := range c.slots {
		if e := &c.slots[k]; e.chosen {
			e.chosen = false
			g := &w.groups[e.group]
			g.Slots = append(g.Slots, uint16(k))
		}
	}
}

// prioritise raises the priorities of what is to be sent, and empties the groups.
func (v *View) prioritise() {
	c, w := v.conn, &v.writing
	clear(w.histogram[:])
	for i := range w.groups[:w.n] {
		w.groups[i].Slots = w.groups[i].Slots[:0]
	}
	for k := range c.slots {
		e := &c.slots[k]
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

// commit notes what the next packet has.
func (v *View) commit() {
	c, w, now := v.conn, &v.writing, v.table.tick
	bit := uint32(1) << (c.sequence % packets)
	c.packets[c.sequence%packets] = packet{out: true, sequence: c.sequence, tick: now}
	c.sequence++
	for i := range w.groups[:w.n] {
		for _, k := range w.groups[i].Slots {
			e := &c.slots[k]
			e.sent, e.priority = now, 0
			e.in |= bit
		}
	}
}

// encode writes the datagram: group by group slots and columns, and events.
func (v *View) encode(whole bool, events int) {
	c, w, t := v.conn, &v.writing, v.table
	head := wire.Head{
		Tick: t.tick, Sequence: c.sequence - 1, Used: c.inputs.used, Slack: c.inputs.slack,
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
				b = c.slots[k].key.Append(b)
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
	c.packets[(c.sequence-1)%packets].size = uint16(len(b))
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

// column appends the values of a part of all slots of a group.
func (v *View) column(b []byte, p *part, g *group) []byte {
	c, t := v.conn, v.table
	for _, k := range g.Slots {
		switch {
		case g.Flags&wire.Small != 0 && p.Delta:
			b = p.AppendDifference(b, v.writing.small[p.deltas][k])
		case p.Ref:
			b = le.AppendUint16(b, c.refs[int(k)*len(t.schema.refs)+p.refs])
		default:
			b = p.Append(b, t.valuesOf(c.slots[k].id))
		}
	}
	return b
}
