package replica

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/space"
)

const size = 512 // of the arena, in world units

type vec = [2]float32

type item struct {
	What uint8
	Good bool
}

const titleMost = 20

// The kinds of tanks.
var (
	place   = layout.NewComponent[vec]("place")
	heading = layout.NewComponent[float32]("heading")
	pace    = layout.NewComponent[float32]("pace")
	hp      = layout.NewComponent[uint16]("hp", 100)
	ammo    = layout.NewComponent[uint32]("ammo", 7)
	skin    = layout.NewComponent[[3]uint8]("skin")
	aim     = layout.NewComponent[world.GameObject]("aim")
	shield  = layout.NewComponent[float32]("shield", 5)
	burning = layout.NewMark("burning")
	team    = layout.NewRelation("team", layout.Relation{Disposed: layout.Clear})
	title   = layout.NewText("title")
	path    = layout.NewList[vec]("path")
	bag     = layout.NewList[item]("bag")
	tank    = world.NewRecipe("tank", place, heading, pace, hp, ammo, skin, aim, team, title, path, bag)
	softly  = layout.NewComponent[vec]("place, softly")
	shownAs = world.NewRecipe("shown tank", softly, place, heading, pace, hp, ammo, skin, aim,
		title, path, bag).With(title.Value("it"), bag.Value(item{7, true}))

	victim   = layout.NewField[world.GameObject]("victim")
	hurt     = layout.NewField[uint32]("hurt")
	hitBy    = layout.NewField[world.GameObject]("hit by")
	hits     = world.NewEvents("hits", victim, hurt, hitBy)
	hitHeard = hits.NewReader("hit heard")
	shouter  = layout.NewField[struct {
		ID   world.GameObject
		Loud [8]bool
	}]("shouter")
	shoutOf    = layout.NewField[world.GameObject]("shout of")
	shouts     = world.NewEvents("shouts", shouter, shoutOf)
	shoutHeard = shouts.NewReader("shout heard")

	seen = NewSchema(shownAs,
		Field(place, Fixed(0, size, 16).Delta().Smooth().Owner(Raw())),
		Field(heading, Angle(8).Smooth()),
		Field(pace, Half().Every(4)),
		Field(hp, Raw()),
		Field(ammo, Raw().OwnerOnly()),
		Field(skin, Raw().Once()),
		Field(shield, Fixed(0, 10, 8)),
		Mark(burning),
		Ref(aim),
		List(title, titleMost, Raw()),
		List(path, 4, Fixed(0, size, 16)),
		List(bag, 10, Raw().OwnerOnly()),
		Sent(hits, WhoeverSees(victim), hitHeard),
		Sent(shouts, WhoeverSees(shoutOf), shoutHeard),
	)
)

// An arena is a server with clients on a network.
type arena struct {
	tb      testing.TB
	s       world.State
	cells   *space.Cells[vec]
	server  *Server
	network *link.Network
	clients []*client
	radius  float64
	random  *rand.Rand
	schema  *Schema
	see     func(v *View, c *Conn)
	options Options
}

type client struct {
	link   link.Link
	conn   *Conn
	m      *Mirror
	s      world.State
	at     vec
	own    world.GameObject // on the server
	sees   []world.GameObject
	latest []byte
}

func newArena(tb testing.TB, room, clients int, o Options, n link.Conditions) *arena {
	tb.Helper()
	return newArenaOf(tb, room, clients, o, n, 64)
}

// newArenaOf is newArena with room for hits hits.
func newArenaOf(
	tb testing.TB, room, clients int, o Options, n link.Conditions, kept int,
) *arena {
	tb.Helper()
	a := &arena{
		schema: seen, tb: tb, random: rand.New(rand.NewPCG(n.Seed, 9)), radius: 60,
		network: link.NewNetwork(max(clients, 1)+1, n),
	}
	a.s = world.Must(world.CreateState(world.Counts{GameObjects: room, Kinds: layout.Kinds(
		place, heading, pace, hp, ammo, skin, aim, shield, burning, team, title, path, bag,
	), Recipes: []world.Recipe{tank}, Events: []world.EventCount{
		hits.Count(kept), shouts.Count(8),
	}}))
	tb.Cleanup(func() { world.Close(a.s) })
	a.cells = world.Must(space.NewCells(a.s, place, space.Options{Size: 60}))
	if o.Known == 0 {
		o.Known = 256
	}
	o.Clients = max(clients, 1)
	a.options, a.see = o, a.view
	a.server = NewServer(a.s, seen, o)
	for i := range clients {
		a.join(i, o)
	}
	return a
}

