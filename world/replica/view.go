package replica

import (
	"cmp"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
	"github.com/flatecs/flatecs/world/space"
)

// A candidate is an object for which a client has no slot.
type candidate struct {
	id     world.GameObject
	key    uint64 // hash of the data that the client may see of it
	weight uint8
	own    bool
}

// A hearing is an event of this tick about the object of a slot.
type hearing struct {
	occasion uint64
	slot     uint16
	which    uint8
}

// A View names what one client sees in one tick. [Server.Send] passes it to the function see; it is
// valid until see returns.
type View struct {
	state   world.State
	table   *table
	log     *eventLog
	queries []world.Query
	lists   [][]world.GameObject // of queries
	conn    *Conn
	places  []uint16 // by index: slot + 1, or isComing and the number of a candidate + 1
	coming  []candidate
	hits    []space.Hit // of Near
	writing writing
	heard   []hearing                 // events of this tick for the client
	slotsOf [wire.MaxEvent / 2]uint16 // the references of an event
	touched uint32
}

func (v *View) open() *View {
	if v == nil || v.conn == nil {
		panic("replica: this View is over; use it in the function that Send calls, and only there")
	}
	return v
}

// State returns the world of this tick, for reading by id.
func (v *View) State() world.State { return v.open().state }

// See names an object. If there is not room for all objects, those with a larger weight, from 1 to
// 255, are sent more often.
func (v *View) See(id world.GameObject, weight int) { v.open().want(id, weight, true, false) }

// Own names an object that the client owns: the client gets its parts for owners, before other
// objects, and may predict it.
func (v *View) Own(id world.GameObject) { v.open().want(id, ownWeight, true, true) }

const ownWeight = 32

// Related names all objects that refer to target by a relation, such as the members of a team.
func (v *View) Related(
	relation layout.Field[world.GameObject], target world.GameObject, weight int,
) {
	for id := range family.Children(v.open().state, relation, target) {
		v.want(id, weight, true, false)
	}
}

// Query names all objects that match one of [Options.Queries], which are listed once per tick for
// all clients. It panics for another query.
func (v *View) Query(q world.Query, weight int) {
	for i, known := range v.open().queries {
		if known == q {
			for _, id := range v.lists[i] {
				v.want(id, weight, true, false)
			}
			return
		}
	}
	panic("replica: View.Query of a query that NewServer does not know; list it in Options.Queries")
}

// Near names the objects of cells around a place, with distances in world units: objects within
// enter come into sight, and stay until they are farther away than leave. In a crowd, objects
// within a third of enter are sent at four times the rate of the outer ones, objects within two
// thirds at twice the rate. Build the cells in each tick, before Send.
func Near[T any](v *View, cells space.View[T], at T, enter, leave float64, weight int) {
	v.open()
	ids := cells.IDs()
	in, near := enter*enter, enter*enter/9
	v.hits = cells.AppendNear(v.hits[:0], at, max(enter, leave))
	for _, hit := range v.hits {
		w := weight
		switch {
		case hit.Square <= near:
			w *= 4
		case hit.Square <= 4*near:
			w *= 2
		}
		v.want(ids[hit.Entry], w, hit.Square <= in, false)
	}
}

// begin prepares the scratch of a worker for a client.
func (v *View) begin(c *Conn) {
	v.conn, v.coming = c, v.coming[:0]
	c.queue.arrive(c.line.arrived)
	c.slots.arrive(&c.line)
	c.line.arrived = c.line.arrived[:0]
	v.writing.begin(v.table, c.line.base)
	v.touch()
	for k := range c.slots.all {
		e := &c.slots.all[k]
		if e.state == free {
			continue
		}
		i := e.id.Index()
		if e.state == live || v.places[i] == 0 {
			v.places[i] = uint16(k + 1)
		}
		e.owned, e.alive = false, world.Alive(v.state, e.id)
	}
}

// touch only reads a word of each cache line that the tick needs of a client's objects, so that the
// waits for memory overlap. With many objects, consecutive waits would take most of the time.
func (v *View) touch() {
	t, w := v.table, &v.writing
	touched := uint32(0)
	for k := range v.conn.slots.all {
		touched += t.rows[int(v.conn.slots.all[k].id.Index())*t.stride]
	}
	if w.base != 0 {
		for _, past := range w.past {
			for k := range v.conn.slots.all {
				touched += uint32(past[v.conn.slots.all[k].id.Index()])
			}
		}
	}
	v.touched = touched
}

