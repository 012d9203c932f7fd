package session_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/session"
)

type stack struct{ What, Count uint32 }

var (
	stock   = layout.NewList[stack]("stock")
	label   = layout.NewText("label")
	allies  = layout.NewListField[world.GameObject]("allies")
	sales   = layout.NewListField[uint16]("sales")
	fair    = world.NewResource("fair", sales)
	pact    = layout.NewKind("pact", allies)
	trader  = world.NewRecipe("trader", stock, label, pact)
	trading = world.NewQuery(world.Write(stock))
)

// market returns a world of objects with lists: in free room, or in counted room.
func market(tb testing.TB, counted bool) world.State {
	tb.Helper()
	c := world.Counts{
		GameObjects: 80, Seed: 5, Recipes: []world.Recipe{trader},
		Kinds: layout.Kinds(stock, label, pact), Resources: []world.ResourceKind{fair},
	}
	if counted {
		pacts := pact.Count(80)
		pacts.Elements = 200
		c.Kinds = []layout.Count{stock.Count(80, 200), label.Count(80, 3000), pacts}
	}
	return world.Must(world.SpawnN(world.Must(world.CreateState(c)), trader, 12, nil))
}

// trade is a step in which each player, by one byte, changes lists by all calls there are. What
// there is no room for is left.
func trade(s world.State, inputs []byte) world.State {
	for player, input := range inputs {
		of := input>>4%3 + byte(player)
		for b := range trading.In(s) {
			stocks := list.Column(b, stock)
			for i := range stocks.Len() {
				if id := b.ID(i).Index(); id%4 == uint32(of)%4 {
					_, _ = stocks.Append(i, stack{id, uint32(input)})
				} else if n := len(stocks.At(i)); n > 9 {
					stocks.Cut(i, n/2)
				}
			}
		}
		var who, other world.GameObject
		for id := range world.GameObjects(s) {
			if other = who; (id.Index()+uint32(player)+uint32(world.Tick(s)))%5 == 0 {
				break
			}
			who = id
		}
		s = deal(s, input, who, other)
		s, _ = list.Append(s, 0, sales, uint16(input))
		if len(world.Must(list.Of(s, 0, sales))) > 90 {
			s = world.Must(list.Clear(s, 0, sales))
		}
		list.AppendLater(world.Record(s), who, allies, other)
		s, _ = world.Apply(s)
	}
	s, _ = world.NextStream(s)
	return world.Advance(s)
}

func deal(s world.State, input byte, who, other world.GameObject) world.State {
	at := int(input >> 5)
	switch input % 9 {
	case 0, 1:
		s, _, _ = world.Spawn(s, trader)
	case 2:
		if world.Len(s) > 6 {
			s, _ = world.Dispose(s, who)
		}
	case 3:
		s, _, _ = world.Copy(s, who)
	case 4:
		s, _ = list.Insert(s, who, stock, at, stack{1, 1}, stack{2, uint32(input)}, stack{3, 3})
	case 5:
		s, _ = list.RemoveAt(s, who, stock, at)
		s, _ = list.SwapRemove(s, other, stock, at)
	case 6:
		s, _ = list.SetText(s, who, label, fmt.Sprintf("%*s", input, "ü"))
	case 7:
		s, _ = list.Shrink(s, who, stock)
		s, _ = list.Set(s, other, allies, who, other)
	default:
		s, _ = world.Remove(s, who, stock)
		s, _ = world.Add(s, other, stock)
	}
	return s
}

// trades is a match on worlds with lists.
func trades(t *testing.T, players int, c link.Conditions, s world.State) *match {
	t.Helper()
	m := newMatch(t, players, c, nil)
	for player := range m.sessions {
		m.join(player, world.Must(world.Clone(s)), trade)
	}
	return m
}

// join has a player begin with another world.
func (m *match) join(player int, s world.State, do func(world.State, []byte) world.State) {
	m.sessions[player].Close()
	m.states[player], m.sessions[player] = s, world.Must(session.New(s, session.Options{
		ID: 42, Local: player, Links: m.network.Links(player), InputBytes: 1, Delay: 2, Step: do,
	}))
}

// TestPlayersAgreeOnLists: a rolled back world comes out the same; so does the world of a player
// who joins later, with the world from a file and with other room.
func TestPlayersAgreeOnLists(t *testing.T) {
	const frames = 250
	for _, counted := range []bool{false, true} {
		m := trades(t, 2, bad, market(t, counted))
		for range frames {
			require.NoError(t, m.frame())
		}
		assert.Greater(t, m.agree(), frames/2)
		rollbacks := 0
		for player, s := range m.sessions {
			rollbacks += s.Status().Rollbacks
			require.NoError(t, tool.Verify(m.states[player]))
		}
		assert.Greater(t, rollbacks, frames/10)

		h := m.sessions[0].History()
		final := world.Must(h.Rollback(m.states[0], m.sessions[0].Status().Confirmed))
		var file bytes.Buffer
		require.NoError(t, save.Write(&file, final, save.Options{}))
		later, _ := world.Must2(save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()),
			world.CountsOf(final), save.Options{}))
		more := trades(t, 3, bad, final)
		more.join(2, later, trade)
		for range frames {
			require.NoError(t, more.frame())
		}
		assert.Greater(t, more.agree(), frames/2)
		for _, s := range more.states {
			require.NoError(t, tool.Verify(s))
		}
	}
}

// TestADesyncInAListIsLocated: it names the element.
func TestADesyncInAListIsLocated(t *testing.T) {
	m := trades(t, 2, link.Conditions{}, market(t, false))
	m.join(1, m.states[1], func(s world.State, inputs []byte) world.State {
		if s = trade(s, inputs); world.Tick(s) == 41 {
			for b := range trading.In(s) {
				stocks := list.Column(b, stock)
				for i := range stocks.Len() {
					if all := stocks.At(i); len(all) > 3 {
						all[3].Count += 1000
						return s
					}
				}
			}
		}
		return s
	})
	var desync *session.DesyncError
	for frames := 0; desync == nil; frames++ {
		require.Less(t, frames, 100)
		if err := m.frame(); err != nil {
			require.ErrorAs(t, err, &desync)
		}
	}
	d, differ := world.Must2(m.sessions[0].History().FirstDifference(m.sessions[1].History()))
	require.True(t, differ)
	assert.Equal(t, desync.Frame, d.Frame)
	assert.Contains(t, fmt.Sprint(d), "stock[3].Count of ")
}

func TestSyncTestOfLists(t *testing.T) {
	s := market(t, true)
	test := world.Must(session.NewSyncTest(s, 4, 2, trade))
	defer test.Close()
	for n := range 200 {
		s = world.Must(test.Advance(s, []byte{byte(n * 37), byte(n * n)}))
	}
	require.NoError(t, tool.Verify(s))
}
