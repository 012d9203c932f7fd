package replica

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// A client whose datagrams do not arrive gets fewer bytes, down to 200, and more again when they do;
// one that loses little keeps what it has. Datagrams keep to it.
func TestBudgetFollowsTheConnection(t *testing.T) {
	a := newArena(t, 300, 1, Options{}, link.Conditions{Delay: 2, Loss: 0.4, Seed: 3})
	c := a.clients[0]
	var ids []world.GameObject
	for range 250 {
		ids = append(ids, a.spawn(vec{230 + 40*a.random.Float32(), 230 + 40*a.random.Float32()}))
	}
	budgets := func(ticks int) (all []int) {
		for range ticks {
			for i := range 250 {
				a.s = world.Must(world.Set(a.s, ids[i], hp, uint16(a.random.Uint32())))
			}
			a.s = world.Advance(a.s)
			a.tickOf()
			require.LessOrEqual(t, len(c.conn.out), c.conn.Stats().Budget)
			all = append(all, c.conn.Stats().Budget)
		}
		return all
	}
	worse := budgets(300)
	require.Equal(t, 1200, worse[19], "not judged yet")
	require.Contains(t, worse, 840)
	require.Equal(t, minBudget, worse[299])
	a.network.Set(link.Conditions{Delay: 2, Loss: 0.02})
	better := budgets(300)
	require.Greater(t, better[299], 350)
	for i := range better[:299] {
		require.GreaterOrEqual(t, better[i+1]*100, better[i]*65)
	}
	a.network.Set(link.Conditions{Delay: 2})
	best := budgets(900)
	require.Equal(t, 1200, best[899])
	require.Less(t, best[100], best[200], "5 % at a time")
}

// In a crowd, what is near is sent more often.
func TestCrowdsBringWhatIsNear(t *testing.T) {
	a := newArena(t, 600, 1, Options{Budget: 300, Known: 600}, link.Conditions{})
	c := a.clients[0]
	var ids []world.GameObject
	for i := range 500 {
		ids = append(ids, a.spawn(vec{250 + float32(i)*0.11, 250}))
	}
	c.at = vec{250, 250}
	for range 60 {
		a.tick()
	}
	sent := map[world.GameObject]int{}
	for range 200 {
		a.s = world.Advance(a.s)
		for _, id := range ids {
			a.s = world.Must(world.Set(a.s, id, hp, uint16(a.random.Uint32())))
		}
		a.tickOf()
		for s := range c.conn.Sees() {
			if s.Sent == a.server.table.tick {
				sent[s.ID]++
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