// end drops the references to the client.
func (v *View) end() {
	for k := range v.conn.slots.all {
		if e := &v.conn.slots.all[k]; e.state != free {
			v.places[e.id.Index()] = 0
		}
	}
	for i := range v.coming {
		v.places[v.coming[i].id.Index()] = 0
	}
	v.conn = nil
}

// isComing is the bit of places for an object without a slot.
const isComing = 1 << 15

// want names an object for this tick. An object without a slot gets one only if it enters.
func (v *View) want(id world.GameObject, weight int, enters, own bool) {
	i, now := id.Index(), v.table.tick
	if int(i) >= len(v.places) {
		return
	}
	w := uint8(min(max(weight, 1), 255))
	place := v.places[i]
	if place != 0 && place&isComing == 0 {
		e := &v.conn.slots.all[place-1]
		if e.id == id {
			if !e.alive {
				return
			}
			if e.state == leaving {
				if enters {
					v.come(id, w, own)
				}
				return
			}
			if e.seen != now {
				e.seen, e.weight = now, w
			}
			e.weight, e.owned = max(e.weight, w), e.owned || own
			return
		}
	}
	if !world.Alive(v.state, id) {
		return
	}
	if place&isComing != 0 {
		e := &v.coming[place&^isComing-1]
		e.weight, e.own = max(e.weight, w), e.own || own
		return
	}
	if enters {
		v.come(id, w, own)
	}
}

// come records an object that may get a slot after all were named.
func (v *View) come(id world.GameObject, weight uint8, own bool) {
	if v.table.row(id.Index())[0] != id.Generation() || len(v.coming) == cap(v.coming) {
		return
	}
	v.coming = append(v.coming, candidate{id: id, weight: weight, own: own})
	v.places[id.Index()] = isComing | uint16(len(v.coming))
}

// assignSlots gives slots to entering objects, and takes back the slots of objects that were not
// named.
func (v *View) assignSlots() {
	c, now := v.conn, v.table.tick
	for k := range c.slots.all {
		e := &c.slots.all[k]
		if e.state != live {
			continue
		}
		switch id := e.id; {
		case e.seen != now:
			v.leave(uint16(k))
		case e.own != e.owned: // a new object for the client, so that it keeps no data
			owned, weight := e.owned, e.weight
			v.leave(uint16(k))
			v.come(id, weight, owned)
		}
	}
	v.sortComing()
	for i := range v.coming {
		e := &v.coming[i]
		index := e.id.Index()
		v.places[index] = 0
		k, ok := c.slots.take()
		if !ok {
			c.stats.NoSlot++
			continue
		}
		c.slots.put(k, slot{
			id: e.id, since: now, seen: now, state: live, weight: e.weight, own: e.own,
			key: c.keys.of(e.id),
		})
		v.places[index] = k + 1
	}
}

// leave begins to take a slot back, or frees it if the client has no data of it.
func (v *View) leave(k uint16) {
	e := &v.conn.slots.all[k]
	if e.sent != 0 {
		e.state, e.since, e.sent, e.in = leaving, v.table.tick, 0, 0
		e.gone = !e.alive
		return
	}
	if place := &v.places[e.id.Index()]; *place == k+1 {
		*place = 0
	}
	v.conn.slots.release(k)
}

// sortComing sorts the entering objects by their weights and by data that the client may see, and
// not by their indexes, which would reveal other objects.
func (v *View) sortComing() {
	t := v.table
	for i := range v.coming {
		e := &v.coming[i]
		row := t.valuesOf(e.id)
		e.key = 0
		for p := range t.schema.wire.In(t.schema.wire.Visible(e.own)) {
			if p.Ref {
				continue
			}
			for _, word := range row[p.At:][:p.Words] {
				e.key = (e.key ^ uint64(word)) * 0x9e37_79b9_7f4a_7c15
				e.key ^= e.key >> 29
			}
		}
	}
	slices.SortStableFunc(v.coming, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.key, b.key))
	})
}

// liveSlot returns the slot, plus one, of an object that the client sees, or 0.
func (v *View) liveSlot(id world.GameObject) uint16 {
	if index := id.Index(); int(index) < len(v.places) {
		if place := v.places[index]; place != 0 && place&isComing == 0 {
			if e := &v.conn.slots.all[place-1]; e.id == id && e.state == live {
				return place
			}
		}
	}
	return 0
}
