package replica

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// A pipe carries a limited number of bytes per tick; the rest waits, if there is room, or is lost.
type pipe struct {
	link.Link
	bytes, room int
	waits       [][]byte
	size, left  int // bytes that wait, and that go in this tick
	sent        int // bytes
}

func (l *pipe) Send(b []byte) {
	if l.sent += len(b); l.bytes == 0 {
		l.Link.Send(b)
		return
	}
	if l.size+len(b) <= l.room {
		l.waits, l.size = append(l.waits, bytes.Clone(b)), l.size+len(b)
	}
}

// step lets a tick pass.
func (l *pipe) step() {
	for l.left = min(l.left+l.bytes, link.MaxDatagram+l.bytes); len(l.waits) > 0; {
		b := l.waits[0]
		if len(b) > l.left {
			return
		}
		l.Link.Send(b)
		l.waits, l.size, l.left = l.waits[1:], l.size-len(b), l.left-len(b)
	}
}

// A played is what a client gets of 1,200 bytes per tick, over a pipe: bytes per datagram.
type played struct {
	pipe
	s, cs   world.State
	server  *Server
	network *link.Network
	client  link.Link
	m       *Mirror
	ids     []world.GameObject
	tick    int
	came    int // bytes
	least   int // budget
}

func play12(tb testing.TB, bytes, room int, c link.Conditions, parts ...Part) *played {
	tb.Helper()
	if len(parts) == 0 {
		parts = []Part{Field(locked, Raw()), Field(exact, Raw())}
	}
	schema := NewSchema(door, parts...)
	p := &played{network: link.NewNetwork(2, c), least: link.MaxDatagram}
	p.s = world.Must(world.CreateState(world.Counts{
		GameObjects: 200, Kinds: layout.Kinds(exact), Recipes: []world.Recipe{door},
	}))
	p.server = NewServer(p.s, schema, Options{Clients: 1})
	p.pipe = pipe{Link: p.network.Link(0, 1), bytes: bytes, room: room}
	p.server.Accept(&p.pipe)
	p.client = p.network.Link(1, 0)
	p.cs = world.Must(world.CreateState(schema.Counts(512)))
	p.m = NewMirror(p.cs, schema, 512, Show{})
	tb.Cleanup(func() { world.Close(p.s); world.Close(p.cs) })
	for range 200 {
		s, id := world.Must2(world.Spawn(p.s, door))
		p.s, p.ids = world.Must(world.Add(s, id, exact)), append(p.ids, id)
	}
	return p
}

// play takes ticks, and returns the bytes per tick that were sent and came, and the least budget.
func (p *played) play(ticks int) (sent, came, least int) {
	p.sent, p.came, p.least = 0, 0, link.MaxDatagram
	for range ticks {
		p.tick++
		p.network.Step()
		p.step()
		for b, ok := p.client.Receive(); ok; b, ok = p.client.Receive() {
			p.came += len(b)
			p.cs = world.Must(p.m.Apply(p.cs, b))
		}
		p.client.Send(p.m.Append(nil, nil))
		p.s = world.Advance(p.s)
		for range p.server.Joined() {
		}
		for _, id := range p.ids {
			if world.Has(p.s, id, exact) {
				p.s = world.Must(world.Set(p.s, id, exact, vec{float32(p.tick), 1}))
			}
		}
		p.s = p.server.Send(p.s, func(v *View, _ *Conn) {
			for _, id := range p.ids {
				v.See(id, 1)
			}
		})
		for c := range p.server.Conns() {
			p.least = min(p.least, c.Stats().Budget)
		}
	}
	return p.sent / ticks, p.came / ticks, p.least
}

// exact is a field that changes in each tick.
var exact = layout.NewComponent[vec]("exact")

