package replica

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/list"
)

// A shooting is a client that fires rockets, which fly one unit per step, and a server that agrees
// or not.
type shooting struct {
	*arena
	c       *client
	p       *Predictor
	rockets []world.GameObject            // of the server
	fired   map[uint16][]world.GameObject // of the client, per input
	made    map[uint16][]world.GameObject // of the server, per input
	refuses bool
}

func newShooting(t *testing.T, n link.Conditions) *shooting {
	t.Helper()
	h := &shooting{
		arena: newArena(t, 300, 1, Options{Input: 1}, n),
		fired: map[uint16][]world.GameObject{}, made: map[uint16][]world.GameObject{},
	}
	h.c = h.clients[0]
	h.c.own = h.spawn(vec{200, 250})
	h.p = NewPredictor(h.c.m, 1, h.step, Soften(place, softly, 20))
	h.see = func(v *View, c *Conn) {
		h.view(v, c)
		for _, id := range h.rockets {
			v.Own(id)
		}
	}
	return h
}

func fly(s world.State, id world.GameObject) world.State {
	at := world.Must(world.Get(s, id, place))
	return world.Must(world.Set(s, id, place, vec{at[0] + 1, at[1]}))
}

// step is the client's step: rockets fly on, and then n rockets are fired.
func (h *shooting) step(s world.State, input []byte) world.State {
	for id := range h.c.m.Own() {
		s = fly(s, id)
		for _, g := range h.c.m.guesses {
			require.True(h.tb, g.id != id || g.Number < h.p.number, "what is spawned later is not there")
		}
	}
	var ids []world.GameObject
	for k := range input[0] {
		var id world.GameObject
		s, id = h.p.Spawn(s, place.Value(vec{100, 240 + float32(k)}))
		ids = append(ids, id)
	}
	h.fired[h.p.number] = ids
	return s
}

// tick is one of both ends; the client fires n rockets.
func (h *shooting) tick(tick int, n byte) {
	h.s = world.Advance(h.s)
	h.network.Step()
	h.receive()
	for c, in := range h.server.Inputs() {
		h.s = fly(h.s, h.c.own)
		for _, id := range h.rockets {
			h.s = fly(h.s, id)
		}
		for k := range in.Bytes[0] {
			if h.refuses {
				break
			}
			id := h.spawn(vec{100, 240 + float32(k)})
			h.rockets = append(h.rockets, id)
			h.made[in.Number] = append(h.made[in.Number], id)
			c.Spawned(in, id)
		}
	}
	h.send()
	h.c.take()
	now := time.Duration(tick) * 50 * time.Millisecond
	for h.c.m.Due(now) {
		h.c.s = h.p.Step(h.c.s, []byte{n})
		for _, g := range h.c.m.guesses {
			require.False(h.tb, g.hidden)
		}
		n = 0
		h.c.link.Send(h.c.m.Append(nil, h.p))
	}
	h.c.s = h.c.m.Present(h.c.s, now)
}

// An object that a client spawned becomes the object that the server spawned for the same input, at
// the same place.
func TestPredictedSpawnsAreMet(t *testing.T) {
	h := newShooting(t, link.Conditions{Delay: 2, Jitter: 2, Loss: 0.1, Seed: 6})
	for tick := range 400 {
		n := byte(0)
		if tick > 40 && tick < 300 && tick%20 == 0 {
			n = byte(1 + tick/20%3)
		}
		h.tick(tick, n)
		for range h.c.m.Entered() {
			require.Less(t, tick, 40, "a rocket is the one that was fired")
		}
	}
	met := 0
	for number, ids := range h.made {
		require.Len(t, h.fired[number], len(ids))
		for k, id := range ids {
			mine := h.fired[number][k]
			require.Equal(t, h.c.seat(id), mine, "input %d", number)
			here, there := world.Must(world.Get(h.c.s, mine, place)), world.Must(world.Get(h.s, id, place))
			require.Equal(t, there[1], here[1])
			require.InDelta(t, there[0], here[0], 12, "as far ahead as the client is")
			require.True(t, world.Has(h.c.s, mine, Own))
			met++
		}
	}
	require.Greater(t, met, 15)
	require.Empty(t, h.c.m.guesses)
	require.Equal(t, 1+met, world.Len(h.c.s))
	require.NoError(t, tool.Verify(h.c.s))
}

