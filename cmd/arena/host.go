package arena

import (
	"fmt"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica"
	"github.com/flatecs/flatecs/world/space"
)

const sides = 2

// Queries of the server.
var (
	actors   = world.NewQuery(world.Read(place, side, part))
	standing = world.NewQuery(world.Write(armour), world.Read(place, side), world.Without(Fading))
	spying   = world.NewQuery(world.Read(place, side), world.Without(Fading))
	flying   = world.NewQuery(world.Write(place), world.Read(heading), world.With(Shell))
	shells   = world.NewQuery(world.Read(place), world.With(Shell))
	fading   = world.NewQuery(world.Write(left))
	driving  = world.NewQuery(world.Read(who, seat))
)

// A Host is the server of an arena. It belongs to one goroutine, and reads no clock.
type Host struct {
	state   world.State
	server  *replica.Server
	all     *space.Cells[[2]float32] // of all actors
	flying  *space.Cells[[2]float32] // of shells
	players []world.GameObject       // tanks, by the number of the client
	ids     []uint64                 // of clients, by their number
	gone    []*replica.Conn          // in the last tick
	spotted [sides][]uint64          // a bit per object that a side sees
}

// Counts are those of the world of a host with room for so many players. It panics if that is not in
// [1, 4096].
func Counts(players int, seed uint64) world.Counts {
	if players < 1 || players > 4096 {
		panic(fmt.Sprintf("arena: a host for %d players; give 1 to 4,096", players))
	}
	objects := 4*players + 64
	return world.Counts{
		GameObjects: objects, Kinds: layout.Kinds(Actor, Fading, Shell, Driven.Count(players)),
		Recipes: []world.Recipe{tank, driven, shell, blast}, Seed: max(seed, 1),
		Commands: 4 * objects,
	}
}

// NewHost returns a host with room for so many players. It panics like Counts.
func NewHost(players int, seed uint64) (*Host, error) {
	s, err := world.CreateState(Counts(players, seed))
	if err != nil {
		return nil, err
	}
	return GoOn(s, players, nil, 0)
}

// GoOn returns a host that goes on with the world of another one, and what that served, of
// [Host.AppendState]. If that one went on after that, lost is for how long at most. Players come by
// Accept again. Those of another build of the game begin anew.
func GoOn(s world.State, players int, served []byte, lost time.Duration) (*Host, error) {
	h := &Host{
		state: s, players: make([]world.GameObject, players), ids: make([]uint64, players),
	}
	objects := world.CountsOf(s).GameObjects
	for n := range h.spotted {
		h.spotted[n] = make([]uint64, (objects+63)/64)
	}
	cells := space.Options{Size: 64, Query: actors}
	var err error
	if h.all, err = space.NewCells(s, place, cells); err != nil {
		return nil, err
	}
	cells.Query = shells
	if h.flying, err = space.NewCells(s, place, cells); err != nil {
		return nil, err
	}
	o := replica.Options{Clients: players, Known: Known, Input: 1}
	if served != nil && h.find() {
		h.server, err = replica.ReadServer(s, Schema, o, served, ticksOf(lost))
	}
	if h.server != nil && err == nil {
		return h, nil
	}
	h.server = replica.NewServer(s, Schema, o)
	for b := range driving.In(h.state) {
		for i := range b.Len() {
			b.Dispose(i)
		}
	}
	h.state, err = world.Apply(h.state)
	return h, err
}

// find finds the tanks of players. It returns false if there is no room for one.
func (h *Host) find() bool {
	for b := range driving.In(h.state) {
		of, at := world.Column(b, who), world.Column(b, seat)
		for i := range of {
			if int(at[i]) >= len(h.players) {
				return false
			}
			h.players[at[i]], h.ids[at[i]] = b.ID(i), of[i]
		}
	}
	return true
}

// ticksOf is how many ticks may have been taken in a time: those that were late are taken at once.
func ticksOf(d time.Duration) int {
	if d <= 0 {
		return 0
	}
	return min(int(d*Ticks/time.Second)+Ticks+1, 1<<14)
}

// AppendState appends what the host knows of its players, for [GoOn]. Call it between two ticks.
func (h *Host) AppendState(dst []byte) []byte { return h.server.AppendState(dst) }

// Skip goes on after another host served the players for a time.
func (h *Host) Skip(d time.Duration) { h.server.Skip(ticksOf(max(d, 1))) }

// Known is how many actors a player sees at most at once.
const Known = 512

// Accept takes in a player, who joins when its program answers, by an ID. One that is known goes on
// with its tank, and with what its program has, unless that is new. It returns nil if there is no
// room.
func (h *Host) Accept(l link.Link, id uint64, isNew bool) *replica.Conn {
	for c := range h.server.Conns() {
		if h.ids[c.Number()] != id {
			continue
		}
		if c.Resume(l); isNew {
			c.Renew()
		}
		return c
	}
	c := h.server.Accept(l)
	if c != nil {
		h.ids[c.Number()] = id
	}
	return c
}

// State returns the world, for those who look.
func (h *Host) State() world.State { return h.state }

// Gone returns the players that left in the last tick.
func (h *Host) Gone() []*replica.Conn { return h.gone }

// Sees appends what a player may see, for an inspector's page, and the digest of its tank.
func (h *Host) Sees(dst []byte, player int) []byte {
	for c := range h.server.Conns() {
		if c.Number() == player {
			dst = fmt.Appendf(dst, "tank %016x\n", digest(h.state, h.players[player]))
			return c.AppendSees(dst)
		}
	}
	return dst
}