// Objects without a kind of any part are sent, too, and leave.
func TestObjectsWithoutAPartCome(t *testing.T) {
	for name, part := range map[string]Part{
		"a kind of the recipe, without values": Mark(locked.Kind()), "a kind that none has": Field(exact, Raw()),
	} {
		p := play12(t, 0, 0, link.Conditions{}, part)
		for _, id := range p.ids {
			p.s = world.Must(world.Remove(p.s, id, exact))
		}
		p.play(20)
		require.Equal(t, len(p.ids), world.Len(p.cs), name)
		p.s = world.Must(world.Dispose(p.s, p.ids[7]))
		p.ids = append(p.ids[:7], p.ids[8:]...)
		p.play(20)
		require.Equal(t, len(p.ids), world.Len(p.cs), name)
	}
}

// Random loss takes at most half of the bytes, and few of them up to a sixth; a line that carries a
// third of the bytes, or a half, delivers at least five of six. docs/SCALE.md has the table.
func TestBytesUnderLoss(t *testing.T) {
	worldtest.OneGoroutine(t)
	page := world.Must(os.ReadFile("../../docs/SCALE.md"))
	table := "| the line | bytes sent a tick | that arrive |\n|---|---|---|\n"
	for _, percent := range []int{0, 2, 5, 8, 12, 20, 30, 40} {
		p := play12(t, 0, 0, link.Conditions{Delay: 1, Loss: float32(percent) / 100, Seed: 1})
		p.play(300)
		sent, came, least := p.play(1200)
		table += fmt.Sprintf("| loses %d %% at random | %d | %d |\n", percent, sent, came)
		require.GreaterOrEqual(t, least, 600, "%d %%", percent)
		require.Greater(t, sent, 600, "%d %%", percent)
		if percent <= 12 {
			require.Greater(t, sent, 900, "%d %%", percent)
		}
	}
	for _, l := range []struct {
		name        string
		bytes, room int
		loss        float32
	}{
		{"carries 400 bytes a tick", 400, 1200, 0},
		{"carries 400, and 12 ticks wait", 400, 4800, 0},
		{"carries 400, and loses 5 %", 400, 1200, 0.05},
		{"carries 600 bytes a tick", 600, 1200, 0},
		{"carries 800 bytes a tick", 800, 1200, 0},
	} {
		p := play12(t, l.bytes, l.room, link.Conditions{Delay: 1, Loss: l.loss, Seed: 1})
		p.play(300)
		sent, came, _ := p.play(1200)
		table += fmt.Sprintf("| %s | %d | %d |\n", l.name, sent, came)
		require.LessOrEqual(t, 10*sent, 12*came, l.name)
		require.Greater(t, 10*came, 7*l.bytes, l.name)
	}
	t.Log("\n" + table)
	require.Contains(t, string(page), table, "write this into docs/SCALE.md")
}

// A budget falls on a line that is full, and rises again when that is over, or after a silence.
func TestBudgetsFollowTheLine(t *testing.T) {
	worldtest.OneGoroutine(t)
	p := play12(t, 0, 0, link.Conditions{Delay: 2, Seed: 3})
	sent, _, _ := p.play(200)
	require.Greater(t, sent, 1000)
	p.bytes, p.room = 400, 1200
	p.play(400)
	sent, came, least := p.play(400)
	require.LessOrEqual(t, 10*sent, 12*came)
	require.Less(t, least, 600)
	p.bytes = 0
	p.play(800)
	sent, _, _ = p.play(100)
	require.Greater(t, sent, 1000)
	p.network.Set(link.Conditions{Loss: 1})
	_, _, least = p.play(150)
	require.Less(t, least, 600)
	p.network.Set(link.Conditions{Delay: 2})
	p.play(400)
	sent, _, _ = p.play(100)
	require.Greater(t, sent, 1000)
}

// A client that was given up is told so; one that is not told notices by its own ticks.
func TestClientsKnowThatTheyAreLost(t *testing.T) {
	p := play12(t, 0, 0, link.Conditions{})
	p.play(20)
	require.False(t, p.m.Lost())
	up := p.client
	p.client = nowhere{}
	p.play(201)
	p.client = up
	require.Nil(t, p.server.Accept(up), "there is one client at most")
	require.False(t, p.m.Lost() && p.m.clock.gone)
	gone := 0
	for range 3 {
		p.play(1)
		for range p.server.Gone() {
			gone++
		}
	}
	require.Equal(t, 1, gone)
	p.play(2)
	require.True(t, p.m.Lost())
	require.True(t, p.m.clock.gone)

	p = play12(t, 0, 0, link.Conditions{})
	p.play(20)
	p.network.Set(link.Conditions{Loss: 1})
	p.play(150)
	require.False(t, p.m.Lost())
	p.play(60)
	require.True(t, p.m.Lost())
	p.network.Set(link.Conditions{})
	p.play(3)
	require.False(t, p.m.Lost(), "it is heard again")
}