// Objects that the server does not spawn are disposed, within a round trip and 8 ticks.
func TestUnmetSpawnsGo(t *testing.T) {
	h := newShooting(t, link.Conditions{Delay: 2})
	h.refuses = true
	for tick := range 200 {
		n := byte(0)
		if tick == 100 {
			n = 2
		}
		h.tick(tick, n)
		switch {
		case tick >= 100 && tick < 108:
			require.Equal(t, 3, world.Len(h.c.s), "tick %d", tick)
		case tick >= 100+2*2+2+grace+3:
			require.Equal(t, 1, world.Len(h.c.s), "tick %d", tick)
		}
	}
	require.NoError(t, tool.Verify(h.c.s))
	s, id := h.p.Spawn(h.c.s)
	h.c.s = s
	require.Equal(t, world.Nobody, id, "outside of a step")
	for range 3 {
		h.tick(201, 60)
	}
	require.LessOrEqual(t, len(h.c.m.guesses), spawnsKept)
}

// A guess moves once per step, repeated or not.
func TestGuessesMoveOnceAStep(t *testing.T) {
	h := newShooting(t, link.Conditions{Delay: 2, Jitter: 1, Loss: 0.1, Seed: 2})
	for tick := range 60 {
		h.tick(tick, 0)
	}
	h.tick(60, 1)
	number := h.p.next - 1
	for tick := 61; tick < 80; tick++ {
		h.tick(tick, 0)
		id := h.fired[number][0]
		require.True(t, world.Alive(h.c.s, id))
		at := world.Must(world.Get(h.c.s, id, place))
		require.Equal(t, vec{100 + float32(h.p.next-1-number), 240}, at, "tick %d", tick)
		if len(h.c.m.guesses) > 0 {
			require.Equal(t, at, world.Must(world.Get(h.c.s, id, softly)), "nothing to wear off")
		}
	}
}

// A correction is there at once where steps go on, and wears off where it is shown.
func TestCorrectionsWearOff(t *testing.T) {
	h := newShooting(t, link.Conditions{Delay: 2})
	step := 0
	shown, truth := vec{}, vec{}
	jumps, most := 0, float32(0)
	for tick := range 400 {
		at := world.Must(world.Get(h.s, h.c.own, place))
		switch tick {
		case 100, 200:
			h.s = world.Must(world.Set(h.s, h.c.own, place, vec{at[0] - 10, at[1] + 3}))
		case 300: // more than 20: a jump
			h.s = world.Must(world.Set(h.s, h.c.own, place, vec{at[0] - 100, at[1]}))
		}
		h.tick(tick, 0)
		if tick < 20 {
			continue
		}
		for id := range h.c.m.Own() {
			was, now := truth, world.Must(world.Get(h.c.s, id, place))
			soft := world.Must(world.Get(h.c.s, id, softly))
			if math.Abs(float64(now[0]-was[0])) > 8 && tick > 20 {
				jumps++
				if tick < 300 {
					require.InDelta(t, shown[0], soft[0], 2, "tick %d: where it was shown", tick)
				}
				step = 0
			}
			if step++; step > 4 {
				require.Equal(t, now, soft, "tick %d: worn off", tick)
			}
			if tick < 290 && tick > 20 {
				most = max(most, float32(math.Abs(float64(soft[0]-shown[0]))))
			}
			truth, shown = now, soft
		}
	}
	require.Equal(t, 3, jumps)
	require.Less(t, most, float32(7), "half of a correction, and a step")
	require.Positive(t, most)
	require.Panics(t, func() { Soften(hp, hp, 1) })
	require.Panics(t, func() { Soften(place, softly, 0) })
	require.Panics(t, func() { NewPredictor(h.c.m, 1, h.step, Softening{}) })
}

var (
	note    = layout.NewText("note")
	deeds   = layout.NewList[[2]float32]("deeds")
	hero    = world.NewRecipe("hero of lists", note, deeds)
	lengthy = NewSchema(hero, List(note, 700, Raw()), List(deeds, 40, Half().Owner(Raw())),
		Sent(cries, WhoeverSees(crier)))
	crier = layout.NewField[world.GameObject]("crier")
	cry   = layout.NewField[[40]uint8]("cry")
	cries = world.NewEvents("cries", crier, cry)
)

// A hall is an arena of heroes with long lists, and one client that sees all.
type hall struct {
	*arena
	ids []world.GameObject
}

func newHall(t *testing.T, n int, o Options) *hall {
	t.Helper()
	h := &hall{arena: &arena{tb: t, schema: lengthy}}
	h.s = world.Must(world.CreateState(world.Counts{
		GameObjects: n, Recipes: []world.Recipe{hero}, Events: []world.EventCount{cries.Count(99)},
		Kinds: []layout.Count{note.Count(n, n*1000), deeds.Count(n, n*64)},
	}))
	t.Cleanup(func() { world.Close(h.s) })
	for range n {
		s, id := world.Must2(world.Spawn(h.s, hero))
		h.s, h.ids = s, append(h.ids, id)
	}
	h.see = func(v *View, _ *Conn) {
		for _, id := range h.ids {
			v.See(id, 1)
		}
	}
	h.open(o)
	return h
}

