package replica

import (
	"encoding/binary"
	"math/bits"

	"github.com/flatecs/flatecs/world"
)

// A datagram of the server; numbers are little-endian. See the package comment.
const (
	checkSize  = 4
	headSize   = checkSize + 12
	groupSize  = 8 // at most, without slots and values
	recordSize = 2 // at most, without values: the step to the next slot

	flagWhole   = 1 << 0 // of a datagram: nothing was left out
	flagRefused = 1 << 1 // the schemas differ
	flagEvents  = 1 << 2 // events follow the groups
	flagGone    = 1 << 3 // the server has given the client up

	groupSmall = 1 << 0 // differences from the base
	groupEnter = 1 << 1
	groupLeave = 1 << 2
	groupOwn   = 1 << 3
	groupKey   = 1 << 4 // keys come before the values

	none = 255 // group of a slot that is not sent
)

// write makes the datagram of this tick, from what was named.
func (v *View) write() {
	w := &v.writing
	size, skipped := v.compareAll()
	c := v.conn
	c.judge()
	room := c.flow.budget - headSize
	events := v.reserve(room)
	whole := size+groupSize*w.n <= room-events && w.records <= maxRecords
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
				g = w.groupOf(t.schema, 0, groupLeave)
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
			to.slots = append(to.slots, uint16(k))
		}
	}
	return size, skipped
}

