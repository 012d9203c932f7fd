package systems

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A census is names as anyone would keep them first.
type census struct {
	s     State
	r     *rand.Rand
	alive []GameObject
	names map[GameObject]string
	order map[GameObject]int
	last  int
}

var someNames = []string{
	"", "a", "b", "bird", "birds", strings.Repeat("long", 15), "é", "\x00", "a\x00b", "x", "x\x00",
	strings.Repeat("x", MaxName), "名前",
}

func (m *census) set(id GameObject, name string) {
	if _, ok := m.names[id]; !ok {
		m.last++
		m.order[id] = m.last
	}
	m.names[id] = name
}

func (m *census) step(t *testing.T) {
	t.Helper()
	var err error
	var id GameObject
	if len(m.alive) > 0 {
		id = m.alive[m.r.IntN(len(m.alive))]
	}
	name := someNames[m.r.IntN(len(someNames))]
	_, has := m.names[id]
	switch op := m.r.IntN(20); {
	case op < 4 || id == 0:
		if m.s, id, err = CreateGameObject(m.s); err == nil {
			m.alive = append(m.alive, id)
		}
	case op < 6:
		if m.s, id, err = createNamed(m.s, name); err == nil {
			m.alive = append(m.alive, id)
			m.set(id, name)
		}
	case op < 12:
		m.s, err = SetName(m.s, id, name)
		require.Equal(t, !has && len(m.names) == 20, err != nil)
		if err == nil {
			m.set(id, name)
		}
	case op < 14:
		m.s, err = Remove(m.s, id, NameKind)
		require.Equal(t, has, err == nil)
		delete(m.names, id)
	case op < 17:
		m.s = sure(DisposeGameObject(m.s, id))
		m.alive = slices.DeleteFunc(m.alive, func(other GameObject) bool { return other == id })
		delete(m.names, id)
	case op < 18:
		m.s = sure(Tidy(m.s))
	default:
		m.s = sure(Clone(m.s))
	}
}

func (m *census) check(t *testing.T) {
	t.Helper()
	for _, name := range someNames {
		var want []GameObject
		for id, has := range m.names {
			if has == name {
				want = append(want, id)
			}
		}
		slices.SortFunc(want, func(a, b GameObject) int { return m.order[a] - m.order[b] })
		require.Equal(t, want, slices.Collect(Named(m.s, name)), "%q", name)
	}
	for _, id := range m.alive {
		want, has := m.names[id]
		name, err := NameOf(m.s, id)
		require.Equal(t, has, err == nil)
		require.Equal(t, want, name)
	}
	require.NoError(t, ArenaOf(m.s).Verify())
}

func TestNamesAgainstModel(t *testing.T) {
	for seed := range uint64(4) {
		s := sure(CreateState(Counts{GameObjects: 40, Names: 20, InOrder: seed%2 == 1}))
		m := census{
			s: s, r: rand.New(rand.NewPCG(seed, 9)),
			names: map[GameObject]string{}, order: map[GameObject]int{},
		}
		for range 600 {
			m.step(t)
			m.check(t)
		}
	}
}
