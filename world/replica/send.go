package replica

import (
	"encoding/binary"
	"math/bits"
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

	groupSmall = 1 << 0 // differences from the base
	groupEnter = 1 << 1
	groupLeave = 1 << 2
	groupOwn   = 1 << 3

	none = 255 // group of a slot that is not sent
)

// write makes the datagram of this tick, from what was named.
func (v *View) write() {
	c, w, now := v.conn, &v.writing, v.table.tick
	w.n, w.last, w.records = 0, 0, 0
	clear(w.histogram[:])
	total, skipped := 0, false
	for k := range c.slots {
		e := &c.slots[k]
		e.group, e.chosen = none, false
		switch e.state {
		case free:
			continue
		case leaving:
			if e.sent == 0 || now-e.sent >= c.retry() {
				e.group = w.groupOf(v.table.schema, 0, groupLeave)
			}
			skipped = skipped || e.group == none
		case live:
			skipped = !v.compare(k, e) || skipped
		}
		if e.group == none {
			e.priority = 0
			continue
		}
		gain := uint16(2)
		if e.state == live {
			gain = uint16(e.weight)
			if e.ack == 0 {
				gain *= 2
			}
		}
		e.size = w.groups[e.group].size + recordSize
		e.priority = min(e.priority+gain, 1<<12)
		w.histogram[min(e.priority, 255)] += int(e.size)
		total += int(e.size)
		w.records++
	}
	room := v.server.options.Budget - headSize
	events := v.reserve(room)
	whole := v.choose(room-events, total) && !skipped
	v.encode(whole, events)
}

// compare finds the group of a slot: the parts that changed since the client had all. It reports
// whether the client has all of them when it has this datagram.
func (v *View) compare(k int, e *slot) bool {
	c, t := v.conn, v.table
	r := t.row(e.id.Index())
	mask := uint32(0)
	visible := t.schema.masks[0]
	if e.own {
		visible = t.schema.masks[1]
	}
	if len(t.schema.refs) > 0 {
		v.findRefs(k, r)
	}
	if e.ack == 0 {
		mask = visible
	} else {
		for i, stamp := range r[header:t.base] {
			if stamp > e.ack {
				mask |= 1 << i
			}
		}
		mask = v.withRefs(k, mask, e.ack) & visible
	}
	if mask == 0 && e.ack != 0 {
		return true
	}
	if !e.own && e.sent != 0 && t.tick-e.sent < c.retry() && !v.newer(k, r, mask, e.sent) {
		return false // on its way
	}
	flags := uint8(0)
	if e.own {
		flags |= groupOwn
	}
	switch {
	case e.ack == 0:
		flags |= groupEnter
	case e.ack == c.base && t.tick-c.base < ringTicks && v.fits(k, r, e, mask):
		flags |= groupSmall
	}
	e.group = v.writing.groupOf(t.schema, mask, flags)
	return e.group != none
}

// newer reports whether a part of mask changed after a tick.
func (v *View) newer(k int, r []uint32, mask uint32, tick uint32) bool {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if p := &v.table.schema.parts[i]; p.ref {
			if v.conn.refTicks[k*len(v.table.schema.refs)+p.refs] > tick {
				return true
			}
		} else if r[header+i] > tick {
			return true
		}
	}
	return false
}

// findRefs brings the references of a slot up to date: to slots of this client, or to nobody.
func (v *View) findRefs(k int, r []uint32) {
	c, t := v.conn, v.table
	for i, p := range t.schema.refs {
		at := t.base + p.at
		index, to := r[at], uint16(0)
		if id := uint64(r[at+1])<<32 | uint64(index); int(index) < len(v.places) {
			if place := v.places[index]; place != 0 && place&isComing == 0 {
				if e := &c.slots[place-1]; e.state == live && uint64(e.id) == id {
					to = place
				}
			}
		}
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

// fits reports whether some part of a mask can be sent as a difference, and all that can travel so
// fit into a byte per lane, which it keeps.
func (v *View) fits(k int, r []uint32, e *slot, mask uint32) bool {
	t, some := v.table, false
	for i, p := range t.schema.deltas {
		if mask>>p.number&1 == 0 {
			continue
		}
		const high = 0x8000_8000_8000_8000
		a := uint64(r[t.base+p.at])
		if p.words > 1 {
			a |= uint64(r[t.base+p.at+1]) << 32
		}
		b := t.past[i][v.conn.base%ringTicks][e.id.Index()]
		d := ((a | high) - (b &^ high)) ^ ((a ^ ^b) & high) // a - b in each lane of 16 bits
		if beyondBytes(d) {
			return false
		}
		v.writing.small[i][k] = uint32(d&0xff | d>>8&0xff00 | d>>16&0xff0000 | d>>24&0xff000000)
		some = true
	}
	return some
}

// beyondBytes reports whether a signed lane of 16 bits is not in -128…127: whether its upper 9 bits
// differ.
func beyondBytes(d uint64) bool {
	const low = 0x007f_007f_007f_007f
	sign := d >> 7 & 0x0001_0001_0001_0001
	return d&^low != sign*0xff80
}

// choose puts slots into their groups, those of the highest priorities if there is not room for
// all, and reports whether there was.
func (v *View) choose(room, total int) bool {
	c, w, now := v.conn, &v.writing, v.table.tick
	whole := total+groupSize*w.n <= room && w.records <= maxRecords
	if !whole {
		c.stats.Cut++
		v.cut(room)
	}
	p := &c.packets[c.sequence%packets]
	p.sequence, p.out, p.tick, p.n = c.sequence, true, now, 0
	c.sequence++
	for k := range c.slots {
		e := &c.slots[k]
		if e.group == none || !whole && !e.chosen {
			continue
		}
		g := &w.groups[e.group]
		g.slots = append(g.slots, uint16(k))
		p.slots[p.n] = uint16(k)
		p.n++
		e.sent, e.priority = now, 0
	}
	return whole
}

// cut chooses the slots that fit into a datagram, by priority. Among equal ones, it begins with
// another slot each time.
func (v *View) cut(room int) {
	c, w := v.conn, &v.writing
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
		size := int(e.size)
		if !w.groups[e.group].chosen {
			size += groupSize
		}
		if size <= left {
			e.chosen, w.groups[e.group].chosen = true, true
			left -= size
			records++
		}
	}
	start := int(c.sequence) * 31 % max(len(c.slots), 1)
	for _, at := range [2]int{level + 1, 0} {
		for k := range len(c.slots) {
			take((start+k)%len(c.slots), at)
		}
	}
}

// encode writes the datagram: its head, and group by group slots and columns.
func (v *View) encode(whole bool, events int) {
	c, w, t := v.conn, &v.writing, v.table
	le := binary.LittleEndian
	age, flags := byte(0), byte(0)
	if c.base != 0 && t.tick-c.base < ringTicks {
		age = byte(t.tick - c.base)
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
	le := binary.LittleEndian
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
