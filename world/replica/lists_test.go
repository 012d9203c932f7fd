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
	"github.com/flatecs/flatecs/world/replica/internal/wire"
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

// A hall is a server of heroes with long lists, and one client that sees all.
type hall struct {
	t       *testing.T
	s, seen world.State
	server  *Server
	mirror  *Mirror
	network *link.Network
	link    link.Link
	ids     []world.GameObject
}

func newHall(t *testing.T, n int, o Options) *hall {
	t.Helper()
	h := &hall{t: t, network: link.NewNetwork(2, link.Conditions{})}
	h.s = world.Must(world.CreateState(world.Counts{
		GameObjects: n, Recipes: []world.Recipe{hero}, Events: []world.EventCount{cries.Count(99)},
		Kinds: []layout.Count{note.Count(n, n*1000), deeds.Count(n, n*64)},
	}))
	for range n {
		s, id := world.Must2(world.Spawn(h.s, hero))
		h.s, h.ids = s, append(h.ids, id)
	}
	h.seen = world.Must(world.CreateState(lengthy.Counts(n)))
	t.Cleanup(func() { world.Close(h.s); world.Close(h.seen) })
	o.Clients, o.Known = 1, n
	h.server, h.link = NewServer(h.s, lengthy, o), h.network.Link(1, 0)
	h.server.Accept(h.network.Link(0, 1))
	h.mirror = NewMirror(h.seen, lengthy, n, Show{})
	h.link.Send(h.mirror.Append(nil, nil))
	return h
}

func (h *hall) tick() {
	h.s = world.Advance(h.s)
	h.network.Step()
	for range h.server.Joined() {
		continue
	}
	h.s = h.server.Send(h.s, func(v *View, _ *Conn) {
		for _, id := range h.ids {
			v.See(id, 1)
		}
	})
	h.network.Step()
	for b, ok := h.link.Receive(); ok; b, ok = h.link.Receive() {
		h.seen = world.Must(h.mirror.Apply(h.seen, b))
	}
	h.link.Send(h.mirror.Append(nil, nil))
	h.seen = h.mirror.Present(h.seen, time.Duration(world.Tick(h.s))*50*time.Millisecond)
	require.NoError(h.t, tool.Verify(h.seen))
}

// settle is some ticks, after which the client is shown what is.
func (h *hall) settle() {
	for range 5 {
		h.tick()
	}
}

// noteOf is the text that the client has of an object in a slot.
func (h *hall) noteOf(k int) string {
	return world.Must(list.Text(h.seen, h.mirror.slots[k].id, note))
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
		h.settle()
		require.Equal(t, want, world.Must(list.Text(h.seen, h.mirror.slots[0].id, note)))
	}
	deedsOf := func() [][2]float32 {
		h.settle()
		return world.Must(list.Of(h.seen, h.mirror.slots[0].id, deeds))
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
			for k := range h.mirror.slots {
				if e := &h.mirror.slots[k]; e.id != world.Nobody && e.tick == h.mirror.Tick() {
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

// However bad a connection, there is room for an object.
func TestLongListsHaveRoom(t *testing.T) {
	h := newHall(t, 1, Options{})
	h.tick()
	h.link = lostLink{}
	for range 300 {
		h.tick()
	}
	require.Equal(t, lengthy.leastBudget(), h.server.conns[0].Stats().Budget)
}

// A mirror refuses lists that are too long, cut, no text, or no values of their type, without a
// change.
func TestForgedListsAreRefused(t *testing.T) {
	s := world.Must(world.CreateState(seen.Counts(8)))
	defer func() { world.Close(s) }()
	m := NewMirror(s, seen, 8, Show{})
	owners := seen.wire.Visible(true)
	s = world.Must(m.Apply(s, forge(1, 0, forgedGroup{
		wire.Enter | wire.Own, uint64(owners), []uint64{2}, widthOf(owners), nil,
	})))
	of := func(kind layout.Kind, bytes ...byte) []byte {
		for i := range seen.parts {
			if p := &seen.parts[i]; p.kind == kind {
				return forge(2, 0, forgedGroup{wire.Own, 1 << i, []uint64{2}, 0, bytes})
			}
		}
		panic("no part")
	}
	for name, b := range map[string][]byte{
		"longer than the most":      of(title.Kind(), append([]byte{21}, make([]byte, 21)...)...),
		"too long for the datagram": of(title.Kind(), 5, 'a', 'b'),
		"without a length":          of(title.Kind()),
		"followed by more":          of(title.Kind(), 1, 'a', 'b'),
		"no UTF-8":                  of(title.Kind(), 2, 'a', 0xff),
		"half a character":          of(title.Kind(), 1, 0xc3),
		"no bool":                   of(bag.Kind(), 2, 1, 1, 5, 2),
		"half an item":              of(bag.Kind(), 1, 1),
		"half a lane":               of(path.Kind(), 1, 1, 2, 3),
		"of too many places":        of(path.Kind(), append([]byte{5}, make([]byte, 20)...)...),
	} {
		before, rows := world.Digest(s), append([]uint32(nil), m.rows...)
		next, err := m.Apply(s, b)
		require.ErrorIs(t, err, ErrDamaged, name)
		require.Equal(t, before, world.Digest(next), name)
		require.Equal(t, rows, m.rows)
	}
	s = m.Present(world.Must(m.Apply(s, of(title.Kind(), 3, 'a', 0xc3, 0xa9))), 0)
	require.Equal(t, "aé", world.Must(list.Text(s, m.slots[2].id, title)))
	require.NoError(t, tool.Verify(s))
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
	world.Close(h.seen)
	h.seen = world.Must(world.CreateState(counts))
	h.mirror = NewMirror(h.seen, lengthy, 2, Show{})
	s, other := world.Must2(world.Spawn(h.seen, hero))
	h.seen = world.Must(list.SetText(s, other, note, strings.Repeat("room", 150)))
	for i, id := range h.ids {
		h.s = world.Must(list.SetText(h.s, id, note, strings.Repeat("ab", 349-i)))
	}
	h.server, h.network = NewServer(h.s, lengthy, Options{Clients: 1, Known: 2}), link.NewNetwork(2, link.Conditions{})
	h.link = h.network.Link(1, 0)
	h.server.Accept(h.network.Link(0, 1))
	h.link.Send(h.mirror.Append(nil, nil))
	h.settle()
	require.Contains(t, []int{698, 696}, len(h.noteOf(0)+h.noteOf(1)))
	h.seen = world.Must(world.Dispose(h.seen, other))
	h.tick()
	require.Len(t, h.noteOf(0)+h.noteOf(1), 698+696)
}
