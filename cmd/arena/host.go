package arena

import (
	"fmt"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica"
)

// A Host is the server of an arena. It belongs to one goroutine, and reads no clock.
type Host struct {
	field
	state  world.State
	server *replica.Server
	ids    []uint64                          // per client
	gone   []*replica.Conn                   // disconnected in the last tick
	turn   moves                             // the players' moves in this tick
	write  func(s world.State, input []byte) // nil: not recording
	input  []byte                            // the encoded moves
}

// MaxPlayers is the largest number of players of a host.
const MaxPlayers = 4096

// Counts returns the counts for a host's world with room for the given number of players. It panics
// if that is not in [1, 4096].
func Counts(players int, seed uint64) world.Counts {
	if players < 1 || players > MaxPlayers {
		panic(fmt.Sprintf("arena: a host for %d players; give 1 to 4,096", players))
	}
	objects := 4*players + 64
	return world.Counts{
		GameObjects: objects, Kinds: layout.Kinds(Actor, Fading, Shell, Driven.Count(players)),
		Recipes: []world.Recipe{tank, driven, shell, blast}, Seed: seed, Random: true,
		Resources: []world.ResourceKind{game},
		Commands:  4 * objects,
	}
}

// NewHost returns a host with room for the given number of players. It panics like Counts.
func NewHost(players int, seed uint64) (*Host, error) {
	s, err := world.CreateState(Counts(players, seed))
	if err != nil {
		return nil, err
	}
	return GoOn(s, players, nil, 0)
}

// GoOn returns a host that continues with the world of another host, and with its
// [Host.AppendState]. lost is the time for which that host may have continued afterwards. Players
// come back by Accept. Players with another build of the game start again.
func GoOn(s world.State, players int, served []byte, lost time.Duration) (*Host, error) {
	h := &Host{state: s, ids: make([]uint64, players)}
	err := h.open(s, players)
	if err != nil {
		return nil, err
	}
	o := replica.Options{Clients: players, Known: Known, Input: 1}
	if served != nil && h.find(s, h.ids) {
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

// ticksOf returns the largest number of ticks in a time, including late ticks that were caught up.
func ticksOf(d time.Duration) int {
	if d <= 0 {
		return 0
	}
	return min(int(d*Ticks/time.Second)+Ticks+1, 1<<14)
}

// AppendState appends the state of the host's players, for [GoOn]. Call it between two ticks.
func (h *Host) AppendState(dst []byte) []byte { return h.server.AppendState(dst) }

// Skip continues after another host served the players for a time.
func (h *Host) Skip(d time.Duration) { h.server.Skip(ticksOf(max(d, 1))) }

// Known is the largest number of actors that a player sees at once.
const Known = 512

// Accept adds a player by ID, who joins when its program answers. A known ID continues with its
// tank, and its program with its state unless isNew is set. Accept returns nil if there is no room.
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

// State returns the world, for reading.
func (h *Host) State() world.State { return h.state }

// Gone returns the players who left in the last tick.
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

// Tick takes a tick, and sends each player what it sees.
func (h *Host) Tick() {
	h.turn.reset()
	for c := range h.server.Joined() {
		h.turn.came = append(h.turn.came, arrival{uint16(c.Number()), h.ids[c.Number()]})
	}
	h.gone = h.gone[:0]
	for c := range h.server.Gone() {
		h.gone = append(h.gone, c)
		h.turn.went = append(h.turn.went, uint16(c.Number()))
	}
	for c, in := range h.server.Inputs() {
		h.turn.pressed = append(h.turn.pressed, press{uint16(c.Number()), in.Bytes[0]})
	}
	if h.write != nil {
		h.turn.encode(h.input)
		h.turn.decode(h.input) // in the order of a replay
		h.write(h.state, h.input)
	}
	h.state = h.step(world.Advance(h.state), &h.turn)
	near := h.all.In(h.state)
	points, ids := near.Points(), near.IDs()
	sides, parts := world.ReaderOf(h.state, side), world.ReaderOf(h.state, part)
	h.state = h.server.Send(h.state, func(v *replica.View, c *replica.Conn) {
		own := h.players[c.Number()]
		v.Own(own)
		at := world.Must(world.Get(v.State(), own, place))
		of := world.Must(world.Get(v.State(), own, side))
		seen := h.spotted[of]
		for k := range near.Near(at, view+Sight) {
			i, d := ids[k].Index(), square(at, points[k])
			if ids[k] == own || seen[i>>6]>>(i&63)&1 == 0 {
				continue
			}
			its, _ := sides.Get(ids[k])
			if what, _ := parts.Get(ids[k]); d <= view*view || what == Tank && its == of {
				v.See(ids[k], weight(d))
			}
		}
	})
}

// weight is larger for nearer actors.
func weight(square float32) int { return 1 + int(max(0, 8-square/(view*view/8))) }

// Close releases the host's memory.
func (h *Host) Close() { world.Close(h.state) }