// Tick takes the world a tick on, and sends each player what it sees.
func (h *Host) Tick() {
	s := world.Advance(h.state)
	for c := range h.server.Joined() {
		s, h.players[c.Number()] = h.enter(s, uint16(c.Number()))
	}
	h.gone = h.gone[:0]
	for c := range h.server.Gone() {
		h.gone = append(h.gone, c)
		s = world.Must(world.DisposeGameObject(s, h.players[c.Number()]))
	}
	for c, in := range h.server.Inputs() {
		s = play(s, h.players[c.Number()], in.Bytes[0])
	}
	s = fly(s)
	h.state = h.spot(h.hit(s))
	near := h.all.In(h.state)
	points, ids := near.Points(), near.IDs()
	h.state = h.server.Send(h.state, func(v *replica.View, c *replica.Conn) {
		own := h.players[c.Number()]
		v.Own(own)
		at := world.Must(world.Get(v.State(), own, place))
		seen := h.spotted[c.Number()%len(h.spotted)]
		for k := range near.Near(at, view) {
			if i := ids[k].Index(); ids[k] != own && seen[i>>6]>>(i&63)&1 != 0 {
				v.See(ids[k], weight(square(at, points[k])))
			}
		}
	})
}

// weight is larger for what is nearer.
func weight(square float32) int { return 1 + int(max(0, 8-square/(view*view/8))) }

// enter makes the tank of a seat, at its side's edge of the field.
func (h *Host) enter(s world.State, of uint16) (world.State, world.GameObject) {
	s, r := world.NextStream(s)
	team := uint8(of % sides)
	at, angle := edge(&r, team)
	return world.Must2(world.Spawn(s, driven, who.Value(h.ids[of]), seat.Value(of), side.Value(team),
		place.Value(at), heading.Value(angle)))
}

// edge returns a place at a side's edge of the field, and the angle into it.
func edge(r *world.Stream, of uint8) (at [2]float32, angle float32) {
	at = [2]float32{r.Range(margin, fieldWide/5), r.Range(margin, fieldHigh-margin)}
	if of != 0 {
		return [2]float32{fieldWide - at[0], at[1]}, -3.1415
	}
	return at, 0
}

// play steers a tank by a player's input, and fires if it can.
func play(s world.State, id world.GameObject, input Input) world.State {
	ready := world.Must(world.Get(s, id, loading)) == 0
	s = Steer(s, id, input)
	if !ready || input&Fire == 0 {
		return s
	}
	at, angle := world.Must(world.Get(s, id, place)), world.Must(world.Get(s, id, heading))
	way := ahead(angle, muzzle)
	s, _, err := world.Spawn(s, shell, side.Value(world.Must(world.Get(s, id, side))),
		place.Value([2]float32{at[0] + way[0], at[1] + way[1]}), heading.Value(angle))
	_ = err // a world that is full of shells has no more of them
	return s
}

// fly moves shells, and ends what has been there long enough.
func fly(s world.State) world.State {
	for b := range flying.In(s) {
		at, angles := world.Column(b, place), world.Column(b, heading)
		for i := range at {
			way := ahead(angles[i], bullet)
			at[i][0] += way[0]
			at[i][1] += way[1]
		}
	}
	for b := range fading.In(s) {
		n := world.Column(b, left)
		for i := range n {
			if n[i]--; n[i] == 0 {
				b.Dispose(i)
			}
		}
	}
	return world.Must(world.Apply(s))
}

// hit lets each tank look for shells of the other side that hit it. The last one breaks it, and it
// begins again at the edge.
func (h *Host) hit(s world.State) world.State {
	s = h.flying.Build(s, nil)
	cells, from, c := h.flying.In(s), world.Open(s, side), world.Record(s)
	points, ids := cells.Points(), cells.IDs()
	for b := range standing.In(s) {
		at, of := world.Column(b, place), world.Column(b, side)
		strong := world.Column(b, armour)
		for i := range at {
			for k := range cells.Near(at[i], near) {
				if by, _ := from.At(ids[k]); by == of[i] || strong[i] == 0 {
					continue
				}
				strong[i]--
				c.Dispose(ids[k])
				c.Spawn(blast, place.Value(points[k]), left.Value(spark))
			}
			if strong[i] == 0 {
				r := world.Random(s, uint64(b.ID(i)))
				to, angle := edge(&r, of[i])
				c.Spawn(blast, place.Value(at[i]), left.Value(flame))
				world.Put(c, b.ID(i), place, to)
				world.Put(c, b.ID(i), heading, angle)
				strong[i] = hits
			}
		}
	}
	return world.Must(world.Apply(s))
}

// spot finds what each side sees: its own, and what is near one of its tanks.
func (h *Host) spot(s world.State) world.State {
	s = h.all.Build(s, nil)
	cells := h.all.In(s)
	ids := cells.IDs()
	for n := range h.spotted {
		clear(h.spotted[n])
	}
	for b := range spying.In(s) {
		at, mine := world.Column(b, place), world.Column(b, side)
		for i := range at {
			seen := h.spotted[mine[i]]
			for k := range cells.Near(at[i], sight) {
				seen[ids[k].Index()>>6] |= 1 << (ids[k].Index() & 63)
			}
		}
	}
	return s
}

// Close releases the host's memory.
func (h *Host) Close() { world.Close(h.state) }