func (a *arena) join(i int, o Options) *client {
	s := world.Must(world.CreateState(a.schema.Counts(o.Known)))
	c := &client{
		link: a.network.Link(i+1, 0), conn: a.server.Accept(a.network.Link(0, i+1)), s: s,
		m: NewMirror(s, a.schema, o.Known, Show{}), at: vec{size / 2, size / 2},
	}
	a.tb.Cleanup(func() { world.Close(c.s) })
	a.clients = append(a.clients, c)
	c.link.Send(c.m.Append(nil, nil))
	return c
}

// spawn makes a tank.
func (a *arena) spawn(at vec) world.GameObject {
	s, id := world.Must2(world.Spawn(a.s, tank, place.Value(at),
		skin.Value([3]uint8{uint8(a.random.Uint32()), 2, 3}), ammo.Value(a.random.Uint32())))
	a.s = s
	return id
}

// spawnAll makes n tanks where clients look.
func (a *arena) spawnAll(n int) {
	for range n {
		a.spawn(vec{250, 250})
	}
}

func (a *arena) anywhere() vec {
	return vec{a.random.Float32() * size, a.random.Float32() * size}
}

// view names the objects that a client sees: near objects, a list, and its own objects.
func (a *arena) view(v *View, c *Conn) {
	k := a.clients[c.Number()]
	Near(v, a.cells.In(v.State()), k.at, a.radius, a.radius*1.15, 1)
	for _, id := range k.sees {
		v.See(id, 2)
	}
	if k.own != world.Nobody {
		v.Own(k.own)
	}
}

// send ends a tick of the server.
func (a *arena) send() {
	if a.cells != nil {
		a.s = a.cells.Build(a.s, nil)
	}
	a.s = a.server.Send(a.s, a.see)
}

// receive has the server read, and yields the number that joined.
func (a *arena) receive() (n int) {
	for range a.server.Joined() {
		n++
	}
	return n
}

// hear makes a client apply and acknowledge its datagrams; each is called after each datagram.
func (c *client) hear(tb testing.TB, each func()) {
	tb.Helper()
	for b, ok := c.link.Receive(); ok; b, ok = c.link.Receive() {
		before := c.m.Tick()
		s := world.Must(c.m.Apply(c.s, b))
		c.s, c.latest = s, append(c.latest[:0], b...)
		if each != nil && c.m.Tick() != before {
			each()
		}
	}
	c.link.Send(c.m.Append(nil, nil))
}

// serve is what the server does in a tick.
func (a *arena) serve() {
	a.network.Step()
	a.receive()
	a.send()
}

// take has a client apply what came.
func (c *client) take() {
	for b, ok := c.link.Receive(); ok; b, ok = c.link.Receive() {
		c.s = world.Must(c.m.Apply(c.s, b))
	}
}

// tick is one of all, without changes of the world.
func (a *arena) tick() {
	a.s = world.Advance(a.s)
	a.serve()
	a.network.Step()
	for _, c := range a.clients {
		c.hear(a.tb, nil)
	}
}

func (a *arena) ticks(n int) {
	for range n {
		a.tick()
	}
}

// truth is what a client may know of a tank at a tick, computed as simply as can be.
type truth struct {
	place   vec // as it travels to others
	exact   vec
	heading float32
	pace    float32
	skin    [3]uint8
	hp      uint16
	ammo    uint32
	shield  float32 // -1: none
	burning bool
	aim     world.GameObject
	title   string
	path    []vec
	bag     []item
}

// through returns a number as it arrives by a wire; TestForms says how near that is.
func through(w Wire, v float32) float32 { return w.form.Value(w.form.Lane(v)) }

func truthOf(s world.State, id world.GameObject) (tr truth) {
	get := func(f layout.Field[float32]) float32 { return world.Must(world.Get(s, id, f)) }
	tr.exact = world.Must(world.Get(s, id, place))
	to := Fixed(0, size, 16)
	tr.place = vec{through(to, tr.exact[0]), through(to, tr.exact[1])}
	tr.heading = through(Angle(8), get(heading))
	tr.pace, tr.skin = get(pace), world.Must(world.Get(s, id, skin))
	tr.hp = world.Must(world.Get(s, id, hp))
	tr.ammo = world.Must(world.Get(s, id, ammo))
	tr.shield = -1
	if world.Has(s, id, shield) {
		tr.shield = through(Fixed(0, 10, 8), get(shield))
	}
	tr.burning = world.Has(s, id, burning)
	tr.aim = world.Must(world.Get(s, id, aim))
	for _, r := range world.Must(list.Text(s, id, title)) {
		if len(tr.title)+utf8.RuneLen(r) > titleMost {
			break
		}
		tr.title += string(r)
	}
	for i, at := range world.Must(list.Of(s, id, path)) {
		if i < 4 {
			tr.path = append(tr.path, vec{through(to, at[0]), through(to, at[1])})
		}
	}
	items := world.Must(list.Of(s, id, bag))
	tr.bag = slices.Clone(items[:min(len(items), 10)])
	return tr
}