// maskOf returns the parts of a slot that changed since the client had all of them.
func (v *View) maskOf(k int, e *slot) (mask uint32) {
	t := v.table
	visible := t.schema.visible(e.own)
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
	if len(t.schema.refs) > 0 {
		mask = v.withRefs(k, mask, e.ack)
	}
	for _, p := range t.schema.timed {
		mask &^= 1 << p.number
		if v.conn.changed(k, t.rows[at:], p.number) > e.ack {
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
		flags |= groupOwn
	} else if e.sent != 0 && t.tick-e.sent < retry &&
		!v.newer(k, t.row(e.id.Index()), mask, e.sent) {
		return none
	}
	switch {
	case e.ack == 0:
		flags |= groupEnter
		if e.key.count != 0 {
			flags |= groupKey
		}
	case e.ack == w.base && w.bases&mask != 0 && v.fits(k, e.id.Index(), mask):
		flags |= groupSmall
	}
	return w.groupOf(t.schema, mask, flags)
}

// newer reports whether a part of mask changed after a tick.
func (v *View) newer(k int, r []uint32, mask uint32, tick uint32) bool {
	for m := mask; m != 0; m &= m - 1 {
		if v.conn.changed(k, r, bits.TrailingZeros32(m)) > tick {
			return true
		}
	}
	return false
}

// changed returns the tick of the last change of part i of slot k, whose object has a row, as this
// client is to have it: of references as it has the objects, of others not before their turn.
func (c *Conn) changed(k int, r []uint32, i int) uint32 {
	schema, stamp := c.server.table.schema, r[header+i]
	switch p := &schema.parts[i]; {
	case p.ref:
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
		at := t.base + p.at
		to := v.liveSlot(world.GameObject(uint64(r[at+1])<<32 | uint64(r[at])))
		if ref := &c.refs[k*len(t.schema.refs)+i]; *ref != to {
			*ref = to
			c.refTicks[k*len(t.schema.refs)+i] = t.tick
		}
	}
}

// withRefs replaces what the table says of references by what is so for this client.
func (v *View) withRefs(k int, mask, ack uint32) uint32 {
	for i, p := range v.table.schema.refs {
		mask &^= 1 << p.number
		if v.conn.refTicks[k*len(v.table.schema.refs)+i] > ack {
			mask |= 1 << p.number
		}
	}
	return mask
}

// fits reports whether all parts of a mask that can travel as differences fit into a byte per lane,
// which it keeps.
func (v *View) fits(k int, index, mask uint32) bool {
	t, w := v.table, &v.writing
	for i, p := range t.schema.deltas {
		if mask>>p.number&1 == 0 {
			continue
		}
		const high = 0x8000_8000_8000_8000
		a, b := v.pair(int(index)*t.stride+t.base+p.at, p.words), w.past[i][index]
		d := ((a | high) - (b &^ high)) ^ ((a ^ ^b) & high) // a - b in each lane of 16 bits
		if beyondBytes(d) {
			return false
		}
		w.small[i][k] = uint32(d&0xff | d>>8&0xff00 | d>>16&0xff0000 | d>>24&0xff000000)
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

// beyondBytes reports whether a signed lane of 16 bits is not in -128…127: whether its upper 9 bits
// differ.
func beyondBytes(d uint64) bool {
	const low = 0x007f_007f_007f_007f
	sign := d >> 7 & 0x0001_0001_0001_0001
	return d&^low != sign*0xff80
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
			size += groupSize
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
			g.slots = append(g.slots, uint16(k))
		}
	}
}

// prioritise raises the priorities of what is to be sent, and empties the groups.
func (v *View) prioritise() {
	c, w := v.conn, &v.writing
	clear(w.histogram[:])
	for i := range w.groups[:w.n] {
		w.groups[i].slots = w.groups[i].slots[:0]
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
		for _, k := range w.groups[i].slots {
			e := &c.slots[k]
			e.sent, e.priority = now, 0
			e.in |= bit
		}
	}
}

// encode writes the datagram: its head, and group by group slots and columns.
func (v *View) encode(whole bool, events int) {
	c, w, t := v.conn, &v.writing, v.table
	age, flags := byte(0), byte(0)
	if w.base != 0 {
		age = byte(t.tick - w.base)
	}
	if whole {
		flags |= flagWhole
	}
	b := le.AppendUint32(c.out[:0], 0)
	b = le.AppendUint32(b, t.tick)
	b = le.AppendUint16(b, c.sequence-1)
	b = le.AppendUint16(b, c.inputs.used)
	b = append(b, age, flags, byte(c.inputs.slack), 0)
	groups := byte(0)
	for i := range w.groups[:w.n] {
		g := &w.groups[i]
		if len(g.slots) == 0 {
			continue
		}
		groups++
		b = append(b, g.flags)
		b = binary.AppendUvarint(b, uint64(g.mask))
		b = binary.AppendUvarint(b, uint64(len(g.slots)))
		last := uint16(0)
		for _, k := range g.slots {
			b = binary.AppendUvarint(b, uint64(k-last))
			last = k
		}
		c.count(g)
		if g.flags&groupKey != 0 {
			b = c.keysOf(b, g.slots)
		}
		for m := g.mask; m != 0; m &= m - 1 {
			b = v.column(b, &t.schema.parts[bits.TrailingZeros32(m)], g)
		}
	}
	b[headSize-1] = groups
	if n := len(b); events > 0 {
		if b = v.say(b, events); len(b) > n {
			b[headSize-3] |= flagEvents
		}
	}
	c.out = seal(b)
	c.stats.Datagrams++
	c.stats.Bytes += len(b)
	c.packets[(c.sequence-1)%packets].size = uint16(len(b))
}

func (c *Conn) count(g *group) {
	n := len(g.slots)
	switch {
	case g.flags&groupLeave != 0:
		c.stats.Left += n
	case g.flags&groupEnter != 0:
		c.stats.Entered += n
	default:
		c.stats.Updated += n
		if g.flags&groupSmall != 0 {
			c.stats.Differences += n
		}
	}
}

// column appends the values of a part of all slots of a group.
func (v *View) column(b []byte, p *part, g *group) []byte {
	c, t := v.conn, v.table
	switch {
	case g.flags&groupSmall != 0 && p.deltas >= 0:
		for _, k := range g.slots {
			n := len(b)
			b = le.AppendUint32(b, v.writing.small[p.deltas][k])[:n+p.lanes]
		}
		return b
	case p.ref:
		for _, k := range g.slots {
			b = le.AppendUint16(b, c.refs[int(k)*len(t.schema.refs)+p.refs])
		}
		return b
	case p.most > 0:
		for _, k := range g.slots {
			b = p.appendList(b, t.row(c.slots[k].id.Index())[t.base+p.at:])
		}
		return b
	}
	at := t.base + p.at
	for _, k := range g.slots {
		n := len(b)
		r := t.rows[int(c.slots[k].id.Index())*t.stride+at:]
		for i := range p.words {
			b = le.AppendUint32(b, r[i])
		}
		b = b[:n+p.width]
	}
	return b
}
