package replica

import (
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

// Lists travel as a whole, up to the most, of which a text has whole characters; walks that change
// them in place are noticed.
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