// A client that is dropped is told so, gets nothing more, and makes room for another, once.
func TestDrop(t *testing.T) {
	p := play12(t, 0, 0, link.Conditions{})
	p.play(20)
	for c := range p.server.Conns() {
		c.Drop()
		p.play(3)
		require.True(t, p.m.Lost() && p.m.clock.gone)
		sent := c.Stats().Datagrams
		c.Drop()
		p.play(300)
		require.Equal(t, sent, c.Stats().Datagrams)
		for range p.server.Gone() {
			t.Fatal("it is gone already")
		}
		require.Same(t, c, p.server.Accept(nowhere{}))
	}
}

// In a crowd, near objects are sent more often.
func TestCrowdsBringWhatIsNear(t *testing.T) {
	a := newArena(t, 600, 1, Options{Budget: 300, Known: 600}, link.Conditions{})
	c := a.clients[0]
	var ids []world.GameObject
	for i := range 500 {
		ids = append(ids, a.spawn(vec{250 + float32(i)*0.11, 250}))
	}
	c.at = vec{250, 250}
	a.ticks(60)
	sent := map[world.GameObject]int{}
	for range 200 {
		a.s = world.Advance(a.s)
		for _, id := range ids {
			a.s = world.Must(world.Set(a.s, id, hp, uint16(a.random.Uint32())))
		}
		a.tickOf()
		for _, e := range c.conn.slots.all {
			if e.sent == a.server.table.tick {
				sent[e.id]++
			}
		}
	}
	part := func(from, to int) (n int) {
		for _, id := range ids[from:to] {
			n += sent[id]
		}
		return n
	}
	near, middle, far := part(20, 120), part(220, 320), part(390, 490)
	t.Log(near, middle, far)
	require.Greater(t, 2*near, 3*middle)
	require.Greater(t, 2*middle, 3*far)
	require.Positive(t, far)
}

// Inputs wait up to 32 ahead, each as it first arrived, and lost ones are skipped.
func TestInputsWait(t *testing.T) {
	n := inputs{size: 1, bytes: make([]byte, waiting)}
	n.reset()
	next := func() (number int) {
		in, ok := n.next()
		if !ok {
			return -1
		}
		require.Equal(t, byte(in.Number), in.Bytes[0])
		return int(in.Number)
	}
	for _, number := range []uint16{waiting + 1, waiting, 0, 2} {
		n.put(number, 0, []byte{byte(number)})
	}
	n.put(2, 0, []byte{99}) // came before
	require.Equal(t, 2, next())
	require.EqualValues(t, 1, n.slack)
	require.Equal(t, waiting, next())
	require.EqualValues(t, 0, n.slack)
	n.slack = 5
	require.Equal(t, -1, next())
	require.EqualValues(t, -1, n.slack)
	for range 300 {
		require.Equal(t, -1, next())
	}
	require.EqualValues(t, -100, n.slack)

	n.put(waiting+2, 0, []byte{waiting + 2})
	n.skipTo(waiting + 1) // nothing is left out
	n.skipTo(2)           // nor is the past
	require.EqualValues(t, waiting, n.used)
	n.skipTo(200)
	require.Equal(t, -1, next(), "what came before the silence is over")
	n.put(200, 0, []byte{200})
	require.Equal(t, 200, next())
	n.put(200+waiting, 0, []byte{200 + waiting})
	require.Equal(t, 200+waiting, next(), "in the last place")
}

