package replica

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/space"
)

// A View names what one client sees in one tick. [Server.Send] passes it to the function see; it is
// valid until see returns.
type View struct {
	state   world.State
	table   *table
	server  *Server
	conn    *Conn
	places  []uint16 // by index: slot + 1, or isComing and the number of a candidate + 1
	coming  []candidate
	writing writing
	heard   []hearing // events of this tick for the client
	touched uint32
}

const noView = "replica: this View is over; use it in the function that Send calls, and only there"

func (v *View) open() *View {
	if v == nil || v.conn == nil {
		panic(noView)
	}
	return v
}

// State returns the world of this tick, for reading by id.
func (v *View) State() world.State { return v.open().state }

// See names an object. Objects with a larger weight, of 1 to 255, are sent more often if there is
// not room for all.
func (v *View) See(id world.GameObject, weight int) { v.open().want(id, weight, true, false) }

// Own names an object that the client owns: the client gets its parts for owners, before other
// objects, and may predict it.
func (v *View) Own(id world.GameObject) { v.open().want(id, ownWeight, true, true) }

const ownWeight = 32

// Related names all objects that refer to target by a relation, such as those of a team.
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
	for i, known := range v.open().server.options.Queries {
		if known == q {
			for _, id := range v.server.lists[i] {
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
	for e, square := range cells.NearSquares(at, max(enter, leave)) {
		w := weight
		switch {
		case square <= near:
			w *= 4
		case square <= 4*near:
			w *= 2
		}
		v.want(ids[e], w, square <= in, false)
	}
}

// liveSlot returns the slot, plus one, of an object that the client sees, or 0.
func (v *View) liveSlot(id world.GameObject) uint16 {
	if index := id.Index(); int(index) < len(v.places) {
		if place := v.places[index]; place != 0 && place&isComing == 0 {
			if e := &v.conn.slots[place-1]; e.id == id && e.state == live {
				return place
			}
		}
	}
	return 0
}
