package names

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/index"
)

// A census is names and global ids as anyone would keep them first.
type census struct {
	*testing.T
	r             *rand.Rand
	a             *manager.Arena
	w             *index.World
	alive         []gameobject.ID
	names         map[gameobject.ID]string
	order         map[gameobject.ID]int
	last          int
	globals, born map[gameobject.ID]uint64
	asleep        map[gameobject.ID]uint64 // global ids that are suspended
}

var someNames = []string{
	"", "a", "b", "bird", "birds", strings.Repeat("long", 15), "é", "\x00", "a\x00b", "x", "x\x00",
	strings.Repeat("x", Max), "名前", "liquid", "costarring",
}

const mostNames = 20

func newCensus(t *testing.T, seed uint64) *census {
	t.Helper()
	a, err := manager.NewArena(manager.Sizes{
		Objects: 40, Keyed: GlobalKind.Spec(), InOrder: seed%2 == 1, Kinds: []layout.Count{
			Kind.Count(mostNames), GlobalKind.Count(mostNames), Order.Count(1),
		},
	})
	require.NoError(t, err)
	_, err = a.Managers[2].Create()
	require.NoError(t, err)
	return &census{
		T: t, r: rand.New(rand.NewPCG(seed, 9)), a: a, w: index.New(a),
		names: map[gameobject.ID]string{}, order: map[gameobject.ID]int{},
		globals: map[gameobject.ID]uint64{}, born: map[gameobject.ID]uint64{},
		asleep: map[gameobject.ID]uint64{},
	}
}

func (c *census) step() {
	m, id := &c.a.Managers[0], gameobject.Nobody
	if len(c.alive) > 0 {
		id = c.alive[c.r.IntN(len(c.alive))]
	}
	switch op := c.r.IntN(22); {
	case op < 5 || id == gameobject.Nobody:
		if id, err := c.a.Objects.Create(0); err == nil {
			c.alive = append(c.alive, id)
		}
	case op < 11:
		name := someNames[c.r.IntN(len(someNames))]
		_, has := c.names[id]
		err := Check(m, id, name)
		require.Equal(c, !has && len(c.names) == mostNames, err != nil)
		if err != nil {
			return
		}
		if Set(m, &c.a.Managers[2], id.Index(), name); !has {
			c.last++
			c.order[id] = c.last
		}
		c.names[id] = name
	case op < 13:
		m.Drop(id.Index())
		delete(c.names, id)
	case op < 17:
		c.number(id)
	case op < 19:
		require.NoError(c, c.a.Rebuild())
	case op < 20:
		c.toggle(id)
	default:
		c.a.DropAll(id.Index())
		c.a.Objects.Dispose(id.Index())
		c.alive = slices.DeleteFunc(c.alive, func(o gameobject.ID) bool { return o == id })
		delete(c.names, id)
		c.forget(id)
	}
}

func (c *census) forget(id gameobject.ID) {
	delete(c.globals, id)
	delete(c.born, id)
	delete(c.asleep, id)
}

// toggle takes an object's global id away, or suspends it, or gives it back: without a number, if
// it had none.
func (c *census) toggle(id gameobject.ID) {
	m := &c.a.Managers[1]
	number, has := c.globals[id]
	switch _, kept := c.asleep[id]; {
	case has && c.r.IntN(2) == 0:
		m.Drop(id.Index())
		c.forget(id)
	case has:
		require.NoError(c, m.Suspend(id.Index()))
		delete(c.globals, id)
		c.asleep[id] = number
	case kept || len(c.globals)+len(c.asleep) < mostNames:
		_, err := m.Add(id.Index())
		require.NoError(c, err)
		c.globals[id] = c.asleep[id]
		delete(c.asleep, id)
	}
}

// number gives an object a global id: of its own, one made from another's, or one that is taken.
func (c *census) number(id gameobject.ID) {
	m := &c.a.Managers[1]
	number := NewGlobal(m, id, 7)
	if c.r.IntN(3) == 0 {
		number = []uint64{0, 5, maxGlobal, maxGlobal + 1, c.globals[id]}[c.r.IntN(5)]
	}
	if had := c.globals[id]; had != 0 && c.r.IntN(2) == 0 {
		number = NextGlobal(m, id.Index())
		c.born[id]++
		require.Equal(c, mix(had, c.born[id]), number)
		return
	}
	_, has := c.globals[id]
	taken := number == 0 || number > maxGlobal || !has && len(c.globals)+len(c.asleep) == mostNames
	for _, some := range []map[gameobject.ID]uint64{c.globals, c.asleep} {
		for other, n := range some {
			taken = taken || n == number && other != id
		}
	}
	err := CheckGlobal(m, id, number)
	require.Equal(c, taken, err != nil, "%d for %v: %v", number, id, err)
	if err == nil {
		SetGlobal(m, id.Index(), number)
		c.globals[id] = number
		delete(c.asleep, id)
	}
}

func (c *census) check(l *Lists) {
	m, g := &c.a.Managers[0], &c.a.Managers[1]
	for _, name := range someNames {
		var want, got []gameobject.ID
		for id, has := range c.names {
			if has == name {
				want = append(want, id)
			}
		}
		slices.SortFunc(want, func(a, b gameobject.ID) int { return c.order[a] - c.order[b] })
		l.Each(c.a, c.w, name, func(id gameobject.ID) bool {
			got = append(got, id)
			l.Each(c.a, c.w, someNames[c.r.IntN(3)], func(gameobject.ID) bool { return true }) // beside it
			return true
		})
		require.Equal(c, want, got, "%q", name)
	}
	for _, id := range c.alive {
		want, has := c.names[id]
		name, err := Of(m, id.Index())
		require.Equal(c, has, err == nil)
		require.Equal(c, want, string(name))
		number, err := GlobalOf(g, id.Index())
		global, has := c.globals[id]
		require.Equal(c, has, err == nil)
		require.Equal(c, global, number)
		if found, ok := FindGlobal(g, number); ok || number != 0 {
			require.Equal(c, id, found)
		}
		if number = c.asleep[id]; number != 0 {
			_, ok := FindGlobal(g, number)
			require.False(c, ok, "it is suspended")
		}
	}
	require.NoError(c, Verify(m))
	require.NoError(c, c.a.Verify())
}

// TestNamesAgainstModel: names and global ids are found as in maps, names in the order of naming.
func TestNamesAgainstModel(t *testing.T) {
	for seed := range uint64(4) {
		c, l := newCensus(t, seed), NewLists(mostNames)
		for range 600 {
			c.step()
			c.check(l)
		}
		c.w.Free()
		c.a.Free()
	}
}