// A client's datagram is applied completely, or not at all.
func TestWrongDatagramsAreNotHeard(t *testing.T) {
	a := newArena(t, 20, 1, Options{Input: 1}, link.Conditions{})
	c := a.clients[0]
	p := NewPredictor(c.m, 1, func(s world.State, _ []byte) world.State { return s })
	a.ticks(3)
	c.s = p.Step(c.s, []byte{7})
	good := c.m.Append(nil, p)
	heard := func(b []byte) bool {
		refused := c.conn.Stats().Refused
		c.conn.heard = 0
		c.conn.read(wire.Seal(b))
		require.Equal(t, c.conn.heard == 0, c.conn.Stats().Refused > refused)
		require.Equal(t, c.conn.heard == 0, c.conn.inputs.has == 0)
		return c.conn.heard != 0
	}
	require.False(t, heard(append(append([]byte(nil), good...), 0)), "too long")
	require.False(t, heard(append([]byte(nil), good[:len(good)-1]...)), "too short")
	forged := append([]byte(nil), good...)
	le.PutUint16(forged[13:], c.conn.line.sequence)
	require.False(t, heard(forged), "what was not sent")
	c.conn.phase = refused
	require.False(t, heard(good), "of another schema, before")
	c.conn.phase = joined
	require.True(t, heard(good))
	in, ok := c.conn.inputs.next()
	require.True(t, ok)
	require.Equal(t, []byte{7}, in.Bytes)
}

// Repeated steps begin with the first kept input that the server has not used, and with none if the
// server is ahead.
func TestFirstOfTheInputs(t *testing.T) {
	for _, c := range []struct{ used, next, first uint16 }{
		{0, 1, 1},
		{0, 11, 1},
		{4, 11, 5},
		{10, 11, 11},
		{500, 10, 10},
		{0, kept + 7, 7},
		{65530, 3, 65531},
	} {
		p := Predictor{mirror: &Mirror{used: c.used}, next: c.next}
		require.Equal(t, c.first, p.first(), "%+v", c)
	}
}

// Data in flight are sent again after some ticks, or at once if they change, including references.
func TestWhatIsOnItsWayWaits(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	one, two := a.spawn(vec{250, 250}), a.spawn(vec{251, 250})
	a.ticks(10)
	require.False(t, c.conn.line.acknowledge(c.conn.line.sequence, 0, 0), "what was not sent")
	require.False(t, c.conn.line.acknowledge(c.conn.line.sequence-1-packets, 0, 0), "what is forgotten")
	deaf := c.link // acknowledges nothing from now on
	c.link = nowhere{}
	updated := func() (n int) {
		before := c.conn.Stats()
		a.tick()
		after := c.conn.Stats()
		require.Equal(t, before.Entered, after.Entered)
		return after.Updated - before.Updated
	}
	require.Zero(t, updated())
	a.s = world.Must(world.Set(a.s, one, hp, uint16(3)))
	require.Equal(t, []int{1, 0, 0, 0, 1, 0}, []int{updated(), updated(), updated(), updated(), updated(), updated()})
	a.s = world.Must(world.Set(a.s, one, aim, two))
	require.Equal(t, []int{1, 0}, []int{updated(), updated()})
	a.s = world.Must(world.Set(a.s, one, hp, uint16(4)))
	require.Equal(t, []int{1, 0, 0, 0, 1}, []int{updated(), updated(), updated(), updated(), updated()})
	left := func() int {
		before := c.conn.Stats().Left
		a.tick()
		return c.conn.Stats().Left - before
	}
	a.s = world.Must(world.Set(a.s, two, place, vec{1, 1}))
	require.Equal(t, []int{1, 0, 0, 0, 1, 0}, []int{left(), left(), left(), left(), left(), left()})
	require.Equal(t, 1, c.conn.slotsOf(leaving))
	for b, ok := deaf.Receive(); ok; b, ok = deaf.Receive() {
		_ = b
	}
	c.link = deaf
	a.ticks(8)
	require.Zero(t, left())
	require.Zero(t, c.conn.slotsOf(leaving))
	require.Equal(t, 1, world.Len(c.s))
	require.Equal(t, c.m.Tick(), c.m.Whole())
}

// slotsOf returns the number of slots in a state.
func (c *Conn) slotsOf(what state) (n int) {
	for k := range c.slots.all {
		if c.slots.all[k].state == what {
			n++
		}
	}
	return n
}