// open has a client join a new server, and returns it.
func (h *hall) open(o Options) *client {
	o.Clients, o.Known = 1, len(h.ids)
	h.server, h.network = NewServer(h.s, lengthy, o), link.NewNetwork(2, link.Conditions{})
	h.clients = nil
	return h.join(0, o)
}

func (h *hall) tick() {
	h.arena.tick()
	c := h.clients[0]
	c.s = c.m.Present(c.s, time.Duration(world.Tick(h.s))*50*time.Millisecond)
	require.NoError(h.tb, tool.Verify(c.s))
}

// ticks takes some ticks: after 5 of them, the client is shown what is.
func (h *hall) ticks(n int) {
	for range n {
		h.tick()
	}
}

// noteOf is the text that the client has of an object in a slot.
func (h *hall) noteOf(k int) string {
	return world.Must(list.Text(h.clients[0].s, h.clients[0].m.slots[k].id, note))
}

// Lists are sent completely, up to the most, and texts as whole characters; walks that change them
// in place are noticed.
func TestListsTravelAsAWhole(t *testing.T) {
	h := newHall(t, 1, Options{})
	id := h.ids[0]
	long := strings.Repeat("é", 349)
	for text, want := range map[string]string{
		"":                "",
		"short":           "short",
		long:              long,
		long + "ab" + "c": long + "ab",
		long + "aé":       long + "a",
		long + "語":        long,
	} {
		h.s = world.Must(list.SetText(h.s, id, note, text))
		h.ticks(5)
		require.Equal(t, want, world.Must(list.Text(h.clients[0].s, h.clients[0].m.slots[0].id, note)))
	}
	deedsOf := func() [][2]float32 {
		h.ticks(5)
		return world.Must(list.Of(h.clients[0].s, h.clients[0].m.slots[0].id, deeds))
	}
	h.s = world.Must(list.Append(h.s, id, deeds, make([][2]float32, 60)...))
	require.Equal(t, make([][2]float32, 40), deedsOf())
	for b := range world.NewQuery(world.Write(deeds)).In(h.s) {
		lists := list.Column(b, deeds)
		lists.Cut(0, 2)[1] = [2]float32{1.5, 1000.1}
	}
	require.Equal(t, [][2]float32{{}, {1.5, 1000}}, deedsOf())
	h.s = world.Must(list.Clear(h.s, id, deeds))
	require.Empty(t, deedsOf())
}

// However long its list and small the budget, an object has its turn among others.
func TestLongListsHaveTheirTurn(t *testing.T) {
	for _, n := range []int{30, 31, 62} {
		h := newHall(t, n, Options{Budget: lengthy.least})
		last := map[int]int{}
		for tick := range 400 {
			for i, id := range h.ids {
				text := strings.Repeat("x", 1+tick%20)
				if i%10 == 9 {
					text = strings.Repeat("long", 170) + text
				}
				h.s = world.Must(list.SetText(h.s, id, note, text))
			}
			for range 30 { // more than there is room for
				s, e := cries.Send(h.s)
				world.EventColumn(e, crier)[0], h.s = h.ids[0], s
			}
			h.tick()
			for k := range h.clients[0].m.slots {
				if e := &h.clients[0].m.slots[k]; e.id != world.Nobody && e.tick == h.clients[0].m.Tick() {
					last[k] = tick
				}
			}
		}
		require.Len(t, last, n)
		for k, tick := range last {
			require.Greater(t, tick, 320, "slot %d of %d", k, n)
		}
	}
}

// Where the mirror's world has no room for a list, it stays as it was until there is.
func TestNoRoomForLists(t *testing.T) {
	h := newHall(t, 2, Options{})
	h.tick()
	counts := lengthy.Counts(2)
	for i := range counts.Kinds {
		if counts.Kinds[i].Kind == note.Kind() {
			counts.Kinds[i].Rows, counts.Kinds[i].Elements = 4, 64*16
		}
	}
	c := h.open(Options{})
	world.Close(c.s)
	c.s = world.Must(world.CreateState(counts))
	c.m = NewMirror(c.s, lengthy, 2, Show{})
	s, other := world.Must2(world.Spawn(c.s, hero))
	c.s = world.Must(list.SetText(s, other, note, strings.Repeat("room", 150)))
	for i, id := range h.ids {
		h.s = world.Must(list.SetText(h.s, id, note, strings.Repeat("ab", 349-i)))
	}
	h.ticks(5)
	require.Contains(t, []int{698, 696}, len(h.noteOf(0)+h.noteOf(1)))
	c.s = world.Must(world.Dispose(c.s, other))
	h.tick()
	require.Len(t, h.noteOf(0)+h.noteOf(1), 698+696)
}
